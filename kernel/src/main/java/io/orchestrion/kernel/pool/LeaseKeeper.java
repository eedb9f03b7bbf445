package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Refusal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/// Keeps the leases of the work in this process. It renews them together, through the lane of the
/// holders, and tells the holder of each lease that was lost. The database is asked on another
/// thread, so that a database that does not answer does not stop this one from watching the time.
public final class LeaseKeeper implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

    /// Work ends this long before the lease could be over unseen, as when the database is away: a
    /// retry must not find it still running. Of a short lease it is a tenth.
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int MARGIN_SHARE = 10;

    /// The time that an answer may take.
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Between two looks, also while the database does not answer.
    private static final long SHORTEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /// A pass waits this long for the database, and no longer than the first lease is safe.
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final Work work;
    private final Database database;
    private final NanoTicker ticker;
    private final Duration every;
    private final Set<Kept> kept = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean asking = new AtomicBoolean();

    /// @param every how often it looks whether what it keeps is still there, which is how a
    ///     cancellation reaches work before the next renewal
    public LeaseKeeper(
            String name, Work work, Database database, NanoTicker ticker, Duration every) {
        this.name = name;
        this.work = work;
        this.database = database;
        this.ticker = ticker;
        this.every = every;
    }

    /// A lease that somebody works under.
    ///
    /// @param length how long it lasts unless it is renewed
    /// @param last whether it cannot be renewed, because the attempt's time ends with it
    public record Lease(
            UUID account,
            Profile profile,
            UUID id,
            Fence fence,
            Duration length,
            boolean last,
            Duration renew) {}

    /// Somebody who works under a lease.
    @FunctionalInterface
    public interface Holder {
        /// The lease is lost, or is about to end without a renewal. Must not block.
        ///
        /// @param why as the kernel answered; null where it was not asked
        void over(@Nullable Refusal why);
    }

    /// A lease while it is kept.
    public final class Kept implements AutoCloseable {
        private final Lease lease;
        private final Holder holder;
        private volatile long endNanos;
        private volatile long safeUntilNanos;
        private volatile long nextBeatNanos;
        private volatile boolean over;

        private Kept(Lease lease, Holder holder, long askedNanos) {
            this.lease = lease;
            this.holder = holder;
            renewed(askedNanos, lease.length().toNanos(), lease.last());
        }

        /// Where the attempt's time ends with it, the kernel is asked at that moment, and says so.
        private void renewed(long askedNanos, long leftNanos, boolean last) {
            endNanos = askedNanos + leftNanos;
            long margin = Math.min(MARGIN_NANOS, leftNanos / MARGIN_SHARE);
            safeUntilNanos = last ? endNanos + ANSWER_NANOS : endNanos - margin;
            nextBeatNanos = askedNanos + Math.min(lease.renew().toNanos(), leftNanos);
        }

        /// When it ends unless it is renewed, by the ticker.
        public long endNanos() {
            return endNanos;
        }

        private void over(@Nullable Refusal why) {
            if (!over) {
                over = true;
                holder.over(why);
            }
        }

        /// From now on the lease is no longer renewed.
        @Override
        public void close() {
            kept.remove(this);
        }
    }

    /// @param askedNanos when the claim was asked for, from which the lease counts at the earliest
    public Kept keep(Lease lease, long askedNanos, Holder holder) {
        var one = new Kept(lease, holder, askedNanos);
        kept.add(one);
        return one;
    }

    /// The timer that leases are measured by.
    public long nanos() {
        return ticker.nanos();
    }

    @Override
    public String name() {
        return name;
    }

    /// A lease is renewed when it is time, and not with the first look after that.
    @Override
    public Duration pace(Duration usual) {
        long now = ticker.nanos();
        long next =
                kept.stream()
                        .filter(one -> !one.over)
                        .mapToLong(one -> one.nextBeatNanos - now)
                        .min()
                        .orElse(Long.MAX_VALUE);
        return Duration.ofNanos(Math.clamp(next, SHORTEST_REST_NANOS, every.toNanos()));
    }

    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }

    /// How many were renewed.
    @Override
    public int runOnce() {
        long now = ticker.nanos();
        kept.stream().filter(one -> now - one.safeUntilNanos >= 0).forEach(one -> one.over(null));
        List<Kept> mine = kept.stream().filter(one -> !one.over).toList();
        if (mine.isEmpty() || !asking.compareAndSet(false, true)) {
            return 0;
        }
        var renewed = new AtomicInteger();
        Thread asker =
                Thread.ofVirtual()
                        .name(name + "-asks")
                        .start(
                                () -> {
                                    try {
                                        ask(mine, renewed);
                                    } finally {
                                        asking.set(false);
                                    }
                                });
        try {
            asker.join(Duration.ofNanos(patience(mine, now)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return renewed.get();
    }

    private static long patience(List<Kept> mine, long now) {
        long safe = mine.stream().mapToLong(one -> one.safeUntilNanos - now).min().orElse(0);
        return Math.clamp(safe, 1, PATIENCE_NANOS);
    }

    private void ask(List<Kept> mine, AtomicInteger renewed) {
        try {
            long now = ticker.nanos();
            List<Kept> due = mine.stream().filter(one -> now - one.nextBeatNanos >= 0).toList();
            if (!due.isEmpty()) {
                beat(due, renewed);
            }
            lookForLost(mine.stream().filter(one -> !due.contains(one) && !one.over).toList());
        } catch (RuntimeException e) {
            // Trouble of the store is logged where it is asked, not here.
            if (!StoreException.ofWholeStore(e)) {
                log.warn("{} could not look after leases", name, e);
            }
        }
    }

    private void beat(List<Kept> due, AtomicInteger renewed) {
        long asked = ticker.nanos();
        List<CommandRequest> requests =
                due.stream()
                        .map(
                                one ->
                                        new CommandRequest(
                                                one.lease.account(),
                                                one.lease.profile(),
                                                one.lease.id(),
                                                new Command.Heartbeat(one.lease.fence()),
                                                false))
                        .toList();
        List<Each<Ack>> answers = work.commandAll(requests);
        for (int i = 0; i < due.size(); i++) {
            Kept one = due.get(i);
            switch (answers.get(i).answer()) {
                case null -> one.nextBeatNanos = ticker.nanos() + TRY_AGAIN_NANOS;
                case Ack.Applied(var item, _, long nowMs) -> {
                    Long until = item.lease().untilMs();
                    long leftMs = until == null ? one.lease.length().toMillis() : until - nowMs;
                    one.renewed(
                            asked,
                            TimeUnit.MILLISECONDS.toNanos(leftMs),
                            until != null && until.equals(item.lease().deadlineMs()));
                    renewed.incrementAndGet();
                }
                case Ack.Repeated _ -> throw new IllegalStateException("nobody repeats a beat");
                case Ack.Refused(Refusal why, _) -> one.over(why);
            }
        }
    }

    private void lookForLost(List<Kept> mine) {
        Map<UUID, List<Kept>> byAccount =
                mine.stream().collect(Collectors.groupingBy(one -> one.lease.account()));
        byAccount.forEach(
                (account, some) -> {
                    List<HeldSql.Held> held =
                            some.stream()
                                    .map(one -> one.lease)
                                    .map(each -> new HeldSql.Held(each.id(), each.fence().token()))
                                    .toList();
                    Set<UUID> lost =
                            Set.copyOf(database.transaction(tx -> HeldSql.lost(tx, account, held)));
                    some.stream()
                            .filter(one -> lost.contains(one.lease.id()))
                            .forEach(one -> one.over(null));
                });
    }
}
