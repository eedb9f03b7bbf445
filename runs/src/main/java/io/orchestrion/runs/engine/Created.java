package io.orchestrion.runs.engine;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.runs.run.Run;

import java.math.BigDecimal;
import java.util.List;

/// What became of a run that somebody asked for.
public sealed interface Created {
    record Made(Run run) implements Created {}

    /// There is no run: the account could not pay for it.
    record InsufficientCredits(BigDecimal needed, BigDecimal available) implements Created {}

    /// @param findings all that is wrong with the plan
    record BadPlan(List<Finding> findings) implements Created {
        public BadPlan {
            findings = List.copyOf(findings);
        }
    }

    /// The plan calls a tool that the run's policy blocks.
    record BlockedTool(String tool) implements Created {}
}
