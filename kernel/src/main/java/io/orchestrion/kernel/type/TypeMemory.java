package io.orchestrion.kernel.type;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.SharedLooks;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.memory.WeighedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.type.TypeSql.Known;
import io.orchestrion.kernel.type.TypeSql.Name;
import io.orchestrion.kernel.type.Types.Believed;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Remembers types for a moment, and also that there is none: most tasks are of types that nobody
/// registered. A change made on this node is seen by it at once.
final class TypeMemory {
    /// Schemas are up to 64 KB each, so it is their size that counts.
    private static final long BYTES = 32L << 20;

    private record Entry(Believed believed, long sinceNanos) {
        long weight() {
            return believed.type() == null ? 300 : believed.type().spec().weight();
        }
    }

    private record Queue(UUID account, String queue) {}

    private record Results(boolean checked, long sinceNanos) {}

    private final Database database;
    private final long believeNanos;
    private final NanoTicker ticker;
    private final WeighedMap<Name, Entry> types = new WeighedMap<>(BYTES, Entry::weight);
    private final Map<Queue, Results> results = new BoundedMap<>();
    private final SharedLooks<Name, Believed> looks = new SharedLooks<>(this::look);
    private final SharedLooks<Queue, Boolean> looksAtResults =
            new SharedLooks<>(this::lookAtResults);

    /// Counts changes, because a row that was read before a change must not be remembered after it.
    private final AtomicLong changes = new AtomicLong();

    TypeMemory(Database database, Duration believe, NanoTicker ticker) {
        this.database = database;
        this.believeNanos = believe.toNanos();
        this.ticker = ticker;
    }

    Believed of(Name name) {
        Entry entry = types.get(name);
        if (entry != null && recent(entry.sinceNanos())) {
            return entry.believed();
        }
        return looks.of(name);
    }

    private Believed look(Name name) {
        long seen = changes.get();
        Known known = database.transaction(tx -> TypeSql.known(tx, name));
        var believed =
                known == null
                        ? new Believed(false, null)
                        : new Believed(known.strict(), known.type());
        if (believeNanos > 0) {
            types.put(name, new Entry(believed, ticker.nanos()));
            if (changes.get() != seen) {
                types.remove(name);
            }
        }
        return believed;
    }

    boolean checksResults(UUID account, String queue) {
        var key = new Queue(account, queue);
        Results entry = remembered(key);
        if (entry != null && recent(entry.sinceNanos())) {
            return entry.checked();
        }
        return looksAtResults.of(key);
    }

    private boolean lookAtResults(Queue key) {
        long seen = changes.get();
        boolean checked =
                database.transaction(tx -> TypeSql.checksResults(tx, key.account(), key.queue()));
        synchronized (results) {
            if (believeNanos > 0 && changes.get() == seen) {
                results.put(key, new Results(checked, ticker.nanos()));
            }
        }
        return checked;
    }

    private @Nullable Results remembered(Queue key) {
        synchronized (results) {
            return results.get(key);
        }
    }

    private boolean recent(long sinceNanos) {
        return ticker.nanos() - sinceNanos < believeNanos;
    }

    void forget(Name name) {
        changes.incrementAndGet();
        types.remove(name);
        synchronized (results) {
            results.remove(new Queue(name.account(), name.queue()));
        }
    }

    /// Everything of an account.
    void forget(UUID account) {
        changes.incrementAndGet();
        types.removeIf(name -> name.account().equals(account));
    }
}
