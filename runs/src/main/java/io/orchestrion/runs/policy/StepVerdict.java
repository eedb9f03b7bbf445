package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

/// What follows from a failed attempt of a step.
public sealed interface StepVerdict {
    /// Another attempt, not before that time.
    record Retry(long atMs, long delayMs) implements StepVerdict {}

    /// Another attempt when people have said so, not before that time.
    record Escalate(EscalationTrigger trigger, long atMs, long delayMs) implements StepVerdict {}

    /// The step has failed for good: its task decides what follows.
    record Stop(StopReason reason) implements StepVerdict {}

    long MILLIS_PER_SECOND = 1_000;

    /// In this order: the run is over; the error is not one to retry; attempts; credits; people are
    /// asked; time. Pure: the same failure, settings and draw always give the same verdict.
    ///
    /// @param draw from 0 to less than 1, drawn at random
    static StepVerdict of(StepFailure failed, PolicySettings settings, double draw) {
        switch (failed.clock()) {
            case CANCELLED -> {
                return new Stop(StopReason.CANCELLED);
            }
            case TIMED_OUT -> {
                return new Stop(StopReason.TIMEOUT);
            }
            case OPEN -> {}
        }
        if (!failed.failure().retryable()) {
            return new Stop(StopReason.NON_RETRYABLE);
        }
        if (failed.attempts() >= failed.maxAttempts()) {
            return new Stop(StopReason.MAX_ATTEMPTS);
        }
        if (failed.creditsLeft().compareTo(failed.nextCost()) < 0) {
            return new Stop(StopReason.INSUFFICIENT_CREDITS);
        }
        Integer seconds = failed.failure().retryAfterSeconds();
        long asked = seconds == null ? 0 : seconds * MILLIS_PER_SECOND;
        long delay = Math.max(Backoff.delayMs(failed.attempts(), settings, draw), asked);
        long at = Math.max(failed.nowMs(), failed.failedMs() + delay);
        // What is asked for counts as it is: only the wait has a bound, so people decide on more.
        long due = Math.max(Backoff.uncappedMs(failed.attempts(), settings), asked);
        EscalationTrigger trigger =
                due > settings.maxDelayMs()
                        ? EscalationTrigger.BACKOFF_EXCEEDED
                        : failed.window().trigger(settings);
        return trigger == null ? new Retry(at, delay) : new Escalate(trigger, at, delay);
    }

    default String json() {
        return JsonWriter.objectText(
                out -> {
                    switch (this) {
                        case Retry(long at, long delay) ->
                                out.text("verdict", "retry")
                                        .instant("retry_after_at", at)
                                        .integer("delay_ms", delay);
                        case Escalate(var trigger, long at, long delay) ->
                                out.text("verdict", "escalate")
                                        .text("trigger", trigger.word())
                                        .instant("retry_after_at", at)
                                        .integer("delay_ms", delay);
                        case Stop(var reason) ->
                                out.text("verdict", "stop").text("reason", reason.word());
                    }
                });
    }
}
