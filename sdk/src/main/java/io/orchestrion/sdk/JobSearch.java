package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which jobs of `/v1/jobs` to list. Each method returns a changed copy.
///
/// ```java
/// Jobs.Page failed = client.jobs().list(JobSearch.ALL.withState(JobState.FAILED).withLimit(20));
/// ```
///
/// @param outcome `SUCCESS`, `FAILED` or `CANCELED`; null for any
/// @param limit jobs on a page; null for the server's default
/// @param cursor where the page begins; null for the first page
public record JobSearch(
        @Nullable JobState state,
        @Nullable String outcome,
        @Nullable Integer limit,
        @Nullable String cursor) {
    public static final JobSearch ALL = new JobSearch(null, null, null, null);

    public JobSearch withState(JobState state) {
        return new JobSearch(state, outcome, limit, cursor);
    }

    public JobSearch withOutcome(String outcome) {
        return new JobSearch(state, outcome, limit, cursor);
    }

    public JobSearch withLimit(int limit) {
        return new JobSearch(state, outcome, limit, cursor);
    }

    /// The page after the one that had this [Jobs.Page#nextCursor].
    public JobSearch after(String cursor) {
        return new JobSearch(state, outcome, limit, cursor);
    }
}
