package io.orchestrion.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// `postgres.log`: everything our child processes say. The file is opened by us and inherited, so
/// the server's user needs no right to it.
final class ServerLog {
    private static final long ROTATE_BYTES = 16L << 20;
    private static final int TAIL_BYTES = 8 << 10;
    private static final int TAIL_LINES = 15;

    private final Path file;

    ServerLog(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /// Called while no server writes: keeps one old log, so that restarts do not grow it without
    /// end.
    void open() throws IOException {
        if (size() > ROTATE_BYTES) {
            Files.move(
                    file,
                    file.resolveSibling(file.getFileName() + ".1"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(file)) {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        }
    }

    long size() {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /// The last lines written since the log had this size.
    String tail(long since) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long from = Math.max(since, channel.size() - TAIL_BYTES);
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.max(0, channel.size() - from));
            while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
                // read until full: one read may return less
            }
            List<String> lines =
                    new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8)
                            .lines()
                            .toList();
            return String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(" + file + " cannot be read: " + e + ")";
        }
    }
}
