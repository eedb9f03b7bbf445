package io.orchestrion.cli;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Things below each other, a page at a time; later pages keep the first one's columns.
final class PagedTable<T> {
    private final Invocation run;
    private final List<String> head;
    private final Function<T, List<String>> row;
    private final BiFunction<T, String, String> lead;
    private List<Integer> widths = List.of();
    private int shown;

    /// @param row the cells of one line
    /// @param lead gives the first cell its colour
    PagedTable(
            Invocation run,
            List<String> head,
            Function<T, List<String>> row,
            BiFunction<T, String, String> lead) {
        this.run = run;
        this.head = head;
        this.row = row;
        this.lead = lead;
    }

    int shown() {
        return shown;
    }

    void add(List<T> things) {
        if (things.isEmpty()) {
            return;
        }
        var rows = new ArrayList<List<String>>();
        if (shown == 0) {
            rows.add(head);
        }
        things.forEach(thing -> rows.add(row.apply(thing)));
        widths = Screen.widths(widths, rows);
        int first = shown == 0 ? 1 : 0;
        if (first == 1) {
            run.out().println(run.screen().strong(Screen.line(head, widths)));
        }
        for (int i = 0; i < things.size(); i++) {
            List<String> cells = rows.get(first + i);
            String begin = Screen.padded(cells.getFirst(), widths.getFirst());
            String line = Screen.line(cells, widths);
            String rest = line.substring(Math.min(begin.length(), line.length()));
            run.out().println(lead.apply(things.get(i), begin) + rest);
        }
        shown += things.size();
    }

    /// Prints the first page, or with `--all` every one.
    ///
    /// @param fetch the page at a cursor; null for the first
    /// @param none printed when there is nothing
    <P> void pages(
            Function<@Nullable String, P> fetch,
            Function<P, List<T>> things,
            Function<P, @Nullable String> next,
            String none) {
        P page = fetch.apply(null);
        print(things.apply(page));
        String cursor = next.apply(page);
        while (cursor != null && run.has("--all")) {
            page = fetch.apply(cursor);
            print(things.apply(page));
            cursor = next.apply(page);
        }
        end(cursor != null, none);
    }

    /// Prints one page; as the server sent it, if that is wanted.
    void print(List<T> things) {
        if (run.json()) {
            run.show(() -> "");
        } else {
            add(things);
        }
    }

    /// Prints what follows the last page.
    void end(boolean more, String none) {
        if (run.json()) {
            return;
        }
        if (shown == 0) {
            run.out().println(none);
        } else if (more) {
            run.out().println(run.screen().faint("There are more; --all shows them."));
        }
    }
}
