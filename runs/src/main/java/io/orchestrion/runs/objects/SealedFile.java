package io.orchestrion.runs.objects;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/// The form of an encrypted file: a header and chunks of one size, each sealed by itself with
/// AES-256-GCM. So content of any length needs one chunk of memory, and a part of it can be read
/// without the rest. The number of a chunk and whether it is the last are part of its nonce:
/// chunks can be neither moved nor left out, at the end neither.
final class SealedFile {
    static final int CHUNK_BYTES = 64 * 1024;
    static final int SALT_BYTES = 16;
    private static final byte[] MARK = "orchobj1".getBytes(StandardCharsets.US_ASCII);
    static final int HEADER_BYTES = 8 + SALT_BYTES;
    private static final int TAG_BYTES = 16;
    static final int SEALED_BYTES = CHUNK_BYTES + TAG_BYTES;
    private static final int NONCE_BYTES = 12;

    private SealedFile() {}

    static byte[] header(byte[] salt) {
        return ByteBuffer.allocate(HEADER_BYTES).put(MARK).put(salt).array();
    }

    /// The salt in a header; empty when it is none.
    static byte[] salt(byte[] header) {
        ByteBuffer bytes = ByteBuffer.wrap(header);
        byte[] mark = new byte[MARK.length];
        bytes.get(mark);
        byte[] salt = new byte[Arrays.equals(mark, MARK) ? SALT_BYTES : 0];
        bytes.get(salt);
        return salt;
    }

    /// How many chunks a file of that size has; also an empty content has one.
    static long chunks(long fileBytes) {
        return Math.max(1, Math.ceilDiv(fileBytes - HEADER_BYTES, (long) SEALED_BYTES));
    }

    static long contentBytes(long fileBytes) {
        return fileBytes - HEADER_BYTES - chunks(fileBytes) * TAG_BYTES;
    }

    static long place(long chunk) {
        return HEADER_BYTES + chunk * SEALED_BYTES;
    }

    /// Encrypts or decrypts the chunks of one file.
    static final class Chunks {
        private final Cipher cipher;
        private final SecretKey key;
        private final int mode;

        private Chunks(SecretKey key, int mode) {
            this.key = key;
            this.mode = mode;
            try {
                cipher = Cipher.getInstance("AES/GCM/NoPadding");
            } catch (GeneralSecurityException e) {
                throw new AssertionError("every JDK has AES-GCM", e);
            }
        }

        static Chunks sealing(SecretKey key) {
            return new Chunks(key, Cipher.ENCRYPT_MODE);
        }

        static Chunks opening(SecretKey key) {
            return new Chunks(key, Cipher.DECRYPT_MODE);
        }

        /// @return how many bytes it wrote into the other array
        int turn(long chunk, boolean last, byte[] from, int length, byte[] into)
                throws GeneralSecurityException {
            byte[] nonce =
                    ByteBuffer.allocate(NONCE_BYTES)
                            .put((byte) (last ? 1 : 0))
                            .position(NONCE_BYTES - Long.BYTES)
                            .putLong(chunk)
                            .array();
            cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
            return cipher.doFinal(from, 0, length, into);
        }
    }
}
