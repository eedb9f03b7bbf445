package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A page of jobs.
///
/// @param nextCursor for [JobQuery#after]; null on the last page
public record JobPage(List<QueueJob> jobs, @Nullable String nextCursor) {
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
