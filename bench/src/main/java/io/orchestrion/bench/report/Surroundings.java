package io.orchestrion.bench.report;

import java.time.Instant;

/// On what it was measured.
///
/// @param durable how the database was told to treat commits
public record Surroundings(
        String version,
        String java,
        String system,
        int processors,
        long memoryMegabytes,
        String postgres,
        String durable,
        Instant at) {}
