package io.orchestrion.postgres;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The volume that a data folder lies on: how much room is left, what that still allows, and the
/// ballast that is kept for the day on which there is none.
///
/// All figures follow the size of the volume, so that a small one has its ballast too and is not
/// full from the beginning (decision 146).
public final class DataVolume {
    private static final Logger LOG = LoggerFactory.getLogger(DataVolume.class);

    private static final long BALLAST_MOST = 64L << 20;
    private static final int BALLAST_SHARE = 16;
    // Two files of the write-ahead log: what PostgreSQL asks for at once.
    private static final long LAST_BYTES = 8L << 20;

    /// What the system says of a volume.
    interface Gauge {
        long freeBytes() throws IOException;

        long totalBytes() throws IOException;
    }

    /// How much room there is at a moment.
    public record Reading(long freeBytes, long totalBytes) {
        /// Beginning to be short: a person should look.
        public boolean low() {
            return freeBytes < lowBytes(totalBytes);
        }

        boolean isLast() {
            return freeBytes < LAST_BYTES;
        }
    }

    private final Path folder;
    private final Gauge gauge;
    private final Ballast ballast;
    private boolean ballasted;
    private volatile boolean full;

    DataVolume(Path folder) {
        this(
                folder,
                new Gauge() {
                    @Override
                    public long freeBytes() throws IOException {
                        return Files.getFileStore(folder).getUsableSpace();
                    }

                    @Override
                    public long totalBytes() throws IOException {
                        return Files.getFileStore(folder).getTotalSpace();
                    }
                });
    }

    DataVolume(Path folder, Gauge gauge) {
        this.folder = folder;
        this.gauge = gauge;
        this.ballast = new Ballast(folder);
    }

    /// How large the ballast is on a volume of this size.
    static long ballastBytes(long totalBytes) {
        return Math.min(BALLAST_MOST, totalBytes / BALLAST_SHARE);
    }

    /// Below this no new work is taken: what is left is for those who hold some.
    public static long fullBytes(long totalBytes) {
        return 2 * ballastBytes(totalBytes);
    }

    /// Below this a person should look.
    public static long lowBytes(long totalBytes) {
        return 4 * ballastBytes(totalBytes);
    }

    /// Empty when the system does not say.
    Optional<Reading> read() {
        try {
            return Optional.of(new Reading(gauge.freeBytes(), gauge.totalBytes()));
        } catch (IOException e) {
            LOG.debug("the room left where {} lies cannot be read", folder, e);
            return Optional.empty();
        }
    }

    /// Whether there is no room for new work; as old as the last look, which is a second.
    boolean full() {
        return full;
    }

    /// From now on there is ballast, whenever there is room for it.
    synchronized void keepBallast() {
        ballasted = true;
        tend();
    }

    /// Looks at the room that is left and does what it asks for. Called every second.
    synchronized void tend() {
        read().ifPresent(this::tend);
    }

    private void tend(Reading now) {
        long size = ballastBytes(now.totalBytes());
        boolean changed = false;
        if (ballasted && ballast.held() && now.isLast()) {
            changed = ballast.throwOff();
        } else if (ballasted
                && !ballast.held()
                && now.freeBytes() >= fullBytes(now.totalBytes()) + size) {
            ballast.takeOn(size);
            changed = true;
        }
        judge(changed ? read().orElse(now) : now);
    }

    /// The room that a missing ballast will take counts as taken. A little more is asked for to
    /// come back than to stay, so that the answer does not change with every row.
    private void judge(Reading now) {
        long size = ballastBytes(now.totalBytes());
        long room = now.freeBytes() - (ballasted && !ballast.held() ? size : 0);
        long needed = fullBytes(now.totalBytes()) + (full ? size / 4 : 0);
        boolean wasFull = full;
        full = room < needed;
        if (full && !wasFull) {
            LOG.error(
                    "only {} MB are free where {} lies: new work is refused until there are {} MB;"
                            + " free some room, nothing else is needed",
                    now.freeBytes() >> 20,
                    folder,
                    (fullBytes(now.totalBytes()) + size + size / 4) >> 20);
        } else if (wasFull && !full) {
            LOG.warn(
                    "{} MB are free where {} lies: new work is taken again",
                    now.freeBytes() >> 20,
                    folder);
        }
    }

    /// PostgreSQL has met the end of the disk: what was kept for this is given up at once.
    synchronized void makeRoom() {
        read().ifPresent(
                        now -> {
                            if (now.low() && ballast.throwOff()) {
                                judge(read().orElse(now));
                            }
                        });
    }

    /// The same before a start, whatever the system says is left. True when there was ballast.
    synchronized boolean throwOff() {
        return ballast.throwOff();
    }
}
