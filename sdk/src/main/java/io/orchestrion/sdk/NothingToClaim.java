package io.orchestrion.sdk;

import java.time.Duration;

/// The answer to a claim when no task of the type can be claimed now.
///
/// @param askAgainAfter how long the server asks to wait before the next claim
public record NothingToClaim(Duration askAgainAfter) implements Claim {}
