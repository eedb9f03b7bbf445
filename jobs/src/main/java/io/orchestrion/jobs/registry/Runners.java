package io.orchestrion.jobs.registry;

import io.orchestrion.kernel.db.Database;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// The runners of all processes on one database. A runner enters, is heard of every few seconds
/// and leaves; one that was killed is taken for gone when it has been silent for [#SILENCE].
public final class Runners {
    /// Three signs of life at the usual pace of five seconds.
    public static final Duration SILENCE = Duration.ofSeconds(15);

    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);
    private static final long BELIEVED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Seen(Availability availability, long atNanos) {}

    private final Database database;
    private volatile @Nullable Seen seen;

    public Runners(Database database) {
        this.database = database;
    }

    /// A runner begins; also forgets those that were killed long ago.
    public void enter(UUID id, String name, int capacity) {
        database.transaction(
                tx -> {
                    RunnerSql.forget(tx, tx.nowMillis() - FORGOTTEN_AFTER.toMillis());
                    return RunnerSql.seen(tx, id, name, capacity, 0);
                });
        seen = null;
    }

    /// A runner lives.
    public void beat(UUID id, String name, int capacity, int busy) {
        database.transaction(tx -> RunnerSql.seen(tx, id, name, capacity, busy));
    }

    /// A runner ends in good order.
    public void leave(UUID id) {
        database.transaction(tx -> RunnerSql.leave(tx, id));
        seen = null;
    }

    /// Which runners there are. The database is asked at most once a second.
    public Availability available() {
        Seen last = seen;
        if (last != null && System.nanoTime() - last.atNanos() < BELIEVED_NANOS) {
            return last.availability();
        }
        return availableNow();
    }

    /// The same, asked now.
    public Availability availableNow() {
        Availability found =
                database.transaction(
                        tx -> RunnerSql.available(tx, tx.nowMillis() - SILENCE.toMillis()));
        seen = new Seen(found, System.nanoTime());
        return found;
    }

    /// The runners that there are, the oldest first.
    public List<RunnerEntry> present() {
        return database.transaction(
                tx -> RunnerSql.present(tx, tx.nowMillis() - SILENCE.toMillis()));
    }
}
