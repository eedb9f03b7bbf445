package io.orchestrion.server.door;

import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.Values;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/// A digest by which a repeated request is known: 128 bits over the verb and the canonical body.
public final class RequestDigest {
    private RequestDigest() {}

    /// @param without fields that name the caller or the way of sending, and not what is asked for
    public static UUID of(String verb, Values body, String... without) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(verb.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            var bits = ByteBuffer.wrap(digest.digest(CanonicalJson.digest(body, without)));
            return new UUID(bits.getLong(), bits.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
