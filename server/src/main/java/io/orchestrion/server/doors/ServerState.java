package io.orchestrion.server.doors;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// How the server as a whole fares.
///
/// @param draining whether it has begun to stop
/// @param faults the words of `/ready` for what is wrong with doors, known once all are open
public record ServerState(BooleanSupplier draining, Supplier<List<String>> faults) {}
