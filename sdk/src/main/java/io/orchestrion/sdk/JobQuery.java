package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which jobs of the queue to list. Each method returns a changed copy.
///
/// ```java
/// JobPage first = client.queue().list(JobQuery.ALL.withStatus(JobStatus.RUNNING).withLimit(100));
/// ```
///
/// @param limit jobs on a page, 1 to 200; null for the server's default of 50
/// @param cursor where the page begins; null for the first page
public record JobQuery(
        @Nullable JobStatus status,
        @Nullable String type,
        @Nullable Integer limit,
        @Nullable String cursor) {
    public static final JobQuery ALL = new JobQuery(null, null, null, null);

    public JobQuery withStatus(JobStatus status) {
        return new JobQuery(status, type, limit, cursor);
    }

    public JobQuery withType(String type) {
        return new JobQuery(status, type, limit, cursor);
    }

    public JobQuery withLimit(int limit) {
        return new JobQuery(status, type, limit, cursor);
    }

    /// The page after the one that had this [JobPage#nextCursor].
    public JobQuery after(String cursor) {
        return new JobQuery(status, type, limit, cursor);
    }
}
