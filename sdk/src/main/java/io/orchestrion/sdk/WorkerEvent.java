package io.orchestrion.sdk;

/// What happens in a [Worker].
public sealed interface WorkerEvent {
    /// A task was claimed; its handler starts.
    record Claimed(Task task) implements WorkerEvent {}

    /// The server has the result.
    record Completed(Task task) implements WorkerEvent {}

    /// The server has the failure.
    record Failed(Task task, String reason) implements WorkerEvent {}

    /// The lease was lost, or has to be counted as lost; nothing was reported for the task, which
    /// another worker may have by now.
    record LeaseLost(Task task, String why) implements WorkerEvent {}

    /// The outcome could not be reported; the task comes back when its lease runs out.
    record ReportFailed(Task task, OrchestrionException failure) implements WorkerEvent {}

    /// Asking for work failed; the worker asks again later.
    record ClaimFailed(OrchestrionException failure) implements WorkerEvent {}
}
