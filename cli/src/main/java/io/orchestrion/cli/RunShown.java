package io.orchestrion.cli;

import io.orchestrion.sdk.Run;
import io.orchestrion.sdk.RunNode;
import io.orchestrion.sdk.RunTree;
import io.orchestrion.sdk.RunWaitsFor;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Runs and their parts in words.
final class RunShown {
    private static final int NAME_MAX = 48;
    private static final int NOTE_MAX = 70;

    private RunShown() {}

    /// One line about a run after an order to it.
    static String line(Run run, Invocation of) {
        return "Run "
                + Screen.clean(run.id())
                + " is "
                + of.screen().ending(run.status().word(), run.status().word())
                + "."
                + waits(run.waitsFor(), run.id(), of);
    }

    private static String waits(@Nullable RunWaitsFor on, String run, Invocation of) {
        String words = waitsFor(on, run, of);
        return words.isEmpty() ? "" : "\n  waits for " + words;
    }

    static String card(Run run, Invocation of) {
        var card = new Card("Run " + Screen.clean(run.id()), of, 12);
        card.text("name", run.name());
        card.text("task", Screen.shortened(run.task(), 200));
        card.row("status", of.screen().ending(run.status().word(), status(run)));
        String waits = waitsFor(run.waitsFor(), run.id(), of);
        if (!waits.isEmpty()) {
            card.row("waits for", waits);
        }
        card.row("attempt", run.attemptNumber() + " of " + number(run, "max_attempts"));
        card.row(
                "parts",
                number(run, "agent_count")
                        + " agents, "
                        + number(run, "task_count")
                        + " tasks, "
                        + number(run, "step_count")
                        + " steps, "
                        + number(run, "steps_in_flight")
                        + " under way");
        card.row("planner", Screen.clean(run.json().path("planner_mode").asString("")));
        card.row("credits", credits(run) + ", given back " + plain(run.creditsRefunded()));
        card.text("error", run.lastError());
        card.text("error code", run.lastErrorCode());
        card.text("ticket", run.escalationId());
        card.time("created", run.createdAt());
        card.time("started", run.startedAt());
        card.time("completed", run.completedAt());
        card.json("context", run.context());
        return card.toString();
    }

    /// Its status, and where it is retried which attempt that is of.
    static String status(Run run) {
        return run.status().word()
                + (run.attemptNumber() > 1 ? ", attempt " + run.attemptNumber() : "");
    }

    private static String number(Run run, String field) {
        return run.json().path(field).toString();
    }

    static String credits(Run run) {
        return plain(run.creditsCharged()) + " of " + plain(run.creditsReserved()) + " credits";
    }

    static String plain(BigDecimal amount) {
        return amount.signum() == 0 ? "0" : amount.stripTrailingZeros().toPlainString();
    }

    /// The first line above a tree.
    static String head(Run run, long tokens) {
        return Screen.shortened(Screen.clean(run.name()), NAME_MAX)
                + "  "
                + status(run)
                + "  "
                + tokens
                + " tokens  "
                + credits(run);
    }

    /// Of agents alone, as each has all that belongs to it.
    static long tokens(List<RunNode> nodes) {
        return nodes.stream()
                .filter(node -> node.level().equals("agent"))
                .mapToLong(RunNode::tokens)
                .sum();
    }

    static int depth(RunNode node) {
        return switch (node.level()) {
            case "agent" -> 0;
            case "task" -> 1;
            default -> 2;
        };
    }

    static String mark(RunNode node) {
        return switch (node.status()) {
            case "completed" -> "✓";
            case "failed" -> "✗";
            case "running" -> "●";
            case "pending", "paused" -> "○";
            default -> "-";
        };
    }

    static String name(RunNode node) {
        String tool = node.tool();
        String name = Screen.shortened(Screen.clean(node.name()), NAME_MAX);
        return tool == null || tool.equals(node.name())
                ? name
                : name + " (" + Screen.clean(tool) + ")";
    }

    /// What matters of a node beside its name: state, attempts, tokens, credits, time, trouble.
    static String facts(RunNode node, String run, Invocation of) {
        var facts = new StringBuilder(Screen.clean(node.status()));
        if (node.attempts() > 1) {
            facts.append(", attempt ").append(node.attempts());
        }
        if (node.tokens() > 0) {
            facts.append("  ").append(node.tokens()).append(" tokens");
        }
        if (node.creditsCharged().signum() > 0) {
            facts.append("  ").append(plain(node.creditsCharged())).append(" cr");
        }
        String took = took(node, of);
        if (!took.isEmpty()) {
            facts.append("  ").append(took);
        }
        String error = node.error();
        if (error != null) {
            facts.append("  ").append(Screen.shortened(Screen.clean(error), NOTE_MAX));
        }
        if (node.level().equals("step")) {
            String waits = waitsFor(node.waitsFor(), run, of);
            facts.append(waits.isEmpty() ? "" : "  waits for " + waits);
        }
        return facts.toString();
    }

    private static String took(RunNode node, Invocation of) {
        Instant from = node.startedAt();
        if (from == null) {
            return "";
        }
        Instant to = node.endedAt();
        Duration took =
                Duration.between(from, to == null ? of.surroundings().clock().instant() : to);
        long tenths = Math.max(0, took.toMillis() / 100);
        return tenths < 100 ? tenths / 10.0 + "s" : Times.length(tenths / 10);
    }

    /// A line of a tree.
    static String treeLine(RunNode node, String run, Invocation of) {
        return "  ".repeat(depth(node) + 1)
                + of.screen()
                        .ending(
                                node.status(),
                                mark(node) + " " + name(node) + "  " + facts(node, run, of));
    }

    static void print(RunTree tree, boolean first, Invocation of) {
        if (first) {
            Run run = tree.run();
            of.out()
                    .println(
                            of.screen().strong(Screen.clean(run.name()))
                                    + "  "
                                    + of.screen().ending(run.status().word(), status(run))
                                    + "  "
                                    + credits(run));
        }
        tree.nodes().forEach(node -> of.out().println(treeLine(node, tree.run().id(), of)));
    }

    /// What a run or a part of it waits for in words, with the command that ends the waiting;
    /// empty for nothing, and for what goes on by itself.
    static String waitsFor(@Nullable RunWaitsFor waits, String run, Invocation of) {
        if (waits == null) {
            return "";
        }
        String until = waits.until() == null ? "" : ", " + of.times().relative(waits.until());
        String id = waits.id() == null ? "ID" : Screen.clean(waits.id());
        String ofRun = Screen.clean(run);
        return switch (waits.on()) {
            case "start" -> "its start: orchestrion runs start " + ofRun;
            case "resume" -> "a resume: orchestrion runs resume " + ofRun + until;
            case "approval" -> "an approval: orchestrion runs approve " + id;
            case "escalation" ->
                    "people: orchestrion runs escalations resume " + id + " --note TEXT";
            case "worker", "plan" ->
                    waits.type() == null
                            ? "a plan"
                            : "a worker that claims " + Screen.clean(waits.type());
            case "retry" -> "its next attempt" + until;
            case "credits" -> "credits";
            case "dependencies" -> "what it depends on";
            case "parts", "report", "turn", "driver" -> "";
            default -> Screen.clean(waits.on()) + until;
        };
    }

    static String part(String what, JsonNode part, Invocation of) {
        return Shown.card(
                what + " " + Screen.clean(part.path("id").asString("")),
                OrchestrationCommands.without(part, "agent_contract", "attempts_next_cursor"),
                of);
    }
}
