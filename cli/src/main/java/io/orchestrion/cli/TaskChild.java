package io.orchestrion.cli;

import io.orchestrion.sdk.Directives;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskContext;
import io.orchestrion.sdk.TaskFailure;

import java.io.IOException;
import java.util.function.Consumer;

/// Runs the worker's program for a task: what the child writes of its attempt becomes the report,
/// and what is asked of the attempt reaches the child.
///
/// @param screen where somebody sees what the child prints, and what of its report is not used
record TaskChild(ChildProgram program, Invocation run, WorkerScreen screen) {
    String handle(Task task, TaskContext context) throws TaskFailure, InterruptedException {
        ChildWork work = ChildWork.of(task);
        Consumer<String> complaints = text -> screen.complain(task.id(), text);
        try (ChildFiles files = ChildFiles.of(work)) {
            var report = new ChildReport(files, complaints);
            context.onDirectives(now -> pass(now, files, complaints));
            try {
                String result =
                        program.run(
                                work,
                                CodexChoice.of(work, run),
                                files,
                                (error, line) -> screen.output(work.id(), error, line));
                report.succeeded();
                return TaskResult.of(result, complaints);
            } catch (ChildFailure e) {
                throw report.failure(e);
            } catch (InterruptedException e) {
                TaskFailure said = report.whenEnded();
                if (said == null) {
                    throw e;
                }
                // What a child reports while it ends matters more than that it was told to end.
                Thread.currentThread().interrupt();
                throw said;
            } finally {
                report.tell(context);
            }
        } catch (IOException e) {
            throw TaskFailure.unavailable("cannot make files for the program: " + e.getMessage());
        }
    }

    private static void pass(Directives now, ChildFiles files, Consumer<String> complaints) {
        try {
            files.directed(now);
        } catch (IOException e) {
            complaints.accept("pause file: " + e.getMessage());
        }
    }
}
