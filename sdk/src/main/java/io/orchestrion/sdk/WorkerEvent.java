package io.orchestrion.sdk;

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

    /// The server has the failure.
    record Failed<W>(W work, String reason) implements WorkerEvent<W> {}

    /// Somebody cancelled it; the handler has ended, and the server knows.
    record Cancelled<W>(W work) implements WorkerEvent<W> {}

    /// The lease was lost, or has to be counted as lost; nothing was reported for the work, which
    /// another worker may have by now.
    record LeaseLost<W>(W work, String why) implements WorkerEvent<W> {}

    /// The outcome could not be reported; the work comes back when its lease runs out.
    record ReportFailed<W>(W work, OrchestrionException failure) implements WorkerEvent<W> {}

    /// Asking for work failed; the worker asks again later.
    record ClaimFailed<W>(OrchestrionException failure) implements WorkerEvent<W> {}
}
