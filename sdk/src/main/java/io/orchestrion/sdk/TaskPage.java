package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A page of tasks, newest first.
///
/// @param nextCursor pass it to [TaskQuery#after]; null on the last page
public record TaskPage(List<Task> tasks, @Nullable String nextCursor) {
    public TaskPage {
        tasks = List.copyOf(tasks);
    }
}
