package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.schema.JsonSchemas;

import java.util.random.RandomGenerator;

/// What the engine is given by whoever starts it.
///
/// @param egress makes the calls of steps
/// @param callPlaces how many calls of steps this node makes at once
/// @param callPlacesPerAccount how many of them one account may have
public record OrchestrationsOptions(
        Egress egress,
        JsonSchemas schemas,
        RandomGenerator random,
        int callPlaces,
        int callPlacesPerAccount) {}
