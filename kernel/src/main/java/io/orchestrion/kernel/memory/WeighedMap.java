package io.orchestrion.kernel.memory;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/// Remembers values of very different size up to a weight in all, and then forgets what was not
/// asked for longest. For many threads.
public final class WeighedMap<K, V> {
    private final LinkedHashMap<K, V> entries = new LinkedHashMap<>(64, 0.75f, true);
    private final long atMost;
    private final ToLongFunction<V> weight;
    private long held;

    public WeighedMap(long atMost, ToLongFunction<V> weight) {
        this.atMost = atMost;
        this.weight = weight;
    }

    public synchronized @Nullable V get(K key) {
        return entries.get(key);
    }

    /// A value that is heavier than the whole bound is not kept.
    public synchronized void put(K key, V value) {
        remove(key);
        entries.put(key, value);
        held += weight.applyAsLong(value);
        var eldest = entries.entrySet().iterator();
        while (held > atMost && eldest.hasNext()) {
            held -= weight.applyAsLong(eldest.next().getValue());
            eldest.remove();
        }
    }

    public synchronized void remove(K key) {
        V gone = entries.remove(key);
        if (gone != null) {
            held -= weight.applyAsLong(gone);
        }
    }

    public synchronized void removeIf(Predicate<K> which) {
        entries.entrySet()
                .removeIf(
                        entry -> {
                            boolean goes = which.test(entry.getKey());
                            if (goes) {
                                held -= weight.applyAsLong(entry.getValue());
                            }
                            return goes;
                        });
    }

    public synchronized int size() {
        return entries.size();
    }
}
