package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which tasks to list; each method returns a changed copy.
///
/// @param limit tasks on a page, 1 to 100; null for the server's default of 50
/// @param cursor where the page begins
public record TaskQuery(
        @Nullable TaskStatus status,
        @Nullable String type,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Every task, newest first.
    public static final TaskQuery ALL = new TaskQuery(null, null, null, null);

    public TaskQuery withStatus(TaskStatus status) {
        return new TaskQuery(status, type, limit, cursor);
    }

    public TaskQuery withType(String type) {
        return new TaskQuery(status, type, limit, cursor);
    }

    public TaskQuery withLimit(int limit) {
        return new TaskQuery(status, type, limit, cursor);
    }

    /// The page that follows the one that had this [TaskPage#nextCursor].
    public TaskQuery after(String cursor) {
        return new TaskQuery(status, type, limit, cursor);
    }
}
