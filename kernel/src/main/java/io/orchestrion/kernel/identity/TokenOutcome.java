package io.orchestrion.kernel.identity;

import org.jspecify.annotations.Nullable;

/// The outcome of making or changing a worker token.
public sealed interface TokenOutcome {
    /// The token as it is now. Its status is the one at the given time.
    record Done(WorkerToken token, long nowMs) implements TokenOutcome {}

    /// @param secret which can never be read again
    /// @param formerEndsMs until when the secret that was replaced works; null for a new token
    record Made(WorkerToken token, WorkerSecret secret, @Nullable Long formerEndsMs, long nowMs)
            implements TokenOutcome {}

    record NotFound() implements TokenOutcome {}

    /// The key that asks has been revoked or has expired meanwhile.
    record CallerGone() implements TokenOutcome {}

    record ExpiryRefused(long nowMs) implements TokenOutcome {}

    /// The account has as many working tokens as it may.
    record TooMany() implements TokenOutcome {}

    /// A token that does not work now gets no new secret.
    record NotWorking(WorkerToken.Status status) implements TokenOutcome {}

    /// The token has as many working secrets as it may have.
    record TooManySecrets() implements TokenOutcome {}
}
