package io.orchestrion.kernel.limit;

import java.time.Duration;
import java.util.UUID;

/// One counter: whose, what it counts, and the length of its slots. Sixty slots are the window.
///
/// @param accountId nil where it belongs to no account
/// @param slot a minute makes it an hour, a second a minute
public record Window(UUID accountId, String subject, String name, Duration slot) {
    /// For callers who are known by their address only.
    public static final UUID NOBODY = new UUID(0, 0);
}
