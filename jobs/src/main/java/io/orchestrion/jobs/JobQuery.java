package io.orchestrion.jobs;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A page of an account's jobs, newest first.
///
/// @param after the last job of the page before, see [JobPage#next]
public record JobQuery(
        UUID account,
        @Nullable JobState state,
        @Nullable JobOutcome outcome,
        int limit,
        @Nullable UUID after) {
    public static final int MOST = 100;

    public JobQuery {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be from 1 to " + MOST);
        }
    }

    public static JobQuery of(UUID account) {
        return new JobQuery(account, null, null, MOST, null);
    }
}
