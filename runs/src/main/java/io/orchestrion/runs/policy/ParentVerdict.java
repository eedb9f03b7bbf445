package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.plan.FailureMode;

/// What a parent does about a child that has failed for good.
public sealed interface ParentVerdict {
    /// The parent fails too, at once: its own parent decides, and a run is over.
    record Fail(StopReason reason) implements ParentVerdict {}

    /// The parent starts anew, not before that time.
    record Retry(long atMs, long delayMs) implements ParentVerdict {}

    /// The child is skipped and the rest goes on.
    record Skip() implements ParentVerdict {}

    /// The run gets another plan.
    record Replan(ReplanTrigger trigger) implements ParentVerdict {}

    /// In this order: what ends the whole run; fail-fast; another plan; the mode.
    ///
    /// @param draw from 0 to less than 1, drawn at random
    static ParentVerdict of(ChildFailure failed, PolicySettings settings, double draw) {
        if (failed.mode() != FailureMode.FAIL_FAST
                && failed.endsRun() == null
                && failed.plan() != null
                && ReplanVerdict.of(failed.plan(), settings)
                        instanceof ReplanVerdict.Replan(var trigger)) {
            return new Replan(trigger);
        }
        return byMode(failed, settings, draw);
    }

    /// The same without another plan: what a run does when one is wanted and there is no way to it.
    static ParentVerdict byMode(ChildFailure failed, PolicySettings settings, double draw) {
        StopReason over = failed.endsRun();
        if (over != null) {
            return new Fail(over);
        }
        return switch (failed.mode()) {
            case FAIL_FAST -> new Fail(failed.reason());
            case CONTINUE -> new Skip();
            case RETRY -> again(failed, settings, draw);
        };
    }

    private static ParentVerdict again(ChildFailure failed, PolicySettings settings, double draw) {
        Another again = failed.again();
        if (!failed.failure().retryable()) {
            return new Fail(failed.reason());
        }
        if (again.attempts() >= again.maxAttempts()) {
            return new Fail(StopReason.MAX_ATTEMPTS);
        }
        if (again.available().compareTo(again.cost()) < 0) {
            return new Fail(StopReason.INSUFFICIENT_CREDITS);
        }
        long delay = Backoff.delayMs(again.attempts(), settings, draw);
        return new Retry(failed.nowMs() + delay, delay);
    }

    default String json() {
        return JsonWriter.objectText(
                out -> {
                    switch (this) {
                        case Fail(var reason) ->
                                out.text("verdict", "fail").text("reason", reason.word());
                        case Retry(long at, long delay) ->
                                out.text("verdict", "retry")
                                        .instant("retry_after_at", at)
                                        .integer("delay_ms", delay);
                        case Skip() -> out.text("verdict", "skip");
                        case Replan(var trigger) ->
                                out.text("verdict", "replan").text("trigger", trigger.word());
                    }
                });
    }
}
