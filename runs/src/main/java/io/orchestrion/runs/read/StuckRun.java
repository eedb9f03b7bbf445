package io.orchestrion.runs.read;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.UUID;

/// A run that runs for too long, or that nobody drives.
///
/// @param activeMs how long its attempt has been running, pauses left out
/// @param silent whether its heartbeat is missing
public record StuckRun(
        UUID account,
        UUID id,
        int attempt,
        long activeMs,
        @Nullable Long heartbeatMs,
        boolean silent,
        BigDecimal reserved,
        BigDecimal charged) {}
