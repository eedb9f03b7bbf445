package io.orchestrion.cli;

import io.orchestrion.sdk.JobEventLevel;
import io.orchestrion.sdk.JobFailure;
import io.orchestrion.sdk.JobRun;

import java.io.IOException;
import java.time.Duration;

/// Runs the worker's program for a job of the queue: what the child prints goes to the job's log.
///
/// @param lease how long a job stays the worker's without a heartbeat
record JobChild(ChildProgram program, Invocation run, WorkerScreen screen, Duration lease) {
    String handle(JobRun job) throws JobFailure, InterruptedException {
        ChildWork work = ChildWork.of(job.job(), lease);
        CodexChoice codex = CodexChoice.of(work, run);
        begin(job, work, codex);
        try (ChildFiles files = ChildFiles.of(work)) {
            return program.run(
                    work,
                    codex,
                    files,
                    (error, line) -> {
                        screen.output(work.id(), error, line);
                        job.log()
                                .line(
                                        error ? JobEventLevel.ERROR : JobEventLevel.INFO,
                                        error ? "stderr" : "stdout",
                                        line);
                    });
        } catch (ChildFailure e) {
            throw new JobFailure(e.reason(), e.retryable());
        } catch (IOException e) {
            throw new JobFailure("cannot make files for the program: " + e.getMessage(), true);
        } catch (InterruptedException e) {
            if (job.cancelRequested()) {
                throw new JobFailure("Cancelled; the program was ended.", false);
            }
            throw e;
        }
    }

    private void begin(JobRun job, ChildWork work, CodexChoice codex) {
        String with = codex.words();
        job.log()
                .event(
                        JobEventLevel.INFO,
                        "Starting "
                                + run.program().getFirst()
                                + ", attempt "
                                + work.attempt()
                                + " of "
                                + work.maxAttempts()
                                + (with.isEmpty() ? "" : ", with " + with)
                                + ".",
                        codex.json(work.attempt()));
    }
}
