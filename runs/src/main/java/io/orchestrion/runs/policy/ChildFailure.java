package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.runs.plan.FailureMode;

import org.jspecify.annotations.Nullable;

/// Everything that a parent decides by when a child of it has failed for good: a task about a step,
/// an agent about a task, a run about an agent.
///
/// @param mode of the parent
/// @param failure that ended the child
/// @param reason why the child is not tried again
/// @param again another attempt of the parent
/// @param plan the current plan, where the parent is the run; else null
public record ChildFailure(
        FailureMode mode,
        Failure failure,
        StopReason reason,
        Another again,
        @Nullable PlanFacts plan,
        long nowMs) {
    /// What ends the run whatever the mode is; null when nothing does.
    @Nullable StopReason endsRun() {
        return switch (again.clock()) {
            case CANCELLED -> StopReason.CANCELLED;
            case TIMED_OUT -> StopReason.TIMEOUT;
            case OPEN ->
                    reason == StopReason.INSUFFICIENT_CREDITS
                            ? StopReason.INSUFFICIENT_CREDITS
                            : null;
        };
    }

    public String json(PolicySettings settings) {
        return JsonWriter.objectText(
                out -> {
                    out.text("failure_mode", mode.word())
                            .object("error", failure::write)
                            .text("reason", reason.word());
                    again.write(out);
                    if (plan != null) {
                        out.object("plan", plan::write);
                    }
                    out.instant("now", nowMs).object("thresholds", settings::write);
                });
    }
}
