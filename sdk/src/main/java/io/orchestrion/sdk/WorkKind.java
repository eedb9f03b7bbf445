package io.orchestrion.sdk;

/// A kind of simulated work; from [Jobs#catalogue].
///
/// @param shouldFail whether its first attempt fails
/// @param payloadBytes how much output it makes
/// @param expected how such a job ends: a state, or `REJECTED` if the submit is refused
/// @param needs what the submitter has to do to see that, such as `CANCEL` or `SCHEDULE`
public record WorkKind(
        String name,
        long durationMillis,
        boolean shouldFail,
        long payloadBytes,
        String expected,
        String needs) {}
