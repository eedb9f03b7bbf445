package io.orchestrion.runs.engine;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;

/// Rows of one table that a turn has locked, as they are now, and which of them are not written.
final class Rows<T, S> {
    private final Function<T, UUID> id;
    private final Function<T, S> status;
    private final BiPredicate<S, S> allowed;
    private final Map<UUID, T> known = new HashMap<>();
    private final Map<UUID, S> stored = new HashMap<>();
    private final Map<UUID, T> changed = new LinkedHashMap<>();

    /// @param allowed whether the database takes a change of status
    Rows(Function<T, UUID> id, Function<T, S> status, BiPredicate<S, S> allowed) {
        this.id = id;
        this.status = status;
        this.allowed = allowed;
    }

    @Nullable T find(UUID key) {
        return known.get(key);
    }

    /// Takes in rows that were read. What is known already is newer, or the same.
    List<T> read(List<T> rows) {
        var now = new ArrayList<T>();
        for (T row : rows) {
            stored.putIfAbsent(id.apply(row), status.apply(row));
            now.add(known.computeIfAbsent(id.apply(row), _ -> row));
        }
        return now;
    }

    /// Whether the database would see a change that is none of the table's: what lies between has
    /// to be written before.
    boolean leaps(T now) {
        S last = stored.get(id.apply(now));
        T before = changed.get(id.apply(now));
        return last != null
                && before != null
                && !status.apply(now).equals(last)
                && !status.apply(now).equals(status.apply(before))
                && !status.apply(before).equals(last)
                && !allowed.test(last, status.apply(now));
    }

    void put(T now) {
        known.put(id.apply(now), now);
        changed.put(id.apply(now), now);
    }

    void write(Consumer<List<T>> update) {
        if (!changed.isEmpty()) {
            List<T> rows = List.copyOf(changed.values());
            update.accept(rows);
            rows.forEach(row -> stored.put(id.apply(row), status.apply(row)));
            changed.clear();
        }
    }

    void clear() {
        known.clear();
        stored.clear();
        changed.clear();
    }
}
