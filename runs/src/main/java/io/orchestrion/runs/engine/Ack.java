package io.orchestrion.runs.engine;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.runs.run.Run;

import java.math.BigDecimal;
import java.util.List;

/// The answer to what somebody asked of a run.
public sealed interface Ack {
    /// @param run as it is now
    /// @param changed whether this call changed it
    record Done(Run run, boolean changed) implements Ack {}

    /// There is no such run, agent, task, ticket or approval, or it is gone.
    record NotFound() implements Ack {}

    /// The run, or its part, is where this cannot be done.
    ///
    /// @param retryable whether it is there for a moment only
    record WrongStatus(Run run, String status, boolean retryable) implements Ack {}

    /// All attempts of the run are used up.
    record MaxAttempts(Run run) implements Ack {}

    record InsufficientCredits(Run run, BigDecimal needed, BigDecimal available) implements Ack {}

    /// @param findings all that is wrong with the plan that was handed in
    record BadPlan(List<Finding> findings) implements Ack {
        public BadPlan {
            findings = List.copyOf(findings);
        }
    }

    /// The plan calls a tool that the run's policy blocks.
    record BlockedTool(String tool) implements Ack {}

    static Ack wrong(Run run) {
        return new WrongStatus(run, run.status().word(), false);
    }
}
