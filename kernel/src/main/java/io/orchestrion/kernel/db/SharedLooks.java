package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/// Lets many callers that look for the same thing at the same time share one look. At most one look
/// for each thing is under way, and callers that come meanwhile share the one after it. So a crowd
/// of one caller takes one connection of the pool, whatever its size. Nobody gets what was seen
/// before it asked.
public final class SharedLooks<K, V extends @Nullable Object> {
    private final Function<K, V> look;
    private final Map<K, Line> lines = new HashMap<>();

    private final class Line {
        private CompletableFuture<V> underWay;
        private @Nullable CompletableFuture<V> next;

        Line(CompletableFuture<V> underWay) {
            this.underWay = underWay;
        }
    }

    /// @param look asks the database
    public SharedLooks(Function<K, V> look) {
        this.look = look;
    }

    public V of(K key) {
        while (true) {
            var mine = new CompletableFuture<V>();
            CompletableFuture<V> before = null;
            CompletableFuture<V> shared = null;
            synchronized (lines) {
                Line line = lines.get(key);
                if (line == null) {
                    lines.put(key, new Line(mine));
                } else if (line.next == null) {
                    line.next = mine;
                    before = line.underWay;
                } else {
                    shared = line.next;
                }
            }
            if (shared == null) {
                return looked(key, mine, before);
            }
            try {
                return await(shared);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof StoreException failure) {
                    throw failure;
                }
                // The look ended for a reason of the one who looked, such as its deadline.
            }
        }
    }

    private V looked(K key, CompletableFuture<V> mine, @Nullable CompletableFuture<V> before) {
        if (before != null) {
            // However it ended, and however little time is left: somebody may wait for this one.
            before.exceptionally(_ -> null).join();
            synchronized (lines) {
                Line line = lines.get(key);
                if (line != null) {
                    line.underWay = mine;
                    line.next = null;
                }
            }
        }
        try {
            V seen = look.apply(key);
            over(key);
            mine.complete(seen);
            return seen;
        } catch (RuntimeException | Error e) {
            over(key);
            mine.completeExceptionally(e);
            throw e;
        }
    }

    private void over(K key) {
        synchronized (lines) {
            Line line = lines.get(key);
            if (line != null && line.next == null) {
                lines.remove(key);
            }
        }
    }

    private static <V extends @Nullable Object> V await(CompletableFuture<V> shared)
            throws ExecutionException {
        try {
            return Deadline.set()
                    ? shared.get(
                            Math.max(0, Deadline.nanosLeft(Long.MAX_VALUE)), TimeUnit.NANOSECONDS)
                    : shared.get();
        } catch (TimeoutException e) {
            throw new DeadlinePassed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }
}
