package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which tasks to list; each method returns a changed copy.
///
/// @param limit tasks on a page, 1 to 100; null for the server's default of 50
/// @param cursor where the page begins
/// @param owned whether the steps that engines made are among them
public record TaskQuery(
        @Nullable TaskStatus status,
        @Nullable String type,
        @Nullable Integer limit,
        @Nullable String cursor,
        boolean owned) {
    /// Every task, newest first.
    public static final TaskQuery ALL = new TaskQuery(null, null, null, null);

    /// Without the steps of engines.
    public TaskQuery(
            @Nullable TaskStatus status,
            @Nullable String type,
            @Nullable Integer limit,
            @Nullable String cursor) {
        this(status, type, limit, cursor, false);
    }

    public TaskQuery withStatus(TaskStatus status) {
        return new TaskQuery(status, type, limit, cursor, owned);
    }

    public TaskQuery withType(String type) {
        return new TaskQuery(status, type, limit, cursor, owned);
    }

    public TaskQuery withLimit(int limit) {
        return new TaskQuery(status, type, limit, cursor, owned);
    }

    /// Also the steps that engines made.
    public TaskQuery withOwned() {
        return new TaskQuery(status, type, limit, cursor, true);
    }

    /// The page that follows the one that had this [TaskPage#nextCursor].
    public TaskQuery after(String cursor) {
        return new TaskQuery(status, type, limit, cursor, owned);
    }
}
