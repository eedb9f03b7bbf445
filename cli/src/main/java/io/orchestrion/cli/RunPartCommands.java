package io.orchestrion.cli;

import io.orchestrion.sdk.OutputPiece;
import io.orchestrion.sdk.OutputQuery;
import io.orchestrion.sdk.RunAgent;
import io.orchestrion.sdk.RunStep;
import io.orchestrion.sdk.RunTask;
import io.orchestrion.tools.ClientExit;

import picocli.CommandLine.Model.CommandSpec;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.UUID;

/// The parts of a run, and what its steps write.
final class RunPartCommands {
    private static final int FOLLOW_SECONDS = 86_400;

    private final Surroundings surroundings;

    RunPartCommands(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    CommandSpec[] specs() {
        return new CommandSpec[] {agents(), tasks(), steps(), stream(), write()};
    }

    private ClientCommand command(String name, String description) {
        return ClientCommand.of(name, description, surroundings);
    }

    private CommandSpec agents() {
        return Shown.paged(command("agents", "List the agents of a run."))
                .word("RUN", RunCommands.ID)
                .option("--attempt", "N", Integer.class, "Only of this attempt of the run.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "AGENT=id",
                                                "ROLE=role",
                                                "NO=sequence_number",
                                                "SUBTASK=subtask",
                                                "TASKS=task_count",
                                                "OPEN=tasks_open",
                                                "ATTEMPT=agent_attempt",
                                                "PLAN=plan_version",
                                                "ERROR=error_code"),
                                        (limit, cursor) ->
                                                run.client()
                                                        .runs()
                                                        .agents(
                                                                run.word(),
                                                                run.value("--attempt"),
                                                                limit,
                                                                cursor),
                                        RunAgent::json,
                                        "No agents."));
    }

    private CommandSpec tasks() {
        return Shown.paged(command("tasks", "List the tasks of an agent."))
                .word("RUN", RunCommands.ID)
                .required("--agent", "ID", "The agent's id.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "TASK=id",
                                                "NO=sequence_number",
                                                "NAME=name",
                                                "STEPS=step_count",
                                                "OPEN=steps_open",
                                                "ATTEMPT=task_attempt",
                                                "AFTER=dependencies",
                                                "SKIPPED=skip_reason",
                                                "ERROR=error_code"),
                                        (limit, cursor) ->
                                                run.client()
                                                        .runs()
                                                        .tasks(
                                                                run.word(),
                                                                run.text("--agent"),
                                                                limit,
                                                                cursor),
                                        RunTask::json,
                                        "No tasks."));
    }

    private CommandSpec steps() {
        return Shown.paged(command("steps", "List the steps of a task."))
                .word("RUN", RunCommands.ID)
                .required("--of-task", "ID", "The task's id.")
                .does(
                        run ->
                                Shown.pages(
                                        run,
                                        Shown.table(
                                                run,
                                                "STATUS=status",
                                                "STEP=id",
                                                "NO=sequence_number",
                                                "NAME=name",
                                                "TOOL=tool",
                                                "ATTEMPTS=attempt_count",
                                                "TOKENS=tokens",
                                                "CREDITS=credits_charged",
                                                "WAITS FOR=waits_for.on",
                                                "ERROR=error_code"),
                                        (limit, cursor) ->
                                                run.client()
                                                        .runs()
                                                        .steps(
                                                                run.word(),
                                                                run.text("--of-task"),
                                                                limit,
                                                                cursor),
                                        RunStep::json,
                                        "No steps."));
    }

    private CommandSpec stream() {
        return command("stream", "Show what the steps of a run write.")
                .word("RUN", RunCommands.ID)
                .option("--step", "ID", String.class, "Only this step.")
                .option("--after", "N", Long.class, "Only what came after this piece.")
                .flag("--follow", "Go on until the run has ended.")
                .option(
                        "--seconds",
                        "N",
                        Integer.class,
                        "Follow for at most so long. Default: " + FOLLOW_SECONDS + ".")
                .footer(
                        "",
                        "With --json each piece is a line; its seq goes on from there: --after.")
                .does(RunPartCommands::stream);
    }

    private static void stream(Invocation run) {
        Long after = run.value("--after");
        OutputQuery query =
                OutputQuery.ALL.ofStep(run.value("--step")).after(after == null ? 0 : after);
        if (!run.has("--follow")) {
            run.client().runs().output(run.word(), query, piece -> print(piece, run));
            return;
        }
        boolean ended =
                run.client()
                        .runs()
                        .followOutput(
                                run.word(),
                                query,
                                Duration.ofSeconds(run.number("--seconds", FOLLOW_SECONDS)),
                                piece -> print(piece, run));
        if (!ended) {
            throw new ClientCommand.NotAsHoped(ClientExit.STILL_OPEN);
        }
    }

    private static void print(OutputPiece piece, Invocation run) {
        if (run.json()) {
            run.out()
                    .println(
                            JsonMapper.shared()
                                    .createObjectNode()
                                    .put("seq", piece.sequence())
                                    .put("run_id", piece.runId())
                                    .put("step_id", piece.stepId())
                                    .put("attempt_id", piece.attemptId())
                                    .put("channel", piece.channel())
                                    .put("text", piece.text())
                                    .put("at", piece.at().toString()));
        } else {
            // Its line breaks are its own: the output of programs is no table.
            var out = piece.channel().equals("stderr") ? run.err() : run.out();
            String[] lines = piece.text().split("\n", -1);
            for (int i = 0; i < lines.length; i++) {
                out.print(i == 0 ? Screen.clean(lines[i]) : "\n" + Screen.clean(lines[i]));
            }
            out.flush();
        }
    }

    private CommandSpec write() {
        return command("write", "Add to the output of a step that you have claimed.")
                .word("STEP", "The step's id, step_id of the claimed payload.")
                .required("--attempt", "ID", "step_attempt_id of the claimed payload.")
                .required("--text", "TEXT", "As it stands, @FILE, or - for standard input.")
                .option("--token", "TOKEN", UUID.class, "The lease's token, to speak for it alone.")
                .option("--channel", "WORD", String.class, "stdout or stderr. Default: stdout.")
                .does(RunPartCommands::write);
    }

    private static void write(Invocation run) {
        String channel = run.value("--channel");
        String text = run.document("--text");
        long left =
                run.client()
                        .runs()
                        .write(
                                run.word(),
                                run.text("--attempt"),
                                run.value("--token"),
                                channel == null ? "stdout" : channel,
                                text == null ? "" : text);
        run.show(() -> "Written; " + left + " bytes are left.");
    }
}
