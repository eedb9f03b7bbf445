package io.orchestrion.server.door;

import java.util.UUID;

/// The account of a key that was refused, for the log alone. It grants nothing, and no answer shows
/// it.
public record KeyOwner(UUID accountId) {}
