package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.kernel.schema.JsonSchemas;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// What the engine is given by whoever starts it.
///
/// @param egress makes the calls of steps
/// @param callPlaces how many calls of steps this node makes at once
/// @param callPlacesPerAccount how many of them one account may have
/// @param dependencyFactor how many times as long as usual a failed dependency is left alone
/// @param kept how long ended executions are kept; null for ever. With an execution its key goes,
///     so that the same key makes another one
public record OrchestrationsOptions(
        Egress egress,
        JsonSchemas schemas,
        RandomGenerator random,
        int callPlaces,
        int callPlacesPerAccount,
        int dependencyFactor,
        @Nullable Duration kept) {

    /// The same with the usual factor, and with executions kept for ever.
    public OrchestrationsOptions(
            Egress egress,
            JsonSchemas schemas,
            RandomGenerator random,
            int callPlaces,
            int callPlacesPerAccount) {
        this(
                egress,
                schemas,
                random,
                callPlaces,
                callPlacesPerAccount,
                RetryPolicy.DEPENDENCY_FACTOR,
                null);
    }
}
