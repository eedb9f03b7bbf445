package io.orchestrion.kernel.dependency;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;

/// An order in which things that name each other can be made, each after those it names. Names
/// that are not among them are taken for things that are there already.
public final class DependencyOrder {
    private DependencyOrder() {}

    /// What came of it.
    public sealed interface Found<T> {}

    /// All of them, each after those it names.
    public record Ordered<T>(List<T> order) implements Found<T> {}

    /// Some that name each other in a ring, each naming the next and the last naming the first.
    public record Cycle<T>(List<T> ring) implements Found<T> {}

    /// @param names for each, in their given order, those it names
    public static <T> Found<T> of(SequencedMap<T, ? extends List<T>> names) {
        var left = new LinkedHashMap<T, Set<T>>();
        var namedBy = new HashMap<T, List<T>>();
        names.forEach(
                (one, named) -> {
                    var inside = new HashSet<>(named);
                    inside.retainAll(names.keySet());
                    left.put(one, inside);
                    inside.forEach(
                            each -> namedBy.computeIfAbsent(each, _ -> new ArrayList<>()).add(one));
                });
        var order = new ArrayList<T>();
        var free = new ArrayDeque<T>();
        left.forEach(
                (one, inside) -> {
                    if (inside.isEmpty()) {
                        free.add(one);
                    }
                });
        while (!free.isEmpty()) {
            T next = free.remove();
            order.add(next);
            for (T waiting : namedBy.getOrDefault(next, List.of())) {
                Set<T> inside = left.getOrDefault(waiting, Set.of());
                inside.remove(next);
                if (inside.isEmpty()) {
                    free.add(waiting);
                }
            }
        }
        order.forEach(left::remove);
        return left.isEmpty() ? new Ordered<>(order) : new Cycle<>(ring(left));
    }

    /// Each item that is left depends on another that is left. So following the dependencies leads
    /// back to an item that was passed before.
    private static <T> List<T> ring(Map<T, Set<T>> left) {
        var path = new ArrayList<T>();
        T at = left.keySet().iterator().next();
        while (!path.contains(at)) {
            path.add(at);
            at = left.getOrDefault(at, Set.of()).iterator().next();
        }
        return List.copyOf(path.subList(path.indexOf(at), path.size()));
    }
}
