package io.orchestrion.sdk;

/// A new key and its secret; from [Keys#create].
///
/// @param apiKey the secret, shown this once; the server keeps only its hash
/// @param key what is known about the key
public record CreatedKey(String apiKey, Key key) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "CreatedKey[" + key + "]";
    }
}
