package io.orchestrion.runs.objects;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;

import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/// The secret that the files of a store are encrypted with. It lies in a file that only its owner
/// can read, and is made on first use.
final class StoreKey {
    static final int BYTES = 32;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");

    private final byte[] secret;

    private StoreKey(byte[] secret) {
        this.secret = secret;
    }

    /// Several nodes may start at once on one folder: one of them makes the key, and all read it.
    static StoreKey in(Path file, RandomGenerator random) throws IOException {
        if (!Files.exists(file)) {
            make(file, random);
        }
        Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(file));
        others.removeAll(OWNER_ONLY);
        others.remove(PosixFilePermission.OWNER_EXECUTE);
        if (!others.isEmpty()) {
            throw new IOException(
                    file + " can be read by others than its owner; chmod 600 mends that");
        }
        return new StoreKey(read(file));
    }

    static Path folder(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "a folder is no file");
    }

    private static byte[] read(Path file) throws IOException {
        try {
            byte[] secret =
                    HexFormat.of().parseHex(Files.readString(file, StandardCharsets.UTF_8).strip());
            if (secret.length == BYTES) {
                return secret;
            }
        } catch (IllegalArgumentException e) {
            // Said below, in the same words as for one of another length.
        }
        throw new IOException(file + " holds no key of " + BYTES + " bytes in hexadecimal");
    }

    /// The name comes last and only if nobody else has taken it. A key that was read once must
    /// never be replaced: what it encrypted would be lost.
    private static void make(Path file, RandomGenerator random) throws IOException {
        byte[] secret = new byte[BYTES];
        random.nextBytes(secret);
        Path unfinished =
                file.resolveSibling(file.getFileName() + "." + Long.toHexString(random.nextLong()));
        try {
            try (SeekableByteChannel out =
                    Files.newByteChannel(
                            unfinished,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
                byte[] text =
                        (HexFormat.of().formatHex(secret) + "\n").getBytes(StandardCharsets.UTF_8);
                out.write(ByteBuffer.wrap(text));
                ((FileChannel) out).force(true);
            }
            Files.createLink(file, unfinished);
            FileStore.force(folder(file));
        } catch (FileAlreadyExistsException e) {
            // Another node was faster, and its key is the one.
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    /// The key of one file, so that no two chunks of the store are ever encrypted with the same key
    /// and number.
    SecretKey ofFile(byte[] salt, ObjectKey key) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveKey(
                            "AES",
                            HKDFParameterSpec.ofExtract()
                                    .addIKM(secret)
                                    .addSalt(salt)
                                    .thenExpand(
                                            key.text().getBytes(StandardCharsets.UTF_8), BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key of a file could not be derived", e);
        }
    }
}
