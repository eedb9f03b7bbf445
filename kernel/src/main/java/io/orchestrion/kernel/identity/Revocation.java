package io.orchestrion.kernel.identity;

/// What came of revoking a key.
public sealed interface Revocation {
    /// It is revoked, now or since before.
    record Revoked(KeyView view) implements Revocation {}

    record NotFound() implements Revocation {}

    /// Nobody could manage the account's keys without it.
    record LastKey() implements Revocation {}
}
