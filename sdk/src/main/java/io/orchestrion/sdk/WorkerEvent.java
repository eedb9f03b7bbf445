package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// What happens in a [Worker]; for [WorkerBuilder#listener].
///
/// ```java
/// Worker worker = Worker.builder(client)
///         .type("hello")
///         .handler(task -> null)
///         .listener(event -> {
///             if (event instanceof WorkerEvent.Failed<Task> failed) {
///                 System.out.println(failed.work().id() + ": " + failed.reason());
///             }
///         })
///         .start();
/// ```
///
/// @param <W> what it works on: [Task] or [QueueJob]
public sealed interface WorkerEvent<W> {
    /// Work was claimed, and its handler starts.
    record Claimed<W>(W work) implements WorkerEvent<W> {}

    /// There was nothing to claim. The worker asks again.
    record Idle<W>() implements WorkerEvent<W> {}

    /// The server has stored the result.
    record Completed<W>(W work) implements WorkerEvent<W> {}

    /// The server asks the holder to pause or to stop, or no longer asks for it. A handler with a
    /// [TaskContext] sees the same.
    record Directed<W>(W work, Directives directives) implements WorkerEvent<W> {}

    /// The server has stored the failure.
    ///
    /// @param error the reported error for programs, or null for none
    record Failed<W>(W work, String reason, TaskReport.@Nullable ReportedError error)
            implements WorkerEvent<W> {}

    /// Somebody cancelled the work. The handler has ended, and the server knows.
    record Cancelled<W>(W work) implements WorkerEvent<W> {}

    /// The lease was lost, or has to be counted as lost. The work may have been cancelled, or
    /// another worker may have it. No outcome of this attempt counts.
    record LeaseLost<W>(W work, String why) implements WorkerEvent<W> {}

    /// The outcome could not be reported. The work can be claimed again when its lease runs out.
    record ReportFailed<W>(W work, OrchestrionException failure) implements WorkerEvent<W> {}

    /// A claim failed. The worker claims again later.
    record ClaimFailed<W>(OrchestrionException failure) implements WorkerEvent<W> {}
}
