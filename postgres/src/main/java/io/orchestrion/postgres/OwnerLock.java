package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Holds `owner.lock` for as long as this JVM owns a data folder. The kernel drops the lock when
/// the process ends, however it ends, so a killed owner never blocks the next one.
final class OwnerLock implements AutoCloseable {
    // A POSIX lock belongs to the process and goes away when ANY descriptor of the file is closed.
    // A second owner in this JVM that merely opened and closed the file would silently unlock it
    // for the first, so it is turned away before.
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private OwnerLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static OwnerLock acquire(Path dataFolder) throws PostgresStartException {
        Path file;
        try {
            file = dataFolder.toRealPath().resolve("owner.lock");
        } catch (IOException e) {
            throw Failures.notWritable(dataFolder, e);
        }
        if (!HELD_HERE.add(file)) {
            throw locked(dataFolder, ProcessHandle.current().pid() + " (this process)");
        }
        boolean held = false;
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock == null) {
                    throw locked(dataFolder, holder(file));
                }
                channel.truncate(0);
                channel.write(
                        ByteBuffer.wrap(
                                (ProcessHandle.current().pid() + "\n")
                                        .getBytes(StandardCharsets.US_ASCII)),
                        0);
                held = true;
                return new OwnerLock(file, channel);
            } finally {
                if (!held) {
                    channel.close();
                }
            }
        } catch (IOException e) {
            throw Failures.notWritable(file, e);
        } finally {
            if (!held) {
                HELD_HERE.remove(file);
            }
        }
    }

    private static String holder(Path file) {
        try {
            String pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
            return pid.isEmpty() ? "unknown" : pid;
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static PostgresStartException locked(Path dataFolder, String pid) {
        return new PostgresStartException(
                Reason.LOCKED,
                "the data folder "
                        + dataFolder
                        + " is in use by process "
                        + pid
                        + "; stop that process or choose another data folder");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Closing a channel fails after the descriptor is gone; the lock went with it.
        }
        HELD_HERE.remove(file);
    }
}
