package io.orchestrion.runs.run;

import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One change of status of a run.
///
/// @param number 1 for its creation, and then the next one
/// @param from null for its creation
/// @param actor in the words of [Requester]
public record Transition(
        UUID run,
        int number,
        int attempt,
        @Nullable RunStatus from,
        RunStatus to,
        String actor,
        @Nullable String reason,
        long atMs) {}
