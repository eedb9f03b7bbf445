package io.orchestrion.kernel.memory;

import java.util.LinkedHashMap;
import java.util.Map;

/// A map that forgets what was not asked for longest once it holds too much. Its user locks it.
public final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;
    private static final int AT_MOST = 10_000;

    public BoundedMap() {
        super(64, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > AT_MOST;
    }
}
