package io.orchestrion.sdk;

import java.util.Iterator;
import java.util.NoSuchElementException;

/// Iterates over all pages of a list and reads each page when it is needed.
final class Pages implements Iterator<Task> {
    private final OrchestrionClient client;
    private final TaskQuery query;
    private TaskPage page;
    private int next;

    Pages(OrchestrionClient client, TaskQuery query, TaskPage first) {
        this.client = client;
        this.query = query;
        page = first;
    }

    @Override
    public boolean hasNext() {
        while (next == page.tasks().size()) {
            String cursor = page.nextCursor();
            if (cursor == null) {
                return false;
            }
            page = client.list(query.after(cursor));
            next = 0;
        }
        return true;
    }

    @Override
    public Task next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return page.tasks().get(next++);
    }
}
