package io.orchestrion.server.webhooks;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.random.RandomGenerator;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The secret by which a receiver checks a delivery, in the form of Standard Webhooks: `whsec_` and
/// the bytes in base64. Its text form hides it, so that no log shows it by accident.
public final class SigningSecret {
    public static final String PREFIX = "whsec_";
    public static final int BYTES_MIN = 24;
    public static final int BYTES_MAX = 64;
    private static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] bytes;

    private SigningSecret(byte[] bytes) {
        this.bytes = bytes;
    }

    static SigningSecret make(RandomGenerator random) {
        byte[] made = new byte[BYTES];
        random.nextBytes(made);
        return new SigningSecret(made);
    }

    static SigningSecret of(byte[] bytes) {
        return new SigningSecret(bytes.clone());
    }

    /// Null for what is none.
    public static @Nullable SigningSecret read(String text) {
        if (!text.startsWith(PREFIX)) {
            return null;
        }
        try {
            byte[] bytes = Base64.getDecoder().decode(text.substring(PREFIX.length()));
            return bytes.length >= BYTES_MIN && bytes.length <= BYTES_MAX
                    ? new SigningSecret(bytes)
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// The secret, for the one answer that shows it.
    public String reveal() {
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /// One signature of the header `webhook-signature`.
    String sign(String id, long seconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes, ALGORITHM));
            mac.update((id + "." + seconds + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
