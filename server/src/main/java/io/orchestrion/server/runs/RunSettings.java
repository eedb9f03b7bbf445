package io.orchestrion.server.runs;

import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.runs.llm.LlmOptions;

import org.jspecify.annotations.Nullable;

/// What is set of the runs door.
///
/// @param grants the credits that accounts get without being asked
/// @param llm the model that plans runs which ask for it; null for none
/// @param onCall who is told of tickets; null for nobody
/// @param fault why the door does nothing; null when nothing is wrong
public record RunSettings(
        InitialGrants grants,
        @Nullable LlmOptions llm,
        @Nullable OnCallOptions onCall,
        @Nullable String fault) {
    public static final RunSettings DEFAULT =
            new RunSettings(InitialGrants.DEFAULT, null, null, null);

    /// As the contract has it.
    public AskedHandlers.StuckAfter stuckAfter() {
        return new AskedHandlers.StuckAfter(60_000, 24 * 3_600_000L);
    }

    /// How much one step may write.
    public long stepOutputBytes() {
        return 1024 * 1024;
    }

    RunSettings broken(String why) {
        return new RunSettings(grants, null, null, why);
    }
}
