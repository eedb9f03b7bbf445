package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A page of jobs of the queue.
///
/// @param nextCursor pass it to [JobQuery#after]; null on the last page
public record JobPage(List<QueueJob> jobs, @Nullable String nextCursor) {
    public JobPage {
        jobs = List.copyOf(jobs);
    }
}
