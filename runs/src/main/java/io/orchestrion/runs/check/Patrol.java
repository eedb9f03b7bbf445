package io.orchestrion.runs.check;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.runs.check.Anomalies.AttemptPlace;
import io.orchestrion.runs.check.RunsInvariants.Place;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/// Walks over what is stored again and again, one page at a time, and counts what is wrong: broken
/// invariants, oddities of the ledger, stuck runs. It only reads. However much is stored, a pass
/// costs the same, and a walk takes longer.
public final class Patrol implements Sweeper {
    public static final String NAME = "run-patrol";
    private static final Logger log = LoggerFactory.getLogger(Patrol.class);
    private static final Duration PACE = Duration.ofSeconds(10);
    private static final int INVARIANTS = 8;

    /// Of one page, not to fill the log.
    private static final int LOGGED_MAX = 10;

    private final Database database;
    private final IntSupplier stuck;
    private final Walk<Integer> broken = new Walk<>();
    private final Walk<Anomaly.Kind> odd = new Walk<>();
    private @Nullable Place place = Place.START;
    private @Nullable AttemptPlace attempt = AttemptPlace.START;
    private volatile int stuckNow;

    /// What a walk has found, and the one before it.
    private static final class Walk<K> {
        private Map<K, Long> before = Map.of();
        private Map<K, Long> found = new HashMap<>();

        synchronized void found(K what) {
            found.merge(what, 1L, Long::sum);
        }

        synchronized void ended() {
            before = found;
            found = new HashMap<>();
        }

        /// What is wrong is shown at once, and until a whole walk has not found it.
        synchronized long shown(K what) {
            return Math.max(before.getOrDefault(what, 0L), found.getOrDefault(what, 0L));
        }
    }

    /// @param stuck how many runs are stuck now
    public Patrol(Database database, IntSupplier stuck) {
        this.database = database;
        this.stuck = stuck;
    }

    /// How many rows break each of the invariants.
    public Map<Integer, Long> violations() {
        var all = new HashMap<Integer, Long>();
        for (int i = 1; i <= INVARIANTS; i++) {
            all.put(i, broken.shown(i));
        }
        return all;
    }

    /// How many attempts of runs have each of the oddities in the ledger.
    public Map<Anomaly.Kind, Long> anomalies() {
        var all = new EnumMap<Anomaly.Kind, Long>(Anomaly.Kind.class);
        for (Anomaly.Kind kind : Anomaly.Kind.values()) {
            all.put(kind, odd.shown(kind));
        }
        return all;
    }

    /// How many runs are stuck.
    public int stuck() {
        return stuckNow;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Duration pace(Duration usual) {
        return usual.compareTo(PACE) > 0 ? usual : PACE;
    }

    /// Never: it changes nothing.
    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    @Override
    public synchronized int runOnce() {
        stuckNow = stuck.getAsInt();
        invariants();
        ledger();
        return 0;
    }

    private void invariants() {
        RunsInvariants.Page page =
                RunsInvariants.page(database, place == null ? Place.START : place);
        page.violations().forEach(each -> broken.found(each.invariant()));
        page.violations().stream()
                .limit(LOGGED_MAX)
                .forEach(
                        each ->
                                log.atError()
                                        .addKeyValue("invariant", each.invariant())
                                        .addKeyValue("rule", each.rule())
                                        .addKeyValue("client_id", each.account())
                                        .addKeyValue("row", each.of())
                                        .addKeyValue("row_id", each.id())
                                        .log("an invariant of runs is violated"));
        place = page.next();
        if (place == null) {
            broken.ended();
        }
    }

    private void ledger() {
        Anomalies.Page page =
                Anomalies.page(database, attempt == null ? AttemptPlace.START : attempt);
        List<Anomaly> found = page.anomalies();
        found.forEach(each -> each.kinds().forEach(odd::found));
        attempt = page.next();
        if (attempt == null) {
            odd.ended();
        }
    }
}
