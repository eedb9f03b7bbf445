package io.orchestrion.cli;

import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.NextAction;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskReport;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// One task, with a line for each of its fields.
final class TaskCard {
    private final Card card;
    private final Times times;

    private TaskCard(Card card, Times times) {
        this.card = card;
        this.times = times;
    }

    static String of(ClaimedTask claimed, Invocation invocation) {
        return of(claimed.task(), claimed.leaseToken().toString(), invocation);
    }

    static String of(Task task, Invocation invocation) {
        return of(task, null, invocation);
    }

    private static String of(Task task, @Nullable String leaseToken, Invocation invocation) {
        var card = new Card("Task " + task.id(), invocation);
        String status = invocation.screen().status(task.status(), task.status().word());
        new TaskCard(card, invocation.times()).write(task, status, leaseToken);
        return card.toString();
    }

    private void write(Task task, String status, @Nullable String leaseToken) {
        card.row("status", status);
        card.row("type", Screen.clean(task.type()));
        card.row("priority", String.valueOf(task.priority()));
        card.row("attempts", task.attemptCount() + " of " + task.maxAttempts());
        card.time("scheduled", task.scheduledAt());
        lease(task, leaseToken);
        card.time("created", task.createdAt());
        card.time("completed", task.completedAt());
        card.time("failed", task.lastFailedAt());
        card.text("reason", task.lastFailureReason());
        report(task.reported());
        card.text("correlation", task.correlationId());
        card.time("given up", task.giveUpAt());
        card.json("payload", task.payloadJson());
        card.json("result", task.resultJson());
        card.text("output", task.outputId());
        task.contract()
                .recommended()
                .ifPresent(action -> card.row("next", next(action, task, leaseToken)));
    }

    private void report(TaskReport reported) {
        TaskReport.ReportedError error = reported.error();
        if (error != null) {
            card.text(
                    "error",
                    error.httpStatus() == null
                            ? error.code()
                            : error.code() + " (" + error.httpStatus() + ")");
        }
        card.text("usage", reported.usage());
        card.text("logs", reported.logsRef());
    }

    private static String next(NextAction action, Task task, @Nullable String leaseToken) {
        boolean claim = action.action().equals("claim_task");
        String general = Advice.of(action);
        String advice = claim ? general.replace("TYPE", Screen.clean(task.type())) : general;
        return leaseToken == null ? advice : advice + " --token " + leaseToken;
    }

    private void lease(Task task, @Nullable String leaseToken) {
        card.text("worker", task.claimedBy());
        card.time("claimed", task.claimedAt());
        Instant until = task.leaseExpiresAt();
        if (until != null) {
            // How long is the server's to say; the clocks may differ.
            Long left = task.contract().leaseExpiresInSeconds();
            card.row(
                    "lease",
                    left == null
                            ? times.full(until)
                            : left == 0 ? "has run out" : "ends in " + Times.length(left));
        }
        card.text("token", leaseToken);
        card.time("heartbeat", task.lastHeartbeatAt());
    }
}
