package io.orchestrion.kernel.identity;

/// The outcome of revoking a key.
public sealed interface Revocation {
    /// It is revoked, now or since before.
    record Revoked(KeyView view) implements Revocation {}

    record NotFound() implements Revocation {}

    /// It is the last key that can manage the account's keys, so it stays.
    record LastKey() implements Revocation {}
}
