package io.orchestrion.kernel.identity;

import java.util.UUID;

/// What a secret was found to be. Only a door whose contract tells these apart shows the
/// difference.
public sealed interface KeyFound {
    record Live(Principal principal) implements KeyFound {}

    /// It never was a key, or was one so long ago that nothing is left of it.
    record Unknown() implements KeyFound {}

    record Expired(UUID account) implements KeyFound {}

    record Revoked(UUID account) implements KeyFound {}
}
