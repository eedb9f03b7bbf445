package io.orchestrion.jobs.handler;

/// Does the work of jobs that are bound to its name. Runners find handlers by
/// [java.util.ServiceLoader]; one instance serves all jobs of a process, several at a time.
///
/// A job can be run again, by a retry or because its runner was lost, so what a handler does should
/// bear that. Whatever it does after its job was canceled or its lease was lost counts for nothing:
/// the runner's word is fenced, and the handler is told by interruption.
public interface JobHandler {
    /// By which jobs name it: letters, digits, dots, dashes and underscores.
    String name();

    /// Runs one attempt on a thread of its own and says what came of it. To fail, throw: a
    /// [JobFailedException] says whether trying again may help; anything else is taken for a
    /// failure that it may not help against.
    Produced run(JobContext context) throws Exception;
}
