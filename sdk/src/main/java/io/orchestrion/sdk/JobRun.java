package io.orchestrion.sdk;

/// A job of the queue while its [JobHandler] executes it.
///
/// ```java
/// JobHandler patient = run -> {
///     while (!run.cancelRequested()) {
///         Thread.sleep(1000);
///     }
///     return null;
/// };
/// ```
public interface JobRun {
    /// The job as it was claimed, with its payload.
    QueueJob job();

    /// The job's log, to write to.
    JobLog log();

    /// Whether somebody has cancelled the job. Its handler is interrupted once when that happens.
    boolean cancelRequested();
}
