package io.orchestrion.kernel.pool;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/// A handler whose work waits until a test lets it go, and knows what ran and whether anything ran
/// twice at a time.
final class Parking implements Handler {
    private final Semaphore leave = new Semaphore(0);
    private final CountDownLatch forGood = new CountDownLatch(1);
    private final Set<UUID> running;
    private final Map<UUID, AtomicInteger> byAccount = new ConcurrentHashMap<>();
    final AtomicInteger twice;
    final AtomicInteger began = new AtomicInteger();
    final AtomicInteger interrupted = new AtomicInteger();
    volatile boolean deaf;

    Parking() {
        this(ConcurrentHashMap.newKeySet(), new AtomicInteger());
    }

    private Parking(Set<UUID> running, AtomicInteger twice) {
        this.running = running;
        this.twice = twice;
    }

    /// The same on another node: together they know what runs.
    Parking elsewhere() {
        return new Parking(running, twice);
    }

    @Override
    public Outcome run(Charge charge) throws InterruptedException {
        UUID account = charge.item().accountId();
        if (!running.add(charge.item().id())) {
            twice.incrementAndGet();
        }
        byAccount.computeIfAbsent(account, _ -> new AtomicInteger()).incrementAndGet();
        began.incrementAndGet();
        try {
            await();
            return new Outcome.Completed("{\"n\":1}");
        } finally {
            running.remove(charge.item().id());
            byAccount.get(account).decrementAndGet();
        }
    }

    private void await() throws InterruptedException {
        while (true) {
            try {
                leave.acquire();
                return;
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
                if (!deaf || forGood.getCount() == 0) {
                    throw e;
                }
            }
        }
    }

    int of(UUID account) {
        AtomicInteger mine = byAccount.get(account);
        return mine == null ? 0 : mine.get();
    }

    void let(int count) {
        leave.release(count);
    }

    /// Nothing waits any more.
    void open() {
        forGood.countDown();
        leave.release(1_000_000);
    }
}
