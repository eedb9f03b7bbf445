package io.orchestrion.kernel.action;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The functions of all engines of one kernel. Engines register theirs before the kernel starts.
public final class Actions {
    private final Map<String, Action> byName = new ConcurrentHashMap<>();

    /// @param name such as `execution.start`: the engine's noun, then what is done
    /// @throws IllegalStateException if another engine has the name
    public void add(String name, Action action) {
        if (byName.putIfAbsent(name, action) != null) {
            throw new IllegalStateException("the function " + name + " is there twice");
        }
    }

    /// What is registered, also what will be.
    public Set<String> names() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    public @Nullable Action named(String name) {
        return byName.get(name);
    }
}
