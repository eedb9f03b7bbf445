package io.orchestrion.kernel.identity;

import java.util.Set;

/// The outcome of making a key.
public sealed interface MadeKey {
    /// @param key the secret, which can never be read again
    record Made(KeyView view, ApiKey key) implements MadeKey {}

    /// The key that asks does not have these itself.
    record BeyondScopes(Set<Scope> beyond) implements MadeKey {}

    record ExpiryRefused(long nowMs) implements MadeKey {}

    /// The key that asks has been revoked or has expired meanwhile.
    record CallerGone() implements MadeKey {}

    /// The account has as many live keys as it may.
    record TooMany() implements MadeKey {}
}
