package io.orchestrion.server.runs;

import io.orchestrion.runs.credit.InitialGrants;

import org.jspecify.annotations.Nullable;

/// What is set of the runs door.
///
/// @param grants the credits that accounts get without being asked
/// @param fault why the door does nothing; null when nothing is wrong
public record RunSettings(InitialGrants grants, @Nullable String fault) {
    public static final RunSettings DEFAULT = new RunSettings(InitialGrants.DEFAULT, null);

    /// As the contract has it.
    public AskedHandlers.StuckAfter stuckAfter() {
        return new AskedHandlers.StuckAfter(60_000, 24 * 3_600_000L);
    }

    RunSettings broken(String why) {
        return new RunSettings(grants, why);
    }
}
