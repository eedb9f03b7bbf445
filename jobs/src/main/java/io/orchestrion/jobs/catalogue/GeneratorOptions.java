package io.orchestrion.jobs.catalogue;

import java.time.Duration;

/// What the choice of work depends on besides the seed.
///
/// @param maxRuntime how long a job may run
/// @param failureProbability the share of failing kinds among those chosen at random
public record GeneratorOptions(Duration maxRuntime, double failureProbability) {
    public static final GeneratorOptions DEFAULT =
            new GeneratorOptions(Duration.ofMillis(120_000), 0.2);

    public GeneratorOptions {
        if (maxRuntime.isNegative() || maxRuntime.isZero()) {
            throw new IllegalArgumentException("maxRuntime " + maxRuntime + ": more than nothing");
        }
        if (!(failureProbability >= 0 && failureProbability <= 1)) {
            throw new IllegalArgumentException(
                    "failureProbability " + failureProbability + ": from 0 to 1");
        }
    }
}
