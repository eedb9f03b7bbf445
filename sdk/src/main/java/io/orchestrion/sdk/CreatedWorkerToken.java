package io.orchestrion.sdk;

/// A new worker token and its secret; from [WorkerTokens#create].
///
/// @param secret shown this once; the server keeps only its hash
/// @param token what is known about the token
public record CreatedWorkerToken(String secret, WorkerToken token) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "CreatedWorkerToken[" + token + "]";
    }
}
