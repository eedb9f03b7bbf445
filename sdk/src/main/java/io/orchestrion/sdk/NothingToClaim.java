package io.orchestrion.sdk;

import java.time.Duration;

/// No task of the type can be claimed now.
///
/// @param askAgainAfter the wait that the server asks for
public record NothingToClaim(Duration askAgainAfter) implements Claim {}
