package io.orchestrion.cli;

import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.NextAction;
import io.orchestrion.sdk.Task;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// One task, a line for each thing known about it.
final class TaskCard {
    private static final int KEY_WIDTH = 11;
    private static final int ONE_LINE_MAX = 70;

    private final Screen screen;
    private final Times times;
    private final List<String> lines = new ArrayList<>();

    private TaskCard(Screen screen, Times times) {
        this.screen = screen;
        this.times = times;
    }

    static String of(ClaimedTask claimed, Invocation invocation) {
        return of(claimed.task(), claimed.leaseToken().toString(), invocation);
    }

    static String of(Task task, Invocation invocation) {
        return of(task, null, invocation);
    }

    private static String of(Task task, @Nullable String leaseToken, Invocation invocation) {
        var card = new TaskCard(invocation.screen(), invocation.times());
        card.write(task, leaseToken);
        return String.join("\n", card.lines);
    }

    private void write(Task task, @Nullable String leaseToken) {
        lines.add(screen.strong("Task " + task.id()));
        row("status", screen.status(task.status(), task.status().word()));
        row("type", Screen.clean(task.type()));
        row("priority", String.valueOf(task.priority()));
        row("attempts", task.attemptCount() + " of " + task.maxAttempts());
        time("scheduled", task.scheduledAt());
        lease(task, leaseToken);
        time("created", task.createdAt());
        time("completed", task.completedAt());
        time("failed", task.lastFailedAt());
        text("reason", task.lastFailureReason());
        json("payload", task.payloadJson());
        json("result", task.resultJson());
        text("output", task.outputId());
        task.contract()
                .recommended()
                .ifPresent(action -> row("next", next(action, task, leaseToken)));
    }

    private static String next(NextAction action, Task task, @Nullable String leaseToken) {
        boolean claim = action.action().equals("claim_task");
        String general = Advice.of(action);
        String advice = claim ? general.replace("TYPE", Screen.clean(task.type())) : general;
        return leaseToken == null ? advice : advice + " --token " + leaseToken;
    }

    private void lease(Task task, @Nullable String leaseToken) {
        text("worker", task.claimedBy());
        time("claimed", task.claimedAt());
        Instant until = task.leaseExpiresAt();
        if (until != null) {
            // How long is the server's to say; the clocks may differ.
            Long left = task.contract().leaseExpiresInSeconds();
            row(
                    "lease",
                    left == null
                            ? times.full(until)
                            : left == 0 ? "has run out" : "ends in " + Times.length(left));
        }
        text("token", leaseToken);
        time("heartbeat", task.lastHeartbeatAt());
    }

    private void row(String key, String value) {
        lines.add("  " + screen.faint(Screen.padded(key, KEY_WIDTH)) + value);
    }

    private void text(String key, @Nullable String value) {
        if (value != null) {
            row(key, Screen.clean(value));
        }
    }

    private void time(String key, @Nullable Instant at) {
        if (at != null) {
            row(key, times.full(at));
        }
    }

    private void json(String key, JsonNode node) {
        if (node.isMissingNode()) {
            return;
        }
        String compact = Screen.clean(node.toString());
        if (compact.length() <= ONE_LINE_MAX) {
            row(key, compact);
            return;
        }
        String indent = "\n" + " ".repeat(KEY_WIDTH + 2);
        row(
                key,
                node.toPrettyString()
                        .lines()
                        .map(Screen::clean)
                        .collect(Collectors.joining(indent)));
    }
}
