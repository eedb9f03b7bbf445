package io.orchestrion.server.oidc;

/// What came of looking at a token.
public sealed interface JwtOutcome {
    record Good(JwtWorker worker) implements JwtOutcome {}

    /// @param reason for the log; whoever sent the token is not told
    record Refused(String reason) implements JwtOutcome {}

    /// Nobody can tell at the moment: the issuer's keys are not at hand.
    record Unavailable() implements JwtOutcome {}
}
