package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.pool.PoolSql.Waiting;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.WorkView;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;

/// Claims one kind of items across accounts: lists accounts that have some, without a lock, and
/// claims in each with the ordinary claim of one account. Who has the fewest places comes first, so
/// that an account with much work never keeps another one waiting.
final class QueueLook implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(QueueLook.class);
    private static final UUID FIRST = new UUID(0, 0);

    /// How many items are looked at to find accounts.
    static final int SCANNED = 500;

    /// How many such looks are made before the accounts that were found are served. The next pass
    /// goes on after them.
    private static final int WALKS = 8;

    /// How often it goes around before the next pass.
    private static final int TURNS = 16;

    /// Begins what was claimed.
    @FunctionalInterface
    interface Start {
        /// @param askedNanos when the claim was asked for
        void start(WorkView view, long askedNanos);
    }

    private final PoolWork kind;
    private final Crew crew;
    private final Database database;
    private final Work work;
    private final String holder;
    private final BiConsumer<String, Runnable> bell;
    private final Start start;
    private UUID from = FIRST;

    QueueLook(
            PoolWork kind,
            Crew crew,
            Database database,
            Work work,
            String holder,
            BiConsumer<String, Runnable> bell,
            Start start) {
        this.kind = kind;
        this.crew = crew;
        this.database = database;
        this.work = work;
        this.holder = holder;
        this.bell = bell;
        this.start = start;
    }

    @Override
    public String name() {
        return kind.name();
    }

    /// It goes around by itself while there is work and room.
    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void wakeBy(Runnable ring) {
        crew.onFree(ring);
        bell.accept(kind.profile().queue(), ring);
    }

    /// Begins as much as there is room for and does not wait for it; says how many it began.
    @Override
    public synchronized int runOnce() {
        int begun = 0;
        for (int turn = 0; turn < TURNS && crew.room() > 0; turn++) {
            List<Waiting> found = next();
            int now = serve(found);
            begun += now;
            // Where others were quicker, or nobody has room, there is nothing to gain by asking
            // again at once.
            if (now == 0) {
                break;
            }
        }
        return begun;
    }

    /// The next accounts that have something.
    private List<Waiting> next() {
        var found = new ArrayList<Waiting>();
        boolean fromFirst = from.equals(FIRST);
        for (int walk = 0; walk < WALKS && found.size() < SCANNED; walk++) {
            UUID after = from;
            List<Waiting> some =
                    database.transaction(
                            tx ->
                                    PoolSql.waiting(
                                            tx,
                                            kind.profile().queue(),
                                            kind.kind(),
                                            after,
                                            SCANNED));
            found.addAll(some);
            boolean end = some.stream().mapToInt(Waiting::seen).sum() < SCANNED;
            from = end ? FIRST : some.getLast().account();
            if (end && (fromFirst || !found.isEmpty())) {
                break;
            }
            fromFirst |= end;
        }
        return found;
    }

    private int serve(List<Waiting> found) {
        List<Waiting> inTurn =
                found.stream()
                        .sorted(
                                Comparator.<Waiting>comparingInt(
                                                each -> crew.takenBy(each.account()))
                                        .thenComparingLong(Waiting::oldestMs))
                        .toList();
        int begun = 0;
        for (int i = 0; i < inTurn.size(); i++) {
            int room = crew.room();
            if (room == 0) {
                break;
            }
            begun += claim(inTurn.get(i), Math.max(1, room / (inTurn.size() - i)));
        }
        return begun;
    }

    private int claim(Waiting of, int share) {
        int taken = crew.take(of.account(), share);
        if (taken == 0) {
            return 0;
        }
        int begun = 0;
        try {
            long asked = crew.nanos();
            List<WorkView> views =
                    work.claim(
                                    new ClaimRequest(
                                            of.account(),
                                            kind.profile().queue(),
                                            kind.kind(),
                                            taken,
                                            holder,
                                            null),
                                    Duration.ZERO)
                            .items();
            for (WorkView view : views) {
                start.start(view, asked);
                begun++;
            }
        } catch (StoreException e) {
            if (StoreException.ofWholeStore(e)) {
                throw e;
            }
            log.warn("{} could not claim in account {}", kind.name(), of.account(), e);
        } finally {
            crew.give(of.account(), taken - begun);
        }
        return begun;
    }
}
