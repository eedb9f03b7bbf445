package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// What happens in a [Worker].
///
/// @param <W> what it works on: [Task] or [QueueJob]
public sealed interface WorkerEvent<W> {
    /// Something was claimed; its handler starts.
    record Claimed<W>(W work) implements WorkerEvent<W> {}

    /// There was nothing to claim; the worker asks again.
    record Idle<W>() implements WorkerEvent<W> {}

    /// The server has the result.
    record Completed<W>(W work) implements WorkerEvent<W> {}

    /// Somebody asks its holder for something, or no longer does: to pause, or to stop for good. A
    /// handler that has a [TaskContext] sees the same.
    record Directed<W>(W work, Directives directives) implements WorkerEvent<W> {}

    /// The server has the failure.
    ///
    /// @param error what was reported for programs, or null for nothing
    record Failed<W>(W work, String reason, TaskReport.@Nullable ReportedError error)
            implements WorkerEvent<W> {}

    /// Somebody cancelled it; the handler has ended, and the server knows.
    record Cancelled<W>(W work) implements WorkerEvent<W> {}

    /// The lease was lost, or has to be counted as lost; no outcome counts for the work, which may
    /// have been cancelled, or which another worker may have by now.
    record LeaseLost<W>(W work, String why) implements WorkerEvent<W> {}

    /// The outcome could not be reported; the work comes back when its lease runs out.
    record ReportFailed<W>(W work, OrchestrionException failure) implements WorkerEvent<W> {}

    /// Asking for work failed; the worker asks again later.
    record ClaimFailed<W>(OrchestrionException failure) implements WorkerEvent<W> {}
}
