package io.orchestrion.kernel.sweep;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.CoreThread;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Runs the duties of this node, each in a thread of its own at its pace, and knows how they fare.
/// A pass that fails is logged and tried again at the next tick: no duty ever stops by itself.
public final class SweepLoop implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SweepLoop.class);

    private final Duration interval;
    private final List<Duty> duties = new ArrayList<>();
    private volatile boolean closed;
    private final NanoTicker ticker;
    private boolean started;

    /// This node's own timer, used only for how long ago something happened; never for anything
    /// stored.
    @FunctionalInterface
    public interface NanoTicker {
        NanoTicker SYSTEM = System::nanoTime;

        long nanos();
    }

    public SweepLoop(Duration interval, List<Sweeper> sweepers, NanoTicker ticker) {
        this.interval = interval;
        this.ticker = ticker;
        sweepers.forEach(sweeper -> duties.add(new Duty(sweeper)));
    }

    private final class Duty {
        private final Sweeper sweeper;
        private final AtomicLong lastGoodNanos = new AtomicLong(ticker.nanos());
        private final AtomicLong changed = new AtomicLong();
        private volatile boolean ranOnce;
        private volatile @Nullable String lastError;
        private final Thread thread;

        /// Holds one permit at most: however often it rings, one pass serves all the rings.
        private final Semaphore bell = new Semaphore(0);

        Duty(Sweeper sweeper) {
            this.sweeper = sweeper;
            this.thread = CoreThread.unstarted(sweeper.name(), this::runUntilClosed);
            sweeper.wakeBy(this::ring);
        }

        private synchronized void ring() {
            if (bell.availablePermits() == 0) {
                bell.release();
            }
        }

        /// True when it is time to end.
        private boolean pause(Duration rest) {
            try {
                boolean _ = bell.tryAcquire(rest.toMillis(), TimeUnit.MILLISECONDS);
                return closed;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
            }
        }

        private void runUntilClosed() {
            // A sweeper that rests for long between passes still makes its first pass as soon as
            // the others.
            Duration rest = shorter(interval, sweeper.pace(interval));
            while (!pause(rest)) {
                boolean more = true;
                while (more && !closed) {
                    more = pass() >= sweeper.fullPass();
                }
                rest = sweeper.pace(interval);
            }
        }

        private int pass() {
            try {
                int count = sweeper.runOnce();
                changed.addAndGet(count);
                lastGoodNanos.set(ticker.nanos());
                ranOnce = true;
                lastError = null;
                return count;
            } catch (RuntimeException e) {
                // Trouble of the store is logged where it is asked, not here.
                if (lastError == null && !StoreException.ofWholeStore(e)) {
                    log.warn("{} failed, will try again every {}", sweeper.name(), interval, e);
                }
                lastError = String.valueOf(e.getMessage());
                return 0;
            }
        }

        private SweepStatus status() {
            return new SweepStatus(
                    sweeper.name(),
                    ranOnce,
                    TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - lastGoodNanos.get()),
                    sweeper.pace(interval).toMillis(),
                    changed.get(),
                    lastError);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// Adds a duty. To be called before the start.
    public void add(Sweeper sweeper) {
        if (started) {
            throw new IllegalStateException("the duties run already");
        }
        duties.add(new Duty(sweeper));
    }

    public void start() {
        started = true;
        duties.forEach(duty -> duty.thread.start());
    }

    public List<SweepStatus> statuses() {
        return duties.stream().map(Duty::status).toList();
    }

    @Override
    public void close() {
        closed = true;
        duties.forEach(Duty::ring);
        for (Duty duty : duties) {
            try {
                if (duty.thread.isAlive()) {
                    duty.thread.join(Duration.ofSeconds(10));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
