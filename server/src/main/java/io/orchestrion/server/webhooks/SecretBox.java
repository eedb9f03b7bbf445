package io.orchestrion.server.webhooks;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.UUID;
import java.util.random.RandomGenerator;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// How secrets lie in the database. They are needed to sign with, so a hash would not do: with a
/// key they are sealed (AES-256-GCM, bound to the webhook they belong to), without one they lie
/// open, guarded by the database's own access alone.
final class SecretBox {
    static final int KEY_BYTES = 32;
    private static final byte OPEN = 0;
    private static final byte SEALED = 1;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final @Nullable SecretKeySpec key;
    private final RandomGenerator random;

    SecretBox(byte @Nullable [] key, RandomGenerator random) {
        if (key != null && key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has " + KEY_BYTES + " bytes");
        }
        this.key = key == null ? null : new SecretKeySpec(key, "AES");
        this.random = random;
    }

    byte[] close(UUID account, UUID endpoint, SigningSecret secret) {
        byte[] bytes = secret.bytes();
        if (key == null) {
            return ByteBuffer.allocate(1 + bytes.length).put(OPEN).put(bytes).array();
        }
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, account, endpoint);
            byte[] sealed = cipher.doFinal(bytes);
            return ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length)
                    .put(SEALED)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a secret could not be sealed", e);
        }
    }

    /// Null for one that was sealed with another key, or with one while there is none.
    @Nullable SigningSecret open(UUID account, UUID endpoint, byte[] kept) {
        if (kept[0] == OPEN) {
            return SigningSecret.of(Arrays.copyOfRange(kept, 1, kept.length));
        }
        if (key == null) {
            return null;
        }
        try {
            byte[] nonce = Arrays.copyOfRange(kept, 1, 1 + NONCE_BYTES);
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, account, endpoint);
            return SigningSecret.of(
                    cipher.doFinal(kept, 1 + NONCE_BYTES, kept.length - 1 - NONCE_BYTES));
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    private static Cipher cipher(
            int mode, SecretKeySpec key, byte[] nonce, UUID account, UUID endpoint)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(
                ByteBuffer.allocate(4 * Long.BYTES)
                        .putLong(account.getMostSignificantBits())
                        .putLong(account.getLeastSignificantBits())
                        .putLong(endpoint.getMostSignificantBits())
                        .putLong(endpoint.getLeastSignificantBits())
                        .array());
        return cipher;
    }
}
