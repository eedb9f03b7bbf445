package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// The workers of one kind on this node: places, in all and for one account, and the work in them,
/// each on a virtual thread of its own. Code that looks for work takes places first, and gives back
/// those for which it found none.
public final class Crew {
    private static final Logger log = LoggerFactory.getLogger(Crew.class);

    private final String name;
    private final int places;
    private final int perAccount;
    private final NanoTicker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<UUID, Integer> taken = new HashMap<>();
    private final Set<Run> runs = ConcurrentHashMap.newKeySet();
    private int takenInAll;
    private int busy;
    private boolean wanting;
    private boolean closed;
    private volatile Runnable bell = () -> {};

    /// @param places how many it has in all
    /// @param perAccount how many of them one account may have
    public Crew(String name, int places, int perAccount, NanoTicker ticker) {
        if (places < 1 || perAccount < 1) {
            throw new IllegalArgumentException(name + " needs at least one place");
        }
        this.name = name;
        this.places = places;
        this.perAccount = Math.min(places, perAccount);
        this.ticker = ticker;
    }

    /// One piece of work in a place.
    public interface Work {
        /// Returns when nothing of it runs any more.
        void run();

        /// The crew stops and cannot wait any longer. Called once, on another thread.
        default void stop() {}

        /// Its place is free again, and there may be more of the same to do.
        default void then() {}
    }

    /// Something that was begun.
    public final class Run {
        private final UUID account;
        private final Work work;
        private final long startedNanos = ticker.nanos();
        private volatile long toldNanos;

        private Run(UUID account, Work work) {
            this.account = account;
            this.work = work;
        }

        /// It was told to stop: from now on it is stuck if it does not.
        public void told() {
            if (toldNanos == 0) {
                toldNanos = ticker.nanos();
            }
        }

        private boolean stuck(long now) {
            return toldNanos != 0 && now - toldNanos > CrewStatus.STUCK_AFTER.toNanos();
        }
    }

    public String name() {
        return name;
    }

    /// The timer that its leases are measured by.
    long nanos() {
        return ticker.nanos();
    }

    /// Called when a place becomes free that somebody wanted and did not get. Must not block.
    public void onFree(Runnable listener) {
        bell = listener;
    }

    /// Takes as many of the wanted places as there are for the account.
    public int take(UUID account, int wanted) {
        lock.lock();
        try {
            int mine = taken.getOrDefault(account, 0);
            int got = closed ? 0 : Math.min(wanted, Math.min(perAccount - mine, free()));
            if (got < wanted) {
                wanting = true;
            }
            if (got > 0) {
                taken.put(account, mine + got);
                takenInAll += got;
            }
            return Math.max(0, got);
        } finally {
            lock.unlock();
        }
    }

    /// Gives places back that nothing was found for.
    public void give(UUID account, int count) {
        lock.lock();
        try {
            free(account, count);
        } finally {
            lock.unlock();
        }
    }

    private void free(UUID account, int count) {
        taken.computeIfPresent(account, (_, mine) -> mine <= count ? null : mine - count);
        takenInAll -= count;
        changed.signalAll();
    }

    /// The work in the place has ended.
    private void leave(UUID account) {
        boolean ring;
        lock.lock();
        try {
            free(account, 1);
            ring = wanting && !closed;
            wanting = false;
        } finally {
            lock.unlock();
        }
        if (ring) {
            bell.run();
        }
    }

    /// Begins something in a place that was taken.
    public Run start(UUID account, String thread, Work work) {
        var run = new Run(account, work);
        lock.lock();
        try {
            busy++;
        } finally {
            lock.unlock();
        }
        runs.add(run);
        Thread.ofVirtual().name(thread).start(() -> doIt(run));
        return run;
    }

    private void doIt(Run run) {
        try {
            try {
                run.work.run();
            } catch (RuntimeException e) {
                // Its lease runs out, and the kernel does what that means.
                log.error("{} dropped something", name, e);
            } finally {
                runs.remove(run);
                leave(run.account);
            }
            run.work.then();
        } finally {
            lock.lock();
            try {
                busy--;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private int free() {
        return places - takenInAll;
    }

    /// How many places are free, for whichever account.
    public int room() {
        lock.lock();
        try {
            if (closed) {
                return 0;
            }
            if (free() == 0) {
                wanting = true;
            }
            return free();
        } finally {
            lock.unlock();
        }
    }

    /// How many places the account has.
    public int takenBy(UUID account) {
        lock.lock();
        try {
            return taken.getOrDefault(account, 0);
        } finally {
            lock.unlock();
        }
    }

    /// Accounts that have as many as they may.
    public Set<UUID> full() {
        lock.lock();
        try {
            return taken.entrySet().stream()
                    .filter(each -> each.getValue() >= perAccount)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /// How much runs, or has ended and is looking for more of the same.
    public int busy() {
        lock.lock();
        try {
            return busy;
        } finally {
            lock.unlock();
        }
    }

    public CrewStatus status() {
        long now = ticker.nanos();
        long oldest = now;
        int stuck = 0;
        for (Run run : runs) {
            oldest = Math.min(oldest, run.startedNanos);
            stuck += run.stuck(now) ? 1 : 0;
        }
        return new CrewStatus(
                name, places, runs.size(), stuck, TimeUnit.NANOSECONDS.toMillis(now - oldest));
    }

    /// Gives out no more places. Work that runs goes on.
    public void stopTaking() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /// Takes no more, lets what runs end within the given time, then tells the rest to stop and
    /// waits for that. True when all ended by themselves.
    public boolean stop(Duration grace, Duration patience) {
        stopTaking();
        boolean ended = awaitIdle(grace);
        if (!ended) {
            for (Run run : runs) {
                run.told();
                run.work.stop();
            }
            awaitIdle(patience);
        }
        return ended;
    }

    private boolean awaitIdle(Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        lock.lock();
        try {
            while (busy > 0 || takenInAll > 0) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
