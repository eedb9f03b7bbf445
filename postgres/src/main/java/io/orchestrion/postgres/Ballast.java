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
/// which has to write; then the ballast is thrown off and the start tried once more. It is taken on
/// again when there is room.
final class Ballast {
    private static final Logger LOG = LoggerFactory.getLogger(Ballast.class);
    private static final int MEGABYTES = 64;
    private static final long ROOM_NEEDED = 1L << 30;

    private final Path file;

    Ballast(Path dataFolder) {
        file = dataFolder.resolve("ballast");
    }

    /// Best effort: a start does not fail for want of ballast.
    void takeOn() {
        Path temporary = file.resolveSibling("ballast.new");
        try {
            Files.deleteIfExists(temporary);
            if (Files.exists(file)
                    || Files.getFileStore(file.getParent()).getUsableSpace() < ROOM_NEEDED) {
                return;
            }
            // Noise: a file made longer without writing takes no room, and zeros take none where
            // the volume compresses.
            byte[] megabyte = new byte[1 << 20];
            new Random().nextBytes(megabyte);
            try (OutputStream out = Files.newOutputStream(temporary)) {
                for (int i = 0; i < MEGABYTES; i++) {
                    out.write(megabyte);
                }
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            LOG.warn("could not set {} MB aside in {}: {}", MEGABYTES, file, e.toString());
        }
    }

    /// True when there was ballast to throw off.
    boolean throwOff() {
        try {
            boolean gone = Files.deleteIfExists(file);
            if (gone) {
                LOG.warn("the disk is full: deleted {} to give PostgreSQL {} MB", file, MEGABYTES);
            }
            return gone;
        } catch (IOException e) {
            LOG.warn("could not delete {}: {}", file, e.toString());
            return false;
        }
    }
}
