package io.orchestrion.sdk;

/// A row of the catalogue of simulated work.
///
/// @param shouldFail whether its first attempt fails
/// @param payloadBytes how much output it makes
/// @param expected how a job of it ends: a state, or `REJECTED` for one that is turned away
/// @param needs what its submitter has to do for that to be seen, such as `CANCEL` or `SCHEDULE`
public record WorkKind(
        String name,
        long durationMillis,
        boolean shouldFail,
        long payloadBytes,
        String expected,
        String needs) {}
