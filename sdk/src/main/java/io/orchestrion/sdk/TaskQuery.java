package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which tasks to list. Each method returns a changed copy.
///
/// ```java
/// for (Task task : client.listAll(TaskQuery.ALL.withStatus(TaskStatus.DEAD_LETTER))) {
///     client.requeue(task.id());
/// }
/// ```
///
/// @param limit tasks on a page, 1 to 100; null for the server's default of 50
/// @param cursor where the page begins; null for the first page
/// @param owned whether to include the steps that engines made
public record TaskQuery(
        @Nullable TaskStatus status,
        @Nullable String type,
        @Nullable Integer limit,
        @Nullable String cursor,
        boolean owned) {
    /// Every task, newest first.
    public static final TaskQuery ALL = new TaskQuery(null, null, null, null);

    /// A query without the steps of engines.
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

    /// Includes the steps that engines made.
    public TaskQuery withOwned() {
        return new TaskQuery(status, type, limit, cursor, true);
    }

    /// The page after the one that had this [TaskPage#nextCursor].
    public TaskQuery after(String cursor) {
        return new TaskQuery(status, type, limit, cursor, owned);
    }
}
