package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Which runs to list, newest first. Each method returns a changed copy.
///
/// ```java
/// RunQuery escalated = RunQuery.ALL.withStatus(RunStatus.PAUSED).escalated(true);
/// Page<Run> waiting = client.runs().list(escalated);
/// ```
///
/// @param status null for all
/// @param escalated whether people were called for it; null for both
/// @param createdFrom not made earlier; null for all
/// @param createdTo made earlier; null for all
/// @param limit 1 to 100; null for the server's default of 50
/// @param cursor the cursor of the page before; null for the first page
public record RunQuery(
        @Nullable RunStatus status,
        @Nullable Boolean escalated,
        @Nullable Instant createdFrom,
        @Nullable Instant createdTo,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Every run.
    public static final RunQuery ALL = new RunQuery(null, null, null, null, null, null);

    public RunQuery withStatus(@Nullable RunStatus status) {
        return new RunQuery(status, escalated, createdFrom, createdTo, limit, cursor);
    }

    public RunQuery escalated(@Nullable Boolean escalated) {
        return new RunQuery(status, escalated, createdFrom, createdTo, limit, cursor);
    }

    /// @param from not made earlier
    /// @param to made earlier
    public RunQuery createdBetween(@Nullable Instant from, @Nullable Instant to) {
        return new RunQuery(status, escalated, from, to, limit, cursor);
    }

    public RunQuery withLimit(@Nullable Integer limit) {
        return new RunQuery(status, escalated, createdFrom, createdTo, limit, cursor);
    }

    public RunQuery after(@Nullable String cursor) {
        return new RunQuery(status, escalated, createdFrom, createdTo, limit, cursor);
    }

    Parameters parameters() {
        return new Parameters()
                .with("status", status == null ? null : status.word())
                .with("escalated", escalated)
                .with("created_from", createdFrom)
                .with("created_to", createdTo)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
