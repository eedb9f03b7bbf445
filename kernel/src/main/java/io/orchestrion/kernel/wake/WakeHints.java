package io.orchestrion.kernel.wake;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.wake.Waiters.Key;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.ObjIntConsumer;

/// Tells the other nodes that there is work or news of it, and hears it from them. Only a hint:
/// sent after the commit, from a connection of its own, many at a time, and nothing is lost when
/// it is not heard, because waiting claimers look for themselves every second. Never inside the
/// hot transaction, where NOTIFY halves the throughput (decision 7), and not at all while nobody
/// else listens, which is looked for now and then.
public final class WakeHints implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WakeHints.class);
    private static final int DISTINCT_AT_MOST = 1000;
    private static final long RETRY_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// A node that has just come looks for itself as often.
    private static final long ALONE_FOR_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TOGETHER_FOR_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// In place of a kind, which is never empty.
    private static final String NEWS = "";

    private final HintsSql sql;
    private final ObjIntConsumer<Key> ready;
    private final BiConsumer<UUID, String> news;
    private final String node = UUID.randomUUID().toString();
    private final Map<Key, Integer> unsent = new LinkedHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread sender;
    private final Thread listener;
    private boolean heardByOthers;
    private long lookAgainNanos = System.nanoTime();

    /// @param ready told of what another node has made ready, and how much of it
    /// @param news told of the account and queue that something happened to on another node
    public WakeHints(Database database, ObjIntConsumer<Key> ready, BiConsumer<UUID, String> news) {
        this.sql = new HintsSql(database);
        this.ready = ready;
        this.news = news;
        this.sender = Thread.ofPlatform().daemon().name("wake-sender").unstarted(this::send);
        this.listener = Thread.ofPlatform().daemon().name("wake-listener").unstarted(this::listen);
    }

    public void start() {
        sender.start();
        listener.start();
    }

    /// Notes the hint; the sender takes all that came together. Beyond the bound it is dropped,
    /// which costs the other nodes at most their next look.
    public void ready(Key key, int count) {
        synchronized (unsent) {
            if (unsent.size() < DISTINCT_AT_MOST || unsent.containsKey(key)) {
                unsent.merge(key, count, Integer::sum);
                unsent.notifyAll();
            }
        }
    }

    /// Notes that there are new events, in the same way.
    public void happened(UUID accountId, String queue) {
        ready(new Key(accountId, queue, NEWS), 0);
    }

    private void heard(Key key, int count) {
        if (key.kind().equals(NEWS)) {
            news.accept(key.accountId(), key.queue());
        } else {
            ready.accept(key, count);
        }
    }

    private void send() {
        var pace = new HintPace(System.nanoTime());
        while (!closed.get()) {
            try {
                Map<Key, Integer> batch = takeUnsent();
                if (heardByOthers()) {
                    sql.send(node, batch);
                    pause(pace.sent(System.nanoTime()));
                } else {
                    // Hints that are noted during the pause are for listeners that have come by
                    // then.
                    pause(lookAgainNanos - System.nanoTime());
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.debug("hints could not be sent", e);
                quietPause();
            }
        }
        sql.closeSender();
    }

    private boolean heardByOthers() {
        long now = System.nanoTime();
        if (now - lookAgainNanos >= 0) {
            heardByOthers = sql.othersListen();
            lookAgainNanos = now + (heardByOthers ? TOGETHER_FOR_NANOS : ALONE_FOR_NANOS);
        }
        return heardByOthers;
    }

    private Map<Key, Integer> takeUnsent() throws InterruptedException {
        synchronized (unsent) {
            while (unsent.isEmpty()) {
                unsent.wait();
            }
            var batch = new LinkedHashMap<>(unsent);
            unsent.clear();
            return batch;
        }
    }

    private void listen() {
        while (!closed.get()) {
            try {
                sql.listen(node, this::heard, closed::get);
            } catch (RuntimeException e) {
                log.debug("hints are not heard for now", e);
                quietPause();
            }
        }
    }

    private void pause(long nanos) throws InterruptedException {
        synchronized (closed) {
            if (!closed.get() && nanos > 0) {
                TimeUnit.NANOSECONDS.timedWait(closed, nanos);
            }
        }
    }

    private void quietPause() {
        try {
            pause(RETRY_AFTER_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.set(true);
        synchronized (closed) {
            closed.notifyAll();
        }
        sender.interrupt();
        listener.interrupt();
    }
}
