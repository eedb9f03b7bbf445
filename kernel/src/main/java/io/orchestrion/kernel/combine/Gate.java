package io.orchestrion.kernel.combine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// Says which batch speaks to the database next, so that batches grow with the load instead of
/// their number: most of what a small transaction takes, it takes whatever its size (decision 123).
///
/// One batch runs at a time, the largest of those that wait, while others wait for the disk; one
/// that is large anyway may run beside it. Where many callers were present lately and few have come
/// back, the rest is about to, and is waited for, for a moment: callers who were answered together
/// then stay together. Where few are present nobody waits for anybody.
///
/// It is no lock: whoever has waited for long goes on without, so that a transaction that hangs
/// holds up nobody.
public final class Gate {
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Who has waited for so long goes before larger ones.
    private static final long OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

    /// What holders of leases say does not wait so long behind what can be done later: it goes next
    /// after this time, before all others.
    private static final long URGENT_OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /// From here on a batch gains little by growing.
    private static final int LARGE = 64;

    /// From so many callers on it is worth to wait for those about to come back, so long.
    private static final int CROWD = 16;

    private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /// Some run, some commit, some are being answered, some have not come back: a part of each.
    private static final int PARTS = 4;

    private final int running;
    private final int large;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Pass> waiting = new ArrayList<>();
    private final Crowd crowd = new Crowd();
    private int runningNow;
    private int underWay;
    private long freeSinceNanos;

    /// @param running how many batches run at a time, of which all but the first are large
    public Gate(int running) {
        this(running, LARGE, System::nanoTime);
    }

    /// One that holds up nobody, for a lane that takes turns with no other.
    static Gate open() {
        return new Gate(Integer.MAX_VALUE, 1, System::nanoTime);
    }

    /// @param large from how many requests on a batch runs beside others
    Gate(int running, int large, LongSupplier nanos) {
        this.running = running;
        this.large = large;
        this.nanos = nanos;
        this.freeSinceNanos = nanos.getAsLong();
    }

    /// The way through for one batch. Not for several threads.
    ///
    /// @param size how many requests would go if it went now
    Pass pass(IntSupplier size) {
        return new Pass(size, false);
    }

    /// The same for a lane whose callers cannot wait.
    Pass urgentPass(IntSupplier size) {
        return new Pass(size, true);
    }

    int runningNow() {
        lock.lock();
        try {
            return runningNow;
        } finally {
            lock.unlock();
        }
    }

    int waitingNow() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /// Requests of all batches that run or commit.
    int underWay() {
        lock.lock();
        try {
            return underWay;
        } finally {
            lock.unlock();
        }
    }

    final class Pass {
        private final IntSupplier size;
        private final boolean urgent;
        private final Condition turn = lock.newCondition();
        private long sinceNanos;
        private int counted;
        private boolean admitted;
        private boolean runs;

        private Pass(IntSupplier size, boolean urgent) {
            this.size = size;
            this.urgent = urgent;
        }

        private boolean overdue(long nowNanos, boolean asUrgent) {
            return asUrgent
                    ? urgent && nowNanos - sinceNanos > URGENT_OVERDUE_NANOS
                    : nowNanos - sinceNanos > OVERDUE_NANOS;
        }

        /// Waits for its turn to speak to the database.
        void enter() throws InterruptedException {
            lock.lock();
            try {
                sinceNanos = nanos.getAsLong();
                admitted = false;
                waiting.add(this);
                admitNext();
                long left = PATIENCE_NANOS;
                while (!admitted && left > 0) {
                    var _ = turn.awaitNanos(runningNow == 0 ? LINGER_NANOS : left);
                    admitNext();
                    left = sinceNanos + PATIENCE_NANOS - nanos.getAsLong();
                }
                if (!admitted) {
                    admit(this);
                }
            } finally {
                waiting.remove(this);
                lock.unlock();
            }
        }

        /// It only waits for the disk from here on. One whose commit failed, and that goes on
        /// singly, is not counted as running again.
        void toCommit() {
            lock.lock();
            try {
                stopRunning();
            } finally {
                lock.unlock();
            }
        }

        /// Again and again is fine.
        void leave() {
            lock.lock();
            try {
                underWay -= counted;
                counted = 0;
                stopRunning();
            } finally {
                lock.unlock();
            }
        }

        private void stopRunning() {
            if (runs) {
                runs = false;
                runningNow--;
                freeSinceNanos = nanos.getAsLong();
                admitNext();
                wakeOneToLinger();
            }
        }
    }

    /// Somebody has to look again when those who were about to come back were waited for.
    private void wakeOneToLinger() {
        if (runningNow == 0 && !waiting.isEmpty()) {
            waiting.getFirst().turn.signal();
        }
    }

    private void admitNext() {
        long now = nanos.getAsLong();
        crowd.saw(now, underWay + waiting.stream().mapToInt(pass -> pass.size.getAsInt()).sum());
        Pass next = next(now);
        while (next != null && mayGo(next, now)) {
            admit(next);
            next.turn.signal();
            next = next(now);
        }
    }

    private void admit(Pass pass) {
        waiting.remove(pass);
        pass.admitted = true;
        pass.runs = true;
        pass.counted = Math.max(1, pass.size.getAsInt());
        runningNow++;
        underWay += pass.counted;
    }

    private boolean mayGo(Pass pass, long nowNanos) {
        int size = pass.size.getAsInt();
        if (size >= large) {
            return runningNow < running;
        }
        int most = crowd.lately();
        boolean together =
                most < CROWD
                        || size >= most / PARTS
                        || nowNanos - Math.max(freeSinceNanos, pass.sinceNanos) >= LINGER_NANOS;
        return runningNow == 0 && together;
    }

    /// An urgent one that is overdue, else the one that is overdue for the longest, else the
    /// largest.
    private @Nullable Pass next(long nowNanos) {
        for (Pass pass : waiting) {
            if (pass.overdue(nowNanos, true)) {
                return pass;
            }
        }
        Pass best = null;
        for (Pass pass : waiting) {
            if (pass.overdue(nowNanos, false)) {
                return pass;
            }
            if (best == null || pass.size.getAsInt() > best.size.getAsInt()) {
                best = pass;
            }
        }
        return best;
    }

    /// How many requests were present at once lately.
    private static final class Crowd {
        private static final long LATELY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

        private int most;
        private int mostBefore;
        private long sinceNanos;

        void saw(long nowNanos, int present) {
            long age = nowNanos - sinceNanos;
            if (age > LATELY_NANOS) {
                mostBefore = age > 2 * LATELY_NANOS ? 0 : most;
                most = 0;
                sinceNanos = nowNanos;
            }
            most = Math.max(most, present);
        }

        int lately() {
            return Math.max(most, mostBefore);
        }
    }
}
