package io.orchestrion.sdk;

/// A row of the catalogue of simulated work.
///
/// @param shouldFail whether its first attempt fails
/// @param payloadBytes how much output it makes
/// @param expected in words how a job of it ends
public record WorkKind(
        String name,
        long durationMillis,
        boolean shouldFail,
        long payloadBytes,
        String expected) {}
