package io.orchestrion.kernel.identity;

import java.util.UUID;

/// What a look-up of a secret found. Only a door whose contract tells these apart shows the
/// difference.
public sealed interface KeyFound {
    record Live(Principal principal) implements KeyFound {}

    /// It never was a key, or its row was removed long ago.
    record Unknown() implements KeyFound {}

    record Expired(UUID account) implements KeyFound {}

    record Revoked(UUID account) implements KeyFound {}
}
