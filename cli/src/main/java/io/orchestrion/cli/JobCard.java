package io.orchestrion.cli;

import io.orchestrion.sdk.QueueJob;

import org.jspecify.annotations.Nullable;

/// One job of the queue, with a line for each of its fields.
final class JobCard {
    private JobCard() {}

    static String of(QueueJob job, Invocation run) {
        var card = new Card("Job " + job.id(), run);
        String asked = job.cancelRequested() && !job.status().ended() ? ", to be cancelled" : "";
        card.row("status", run.screen().status(job.status(), job.status().word()) + asked);
        card.row("type", Screen.clean(job.type()));
        card.row("priority", String.valueOf(job.priority()));
        card.row("attempts", job.attempt() + " of " + job.maxAttempts());
        card.time("due", job.nextAttemptAt());
        card.text("worker", job.workerId());
        card.time("lease ends", job.leaseExpiresAt());
        card.time("created", job.createdAt());
        card.time("started", job.startedAt());
        card.time("finished", job.finishedAt());
        card.text("error", job.errorMessage());
        card.json("payload", job.payloadJson());
        card.text("result", job.resultSummary());
        String next = next(job);
        if (next != null) {
            card.row("next", next);
        }
        return card.toString();
    }

    private static @Nullable String next(QueueJob job) {
        return switch (job.status()) {
            case QUEUED -> "orchestrion worker --types " + Screen.clean(job.type()) + " -- COMMAND";
            case RUNNING -> "orchestrion queue events " + job.id() + " --follow";
            case DEAD_LETTER -> "orchestrion queue requeue " + job.id();
            case FAILED -> "orchestrion queue events " + job.id();
            case SUCCEEDED, CANCELLED, UNKNOWN -> null;
        };
    }
}
