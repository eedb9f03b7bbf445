package io.orchestrion.server.oidc;

/// The outcome of checking a token.
public sealed interface JwtOutcome {
    record Good(JwtWorker worker) implements JwtOutcome {}

    /// @param reason for the log; the sender of the token is not told
    record Refused(String reason) implements JwtOutcome {}

    /// It cannot be told at the moment: the issuer's keys are not available.
    record Unavailable() implements JwtOutcome {}
}
