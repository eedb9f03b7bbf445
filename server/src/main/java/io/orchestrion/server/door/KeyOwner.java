package io.orchestrion.server.door;

import java.util.UUID;

/// Whose key it is that was refused, for the log alone: nobody is let in by it, and no answer tells
/// it.
public record KeyOwner(UUID accountId) {}
