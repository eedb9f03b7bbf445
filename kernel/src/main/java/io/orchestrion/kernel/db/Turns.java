package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// Queues callers that wait for the lock of one row. On this node one at a time asks for each row,
/// in the order in which they came, and the others wait without a connection. So the callers of one
/// row take one connection of the pool, however many they are. A caller that waits longer for its
/// turn than a lock may take is refused in the same way.
public final class Turns<K> {
    private static final class Turn {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    private final Duration most;
    private final Map<K, Turn> turns = new HashMap<>();

    /// @param most how long somebody may wait for its turn
    public Turns(Duration most) {
        this.most = most;
    }

    public <T extends @Nullable Object> T inTurn(K key, Supplier<T> body) {
        Turn turn;
        synchronized (turns) {
            turn = turns.computeIfAbsent(key, _ -> new Turn());
            turn.users++;
        }
        try {
            if (!turn.lock.tryLock(most.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new StoreException(
                        StoreException.Kind.LOCKED, "others before this one waited for " + most);
            }
            try {
                return body.get();
            } finally {
                turn.lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        } finally {
            synchronized (turns) {
                turn.users--;
                if (turn.users == 0) {
                    turns.remove(key);
                }
            }
        }
    }
}
