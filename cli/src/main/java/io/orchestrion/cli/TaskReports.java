package io.orchestrion.cli;

import io.orchestrion.sdk.TaskReport;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/// The options with which the commands that end an attempt report about it, without the result.
final class TaskReports {
    private TaskReports() {}

    static ClientCommand ofAttempt(ClientCommand command) {
        return command.option(
                        "--usage",
                        "JSON",
                        String.class,
                        "What the attempt used up, a JSON object such as {\"tokens\":1200}.")
                .option("--logs-ref", "TEXT", String.class, "Where its logs are kept.");
    }

    static ClientCommand ofFailure(ClientCommand command) {
        return command.option(
                        "--code",
                        "WORD",
                        String.class,
                        "What kind of failure it was, a word for programs. Needs --reason.")
                .option(
                        "--http-status",
                        "N",
                        Integer.class,
                        "What the service answered that was called, 100 to 599. Needs --code.")
                .flag(
                        "--partial-side-effect",
                        "Something was done that another attempt would do again. Needs --code.");
    }

    static TaskReport of(Invocation run) {
        return withAttempt(run, TaskReport.success()).build();
    }

    static TaskReport ofFailure(Invocation run) {
        String code = run.value("--code");
        String reason = run.value("--reason");
        Integer status = run.value("--http-status");
        if (code == null) {
            if (status != null || run.has("--partial-side-effect")) {
                throw run.misused("--http-status and --partial-side-effect need --code");
            }
            return of(run);
        }
        if (reason == null) {
            throw run.misused("--code needs --reason");
        }
        TaskReport.Builder report = TaskReport.failure(code, reason);
        ifThere(status, report::httpStatus);
        if (run.has("--partial-side-effect")) {
            report.partialSideEffect(true);
        }
        return withAttempt(run, report).build();
    }

    private static TaskReport.Builder withAttempt(Invocation run, TaskReport.Builder report) {
        ifThere(run.document("--usage"), report::usage);
        ifThere(run.<String>value("--logs-ref"), report::logsRef);
        return report;
    }

    private static <T> void ifThere(@Nullable T value, Consumer<T> then) {
        if (value != null) {
            then.accept(value);
        }
    }
}
