package io.orchestrion.jobs.handler;

/// Does the work of jobs that are bound to its name. Runners find handlers by
/// [java.util.ServiceLoader]; one instance serves all jobs of a process, several at a time.
///
/// A job can be run again, by a retry or because its runner was lost, so a handler's work should
/// bear that. Nothing that it does counts after its job was canceled or its lease was lost: the
/// runner's report is fenced, and the handler is interrupted.
public interface JobHandler {
    /// The name by which jobs ask for it: letters, digits, dots, dashes and underscores.
    String name();

    /// Runs one attempt on a thread of its own, and returns what it produced. To fail, throw: a
    /// [JobFailedException] says whether trying again may help. Any other exception counts as a
    /// failure that a retry does not help.
    Produced run(JobContext context) throws Exception;
}
