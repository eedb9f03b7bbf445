package io.orchestrion.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;

/// A file that only takes up room. On a full disk PostgreSQL cannot even finish crash recovery,
/// which has to write; then the ballast is thrown off, and whoever holds a lease can go on. It is
/// taken on again when there is room.
final class Ballast {
    private static final Logger LOG = LoggerFactory.getLogger(Ballast.class);

    private final Path file;

    Ballast(Path dataFolder) {
        file = dataFolder.resolve("ballast");
    }

    boolean held() {
        return Files.exists(file);
    }

    /// Best effort: nothing fails for want of ballast.
    void takeOn(long bytes) {
        Path temporary = file.resolveSibling("ballast.new");
        try {
            Files.deleteIfExists(temporary);
            // Noise: a file made longer without writing takes no room, and zeros take none where
            // the volume compresses.
            byte[] piece = new byte[1 << 20];
            new Random().nextBytes(piece);
            try (OutputStream out = Files.newOutputStream(temporary)) {
                for (long left = bytes; left > 0; left -= piece.length) {
                    out.write(piece, 0, (int) Math.min(left, piece.length));
                }
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("could not set {} MB aside in {}: {}", bytes >> 20, file, e.toString());
            delete(temporary);
        }
    }

    /// True when there was ballast to throw off.
    boolean throwOff() {
        boolean gone = delete(file);
        if (gone) {
            LOG.warn("the disk is full: deleted {} to give PostgreSQL the room", file);
        }
        return gone;
    }

    private static boolean delete(Path path) {
        try {
            return Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.warn("could not delete {}: {}", path, e.toString());
            return false;
        }
    }
}
