package io.orchestrion.orchestrations.execution;

import java.util.random.RandomGenerator;

/// What the delays before further attempts rest on beside the policies of definitions.
///
/// @param random for delays with jitter
/// @param dependencyFactor how many times as long as usual a failed dependency is left alone
record Delays(RandomGenerator random, int dependencyFactor) {}
