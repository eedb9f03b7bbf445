package io.orchestrion.server.tasks;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/// The room that the embedded database has left.
final class DataDisk {
    private static final Logger log = LoggerFactory.getLogger(DataDisk.class);

    /// Below this PostgreSQL is about to refuse writes, and a restart would need room as well.
    static final long LOW_BYTES = 256L << 20;

    private static final long FRESH_NANOS = 1_000_000_000;

    /// @param freeBytes null when it is not ours to know, or cannot be read
    record Reading(boolean ours, @Nullable Long freeBytes, @Nullable Long totalBytes) {
        boolean low() {
            return freeBytes != null && freeBytes < LOW_BYTES;
        }
    }

    private record Taken(Reading reading, long atNanos) {}

    private final @Nullable Path folder;
    private final LongSupplier nanos;
    private volatile @Nullable Taken last;

    /// @param folder of the embedded database; null for an outside one
    DataDisk(@Nullable Path folder, LongSupplier nanos) {
        this.folder = folder;
        this.nanos = nanos;
    }

    Reading read() {
        Taken known = last;
        long now = nanos.getAsLong();
        if (known == null || now - known.atNanos() >= FRESH_NANOS) {
            known = new Taken(take(), now);
            last = known;
        }
        return known.reading();
    }

    private Reading take() {
        if (folder == null) {
            return new Reading(false, null, null);
        }
        try {
            FileStore store = Files.getFileStore(folder);
            return new Reading(true, store.getUsableSpace(), store.getTotalSpace());
        } catch (IOException e) {
            log.warn("the room left where {} lies cannot be read: {}", folder, e.getMessage());
            return new Reading(true, null, null);
        }
    }
}
