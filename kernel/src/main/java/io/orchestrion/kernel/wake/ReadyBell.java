package io.orchestrion.kernel.wake;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Rings for code that looks at a whole queue, over all accounts and kinds. Like every wake-up it
/// is only a hint: whoever hears it looks for work, and also looks now and then without it.
public final class ReadyBell {
    private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();

    public void onRing(String queue, Runnable listener) {
        listeners.computeIfAbsent(queue, _ -> new CopyOnWriteArrayList<>()).add(listener);
    }

    public void ring(String queue) {
        List<Runnable> mine = listeners.get(queue);
        if (mine != null) {
            mine.forEach(Runnable::run);
        }
    }
}
