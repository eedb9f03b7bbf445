package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Checks that a received message was sent by a server that has the same secret, as Standard
/// Webhooks defines it: the header `webhook-signature` holds one or more HMACs of
/// `webhook-id.webhook-timestamp.body`.
///
/// ```java
/// boolean genuine = WebhookSignature.of(key).verifies(
///         headers.get("webhook-id"),
///         headers.get("webhook-timestamp"),
///         headers.get("webhook-signature"),
///         message,
///         Instant.now(),
///         Duration.ofMinutes(5));
/// ```
public final class WebhookSignature {
    private static final String SECRET = "whsec_";
    private static final String VERSION = "v1,";

    private final byte[] key;

    private WebhookSignature(byte[] key) {
        this.key = key;
    }

    /// @param secret `whsec_` and base64, as the server showed it
    public static WebhookSignature of(String secret) {
        String text = secret.startsWith(SECRET) ? secret.substring(SECRET.length()) : secret;
        return new WebhookSignature(Base64.getDecoder().decode(text));
    }

    /// Checks one message.
    ///
    /// @param now if it differs from the message's time by more than the tolerance, the message is
    ///     invalid: it may be an old one that somebody sends again
    /// @return whether one of the signatures was made with the secret
    public boolean verifies(
            @Nullable String id,
            @Nullable String timestamp,
            @Nullable String signatures,
            byte[] body,
            Instant now,
            Duration tolerance) {
        if (id == null
                || signatures == null
                || timestamp == null
                || !timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        Duration apart =
                Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
        if (apart.compareTo(tolerance) > 0) {
            return false;
        }
        byte[] ours = sign(id, timestamp, body);
        boolean found = false;
        for (String each : signatures.split(" ")) {
            if (each.startsWith(VERSION)) {
                found |= MessageDigest.isEqual(ours, decoded(each.substring(VERSION.length())));
            }
        }
        return found;
    }

    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private byte[] sign(String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            var message = new ByteArrayOutputStream();
            message.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            message.writeBytes(body);
            return mac.doFinal(message.toByteArray());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }
}
