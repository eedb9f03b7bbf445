package io.orchestrion.kernel.events;

import io.orchestrion.kernel.events.EventFeed.Scan;
import io.orchestrion.kernel.events.EventsSql.Seen;
import io.orchestrion.kernel.fault.CoreThread;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Those who follow logs on this node, and the one thread that looks for them. However many follow,
/// the database is asked at most every few milliseconds, for all logs that are due at once. A log
/// with news is looked at soon, and then at growing intervals, because another node may be placing
/// its events at that moment. Each log is looked at once a second in any case. The thread lives as
/// long as anybody follows.
final class Followers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Followers.class);
    private static final long SOON = Duration.ofMillis(20).toNanos();
    private static final long POLL = Duration.ofSeconds(1).toNanos();

    private record Key(UUID accountId, String queue) {}

    /// A log that somebody follows.
    private static final class Channel {
        final Set<Entry> entries = new LinkedHashSet<>();
        final ReentrantLock reading = new ReentrantLock();
        long seen = -1;
        long lookAt = System.nanoTime();
        long pause = POLL;
        @Nullable Recent recent;
    }

    private record Recent(EventCursor after, int most, Scan scan) {}

    /// Somebody who follows a log.
    final class Entry implements AutoCloseable {
        private final Key key;
        private final Channel channel;
        private final Runnable wake;

        private Entry(Key key, Channel channel, Runnable wake) {
            this.key = key;
            this.channel = channel;
            this.wake = wake;
        }

        /// The last part that anybody here read also serves others who ask from the same place,
        /// because events between two places of the log do not change.
        Scan scan(EventCursor after, int most, Supplier<Scan> look) {
            channel.reading.lock();
            try {
                Recent recent = channel.recent;
                if (recent != null && recent.after.equals(after) && recent.most == most) {
                    return recent.scan;
                }
                Scan scan = look.get();
                if (!scan.events().isEmpty()) {
                    channel.recent = new Recent(after, most, scan);
                }
                return scan;
            } finally {
                channel.reading.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                channel.entries.remove(this);
                if (channel.entries.isEmpty()) {
                    channels.remove(key, channel);
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final UnaryOperator<List<Seen>> moved;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Key, Channel> channels = new HashMap<>();
    private @Nullable Thread looker;
    private long lastLook = System.nanoTime() - SOON;
    private boolean closed;

    /// @param moved given logs with what was seen of them, returns those that have something beyond
    ///     it, and up to where
    Followers(UnaryOperator<List<Seen>> moved) {
        this.moved = moved;
    }

    Entry add(UUID account, String queue, Runnable wake) {
        lock.lock();
        try {
            var key = new Key(account, queue);
            Channel channel = channels.computeIfAbsent(key, _ -> new Channel());
            var entry = new Entry(key, channel, wake);
            channel.entries.add(entry);
            changed.signalAll();
            if (looker == null && !closed) {
                looker = CoreThread.start("event-looker", this::look);
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    void told(UUID account, String queue) {
        lock.lock();
        try {
            Channel channel = channels.get(new Key(account, queue));
            if (channel != null) {
                lookSoon(channel);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The same of all logs of the account.
    void told(UUID account) {
        lock.lock();
        try {
            channels.forEach(
                    (key, channel) -> {
                        if (key.accountId().equals(account)) {
                            lookSoon(channel);
                        }
                    });
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static void lookSoon(Channel channel) {
        long now = System.nanoTime();
        channel.pause = SOON;
        if (channel.lookAt - now > 0) {
            channel.lookAt = now;
        }
    }

    int count() {
        lock.lock();
        try {
            return channels.values().stream().mapToInt(channel -> channel.entries.size()).sum();
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        try {
            for (List<Seen> due = due(); !due.isEmpty(); due = due()) {
                try {
                    moved.apply(due).forEach(this::wake);
                } catch (RuntimeException e) {
                    log.debug("the events could not be looked at", e);
                }
            }
        } catch (InterruptedException e) {
            // Closed.
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for the next logs to look at; returns none when nobody follows any more.
    private List<Seen> due() throws InterruptedException {
        lock.lock();
        try {
            while (!channels.isEmpty() && !closed) {
                long now = System.nanoTime();
                // News that comes within this time is looked at together.
                long rest = lastLook + SOON - now;
                if (rest > 0) {
                    changed.awaitNanos(rest);
                    continue;
                }
                long wait = POLL;
                var due = new ArrayList<Seen>();
                for (var each : channels.entrySet()) {
                    Channel channel = each.getValue();
                    if (channel.lookAt - now <= 0) {
                        due.add(
                                new Seen(
                                        each.getKey().accountId(),
                                        each.getKey().queue(),
                                        channel.seen));
                        channel.lookAt = now + channel.pause;
                        channel.pause = Math.min(POLL, channel.pause * 2);
                    } else {
                        wait = Math.min(wait, channel.lookAt - now);
                    }
                }
                if (!due.isEmpty()) {
                    lastLook = now;
                    return due;
                }
                changed.awaitNanos(wait);
            }
            looker = null;
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    private void wake(Seen found) {
        List<Entry> entries;
        lock.lock();
        try {
            Channel channel = channels.get(new Key(found.accountId(), found.queue()));
            if (channel == null) {
                return;
            }
            channel.seen = found.position();
            entries = List.copyOf(channel.entries);
        } finally {
            lock.unlock();
        }
        entries.forEach(entry -> entry.wake.run());
    }

    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = looker;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.interrupt();
        }
    }
}
