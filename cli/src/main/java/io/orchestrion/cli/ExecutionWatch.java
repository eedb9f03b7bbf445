package io.orchestrion.cli;

import io.orchestrion.sdk.Execution;
import io.orchestrion.sdk.ExecutionStatus;
import io.orchestrion.sdk.Orchestrations;
import io.orchestrion.sdk.Page;
import io.orchestrion.sdk.StepExecution;
import io.orchestrion.sdk.StepStatus;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Follows one execution. At a terminal the steps are drawn in place, and drawn again with every
/// look; elsewhere each change is a line.
final class ExecutionWatch {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    /// A drawing that is higher than the terminal could not be drawn over.
    private static final int STEPS_DRAWN = 16;

    private static final int NARROW = 80;

    private final Invocation run;
    private final Orchestrations orchestrations;
    private final UUID id;
    private final boolean live;

    /// By step id and kind, in the order of the definition.
    private final Map<String, StepExecution> newest = new LinkedHashMap<>();

    private final List<String> stepIds = new ArrayList<>();
    private final Map<UUID, StepStatus> told = new HashMap<>();
    private String toldOfAll = "";
    private int drawn;

    ExecutionWatch(Invocation run, UUID id) {
        this.run = run;
        this.id = id;
        orchestrations = OrchestrationCommands.of(run);
        live = run.screen().colour() && !run.json();
    }

    /// @return how it stood at the last look
    ExecutionStatus follow(Duration within) {
        if (live) {
            for (JsonNode node : orchestrations.graph(id).path("nodes").values()) {
                stepIds.add(node.path("id").asString(""));
            }
        }
        var last = new ExecutionStatus[] {ExecutionStatus.UNKNOWN};
        orchestrations.await(
                id,
                within,
                execution -> {
                    last[0] = execution.status();
                    seen(execution);
                    run.out().flush();
                });
        return last[0];
    }

    private void seen(Execution execution) {
        if (run.json()) {
            String answer = String.valueOf(run.lastAnswer().get());
            if (!answer.equals(toldOfAll)) {
                toldOfAll = answer;
                run.out().println(answer);
            }
            return;
        }
        List<StepExecution> steps = allSteps(execution);
        if (live) {
            steps.forEach(step -> newest.put(step.stepId() + " " + step.kind(), step));
            draw(execution);
        } else {
            steps.forEach(this::tell);
            tell(execution);
        }
    }

    /// The further pages of a long history too.
    private List<StepExecution> allSteps(Execution execution) {
        var all = new ArrayList<>(execution.steps());
        String cursor = execution.json().path("steps_next_cursor").stringValue(null);
        while (cursor != null) {
            Page<StepExecution> page = orchestrations.steps(id, null, null, null, cursor);
            all.addAll(page.items());
            cursor = page.nextCursor();
        }
        return all;
    }

    private void tell(StepExecution step) {
        if (told.put(step.id(), step.status()) == step.status()) {
            return;
        }
        String note = ExecutionShown.note(step, run);
        print(
                ExecutionShown.name(step)
                        + "  "
                        + run.screen().ending(step.status().word(), step.status().word())
                        + (step.attemptNumber() > 1 ? ", attempt " + step.attemptNumber() : "")
                        + (note.isEmpty() ? "" : "  " + note));
    }

    private void tell(Execution execution) {
        String all = execution.status().word();
        List<String> blocked =
                execution.status() == ExecutionStatus.WAITING_APPROVAL
                                || execution.status() == ExecutionStatus.PAUSED
                        ? ExecutionShown.blocked(execution, run)
                        : List.of();
        if (all.equals(toldOfAll)) {
            return;
        }
        toldOfAll = all;
        print("execution  " + run.screen().ending(all, all) + error(execution));
        blocked.forEach(each -> print("  waits for " + each));
    }

    private static String error(Execution execution) {
        return execution.error().isObject()
                ? ": "
                        + Screen.clean(
                                execution.error().path("code").asString("")
                                        + ", "
                                        + execution.error().path("summary").asString(""))
                : "";
    }

