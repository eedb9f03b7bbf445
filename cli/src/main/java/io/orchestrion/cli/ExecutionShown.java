package io.orchestrion.cli;

import io.orchestrion.sdk.Execution;
import io.orchestrion.sdk.StepExecution;
import io.orchestrion.sdk.StepKind;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Executions of orchestrations and attempts at their steps as people read them.
final class ExecutionShown {
    private static final int NOTE_MAX = 60;

    private ExecutionShown() {}

    static String started(Execution execution, Invocation run) {
        var card = new Card("Execution " + execution.id(), run);
        card.row("status", status(execution, run.screen()));
        card.row("version", String.valueOf(execution.definitionVersion()));
        card.row("next", "orchestrion orchestrations watch " + execution.id());
        return card.toString();
    }

    static String status(Execution execution, Screen screen) {
        return screen.ending(execution.status().word(), execution.status().word());
    }

    static String line(Execution execution, Invocation run) {
        return "Execution "
                + execution.id()
                + " is "
                + status(execution, run.screen())
                + (execution.attemptCount() > 1 ? ", attempt " + execution.attemptCount() : "")
                + ".";
    }

    static String card(Execution execution, Invocation run) {
        var card = new Card("Execution " + execution.id(), run);
        card.row("status", status(execution, run.screen()));
        card.row(
                "definition",
                execution.definitionId() + " version " + execution.definitionVersion());
        card.text("target", execution.targetType() + "/" + execution.targetId());
        card.text("correlates", execution.correlationId());
        card.row("attempt", String.valueOf(execution.attemptCount()));
        card.time("started", execution.startedAt());
        card.time("ended", execution.completedAt());
        card.json("input", execution.input());
        if (!execution.output().isNull()) {
            card.json("output", execution.output());
        }
        JsonNode error = execution.error();
        if (error.isObject()) {
            card.text(
                    "error",
                    error.path("code").asString("")
                            + " ("
                            + error.path("error_class").asString("")
                            + "): "
                            + error.path("summary").asString(""));
        }
        if (execution.compensated()) {
            card.row("compensated", "yes");
        }
        for (String blocked : blocked(execution, run)) {
            card.row("waits for", blocked);
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("STATUS", "STEP", "ATTEMPT", "TOOK", "NOTE"));
        execution.steps().forEach(step -> rows.add(row(step, run)));
        boolean more = execution.json().path("steps_next_cursor").isString();
        return card
                + "\n"
                + run.screen().table(rows)
                + (more ? "\n" + run.screen().faint("There are more; steps lists them.") : "");
    }

    private static List<String> row(StepExecution step, Invocation run) {
        return List.of(
                step.status().word(),
                name(step),
                String.valueOf(step.attemptNumber()),
                took(step, run),
                Screen.shortened(note(step, run), NOTE_MAX));
    }

    /// With what kind of attempt it is, unless it is the step's own work.
    static String name(StepExecution step) {
        String id = Screen.clean(step.stepId());
        return step.kind() == StepKind.STEP ? id : id + " (" + step.kind().word() + ")";
    }

    static String took(StepExecution step, Invocation run) {
        Instant from = step.startedAt();
        if (from == null) {
            return "";
        }
        Instant to = step.finishedAt();
        Duration took =
                Duration.between(from, to == null ? run.surroundings().clock().instant() : to);
        if (took.isNegative()) {
            return "0s";
        }
        return took.toSeconds() < 10
                ? Math.floorDiv(took.toMillis(), 100L) / 10.0 + "s"
                : Times.length(took.toSeconds());
    }

    /// What matters most about it.
    static String note(StepExecution step, Invocation run) {
        return switch (step.status()) {
            case FAILED, TIMED_OUT -> failure(step);
            case RETRYING -> {
                Instant at = step.retryAfterAt();
                yield at == null ? "" : "tried again " + run.times().relative(at);
            }
            case SUCCEEDED, SKIPPED -> "";
            case PENDING, RUNNING, AWAITING_APPROVAL, UNKNOWN -> "";
        };
    }

    private static String failure(StepExecution step) {
        String code = step.errorCode();
        String summary = step.errorSummary();
        return Screen.clean((code == null ? "" : code) + (summary == null ? "" : ": " + summary));
    }

    static PagedTable<JsonNode> steps(Invocation run) {
        return Shown.table(
                run,
                "STATUS=status",
                "STEP=step_id",
                "KIND=kind",
                "ATTEMPT=attempt_number",
                "STARTED=started_at",
                "ENDED=finished_at",
                "CLASS=error_class",
                "CODE=error_code",
                "ID=step_execution_id");
    }

    /// What it waits for, in words, with the command that ends the waiting.
    static List<String> blocked(Execution execution, Invocation run) {
        var lines = new ArrayList<String>();
        for (Execution.Blocked each : execution.blockedOn()) {
            String step = each.stepId() == null ? "" : Screen.clean(each.stepId());
            lines.add(
                    switch (each.on()) {
                        case "approval" ->
                                "an approval of "
                                        + step
                                        + until(each.until(), run)
                                        + ": orchestrion orchestrations approve "
                                        + each.id();
                        case "retry_wait" ->
                                "the next attempt of " + step + until(each.until(), run);
                        case "timer" -> step + until(each.until(), run);
                        case "unclaimed_work" -> "a worker that claims " + step;
                        case "leased_work" -> "who works on " + step;
                        case "compensation" -> "the compensation of " + step;
                        case "paused" ->
                                "a resume: orchestrion orchestrations resume " + execution.id();
                        default -> Screen.clean(each.on()) + " " + step;
                    });
        }
        return lines;
    }

    private static String until(@Nullable Instant until, Invocation run) {
        return until == null ? "" : ", " + run.times().relative(until);
    }
}
