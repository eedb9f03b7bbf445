package io.orchestrion.orchestrations.model;

import io.orchestrion.orchestrations.model.Flow.Step;

import org.jspecify.annotations.Nullable;

/// One attempt as the model knows it, with what has to happen before it ends.
final class Attempt implements Cloneable {
    final Step step;
    final String kind;
    final int number;
    final int budgetFrom;
    final int epoch;
    String status = "pending";
    @Nullable Long retryAt;

    long startedAt = -1;
    long finishedAt = -1;

    /// When the time of the whole step is over; -1 before anybody has begun it.
    long deadline = -1;

    /// Whether the deadline was known when it was handed out: it ends then, begun or not.
    boolean bounded;

    @Nullable String errorClass;
    @Nullable Integer retryAfter;

    /// Whether what follows from its end is done.
    boolean applied;

    /// `worker`, `call`, `timer` or, where nobody has to do anything, `none`.
    String awaits = "none";

    boolean held;
    long leaseUntil = -1;
    long attemptEnd = -1;
    long timerAt = -1;
    boolean tooLong;

    /// What its worker ended it with; null where it did not.
    @Nullable String said;

    boolean guardSaysDone;
    @Nullable String next;

    Attempt(Step step, String kind, int number, int budgetFrom, int epoch) {
        this.step = step;
        this.kind = kind;
        this.number = number;
        this.budgetFrom = budgetFrom;
        this.epoch = epoch;
    }

    Attempt copy() {
        try {
            return (Attempt) clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    String name() {
        return step.id() + " " + kind + "#" + number;
    }

    boolean ahead() {
        return status.equals("pending") || status.equals("retrying");
    }

    boolean running() {
        return status.equals("running");
    }

    boolean over() {
        return !ahead() && !running() && !status.equals("awaiting_approval");
    }

    int used() {
        return number - budgetFrom + 1;
    }

    /// Whose handler it is: a type of worker, or `http`.
    String handler() {
        return switch (kind) {
            case "guard" -> String.valueOf(step.guard());
            case "compensation" -> String.valueOf(step.undo());
            default -> step.type().equals("task") ? step.worker() : "http";
        };
    }

    boolean ready(long now) {
        return ahead() && !held && (retryAt == null || retryAt <= now);
    }

    /// Nobody has begun it, and the time of the step is over.
    boolean overdue(long now) {
        return ahead() && bounded && deadline <= now;
    }

    void begin(long now) {
        status = "running";
        startedAt = now;
        if (deadline < 0) {
            deadline = now + step.timeoutMs();
        }
    }

    /// Its time is over, or its holder's.
    boolean lapsed(long now) {
        return switch (awaits) {
            case "timer" -> timerAt <= now;
            case "worker", "call" ->
                    (bounded && deadline <= now) || (running() && leaseUntil <= now);
            default -> false;
        };
    }

    String text(long now) {
        var out = new StringBuilder(name()).append(' ').append(status);
        if (errorClass != null) {
            out.append(' ').append(errorClass);
        }
        out.append(" epoch=").append(epoch);
        if (retryAt != null) {
            out.append(" retry=").append(retryAt);
        }
        out.append(" began=").append(startedAt).append(" ended=").append(finishedAt);
        if (!over()) {
            out.append(' ').append(open(now));
        }
        return out.toString();
    }

    private String open(long now) {
        if (awaits.equals("timer")) {
            return "timer at " + timerAt;
        }
        if (running()) {
            return "held until " + leaseUntil;
        }
        return held ? "held back" : ready(now) ? "ready" : "waiting";
    }
}