    private void print(String text) {
        Instant now = run.surroundings().clock().instant();
        String time = CLOCK.format(now.atZone(run.surroundings().zone()));
        run.out().println(run.screen().faint(time) + "  " + text);
    }

    private void draw(Execution execution) {
        var frame = new StringBuilder();
        if (drawn > 0) {
            // Up to the first line of the last drawing, and away with all of it.
            frame.append("\u001b[").append(drawn).append("A\r\u001b[J");
        }
        List<String> lines = lines(execution);
        lines.forEach(line -> frame.append(line).append("\n"));
        drawn = lines.size();
        run.out().print(frame);
    }

    private List<String> lines(Execution execution) {
        Screen screen = run.screen();
        var rows = new ArrayList<Row>();
        for (String stepId : stepIds) {
            int before = rows.size();
            newest.forEach(
                    (_, step) -> {
                        if (step.stepId().equals(stepId)) {
                            rows.add(Row.of(step, run));
                        }
                    });
            if (rows.size() == before) {
                rows.add(Row.notBegun(stepId, execution.status().ended()));
            }
        }
        var lines = new ArrayList<String>();
        String head = execution.status().word() + error(execution);
        lines.add(
                screen.strong("Execution " + id)
                        + "  "
                        + screen.ending(execution.status().word(), shortened(head, 50)));
        int width = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
        int from = Math.max(0, Math.min(rows.size() - STEPS_DRAWN, lastBegun(rows) - 8));
        int to = Math.min(rows.size(), from + STEPS_DRAWN);
        if (from > 0) {
            lines.add(screen.faint("  … " + from + " before"));
        }
        for (Row row : rows.subList(from, to)) {
            String text = shortened(Screen.padded(row.name(), width) + "  " + row.text(), 4);
            lines.add("  " + screen.ending(row.status(), row.mark() + " " + text));
        }
        if (to < rows.size()) {
            lines.add(screen.faint("  … " + (rows.size() - to) + " after"));
        }
        for (String blocked : ExecutionShown.blocked(execution, run)) {
            lines.add(shortened("  waits for " + blocked, 0));
        }
        return lines;
    }

    private static int lastBegun(List<Row> rows) {
        int last = 0;
        for (int i = 0; i < rows.size(); i++) {
            last = rows.get(i).status().isEmpty() ? last : i;
        }
        return last;
    }

    /// A line that the terminal breaks would count as two.
    private String shortened(String text, int taken) {
        String columns = run.surroundings().variable("COLUMNS", "");
        int width = columns.matches("[0-9]{2,4}") ? Integer.parseInt(columns) : NARROW;
        return Screen.shortened(text, Math.max(20, width - 1 - taken));
    }

    /// One line of the drawing.
    ///
    /// @param status empty for a step that nobody has begun
    private record Row(String mark, String name, String status, String text) {
        static Row notBegun(String stepId, boolean over) {
            return new Row(over ? "-" : "·", Screen.clean(stepId), "", over ? "not taken" : "");
        }

        static Row of(StepExecution step, Invocation run) {
            String mark =
                    switch (step.status()) {
                        case SUCCEEDED -> "✓";
                        case FAILED, TIMED_OUT -> "✗";
                        case RUNNING -> "●";
                        case PENDING, RETRYING, AWAITING_APPROVAL -> "○";
                        case SKIPPED, UNKNOWN -> "-";
                    };
            String attempt = step.attemptNumber() > 1 ? ", attempt " + step.attemptNumber() : "";
            String took = ExecutionShown.took(step, run);
            String note = ExecutionShown.note(step, run);
            return new Row(
                    mark,
                    ExecutionShown.name(step),
                    step.status().word(),
                    step.status().word()
                            + attempt
                            + (took.isEmpty() ? "" : "  " + took)
                            + (note.isEmpty() ? "" : "  " + note));
        }
    }
}
