package io.orchestrion.server.runs;

import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.server.runs.tuning.RunTuning;

import org.jspecify.annotations.Nullable;

/// What is set of the runs door.
///
/// @param tuning of the engine
/// @param llm the model that plans runs which ask for it; null for none
/// @param onCall who is told of tickets; null for nobody
/// @param fault why the door does nothing; null when nothing is wrong
public record RunSettings(
        RunTuning tuning,
        @Nullable LlmOptions llm,
        @Nullable OnCallOptions onCall,
        @Nullable String fault) {
    public static final RunSettings DEFAULT = new RunSettings(RunTuning.USUAL, null, null, null);

    /// When the heartbeat or the running time of a run should have ended it.
    public AskedHandlers.StuckAfter stuckAfter() {
        return new AskedHandlers.StuckAfter(
                tuning.heart().limit().toMillis(), tuning.usual().timeouts().runningMs());
    }

    RunSettings broken(String why) {
        return new RunSettings(tuning, null, null, why);
    }
}
