package io.orchestrion.kernel.combine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// Decides which batch uses the database next, so that under load batches grow, and not their
/// number. Most of the time that a small transaction takes does not depend on its size (decision
/// 123).
///
/// One batch runs at a time, the largest of those that wait, while others wait for the disk. A
/// large batch may run beside it. Where many callers were present lately and only few of them have
/// asked again, the gate waits a moment for the rest: callers that were answered together then stay
/// together. Where few callers are present, no batch waits for more requests.
///
/// It is no lock. A batch that has waited for long goes on without its turn, so that a transaction
/// that hangs holds up nobody.
public final class Gate {
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// A batch that has waited for so long goes before larger ones.
    private static final long OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);

    /// A batch of holders' requests does not wait that long behind work that can be done later.
    /// After this time it goes next, before all others.
    private static final long URGENT_OVERDUE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /// A batch of this size gains little by growing.
    private static final int LARGE = 64;

    /// With at least so many callers it is worth waiting this long for those that are about to ask
    /// again.
    private static final int CROWD = 16;

    private static final long LINGER_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

    /// The callers are in about four stages: running, committing, being answered, not back yet. So
    /// a quarter of them is a full batch.
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

    /// @param running how many batches run at a time, of which all but the first have to be large
    public Gate(int running) {
        this(running, LARGE, System::nanoTime);
    }

    /// A gate that lets every batch through, for a lane that takes turns with no other.
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

    /// Makes the pass of one thread, for one batch at a time.
    ///
    /// @param size how many requests would go if the batch went now
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

        /// Waits for the batch's turn to use the database.
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

        /// From here on the batch only waits for the disk. If its commit fails and its requests are
        /// then done alone, it is not counted as running again.
        void toCommit() {
            lock.lock();
            try {
                stopRunning();
            } finally {
                lock.unlock();
            }
        }

        /// May be called repeatedly.
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

    /// While batches wait for callers to ask again, one of them has to look at the clock. This
    /// wakes it.
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

    /// The next batch: an urgent one that has waited too long, else the one that has waited too
    /// long and longest, else the largest.
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
