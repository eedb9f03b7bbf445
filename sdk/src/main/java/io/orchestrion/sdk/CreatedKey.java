package io.orchestrion.sdk;

/// A new key.
///
/// @param apiKey shown this once; the server keeps only its hash
public record CreatedKey(String apiKey, Key key) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "CreatedKey[" + key + "]";
    }
}
