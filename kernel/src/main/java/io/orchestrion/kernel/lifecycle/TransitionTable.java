package io.orchestrion.kernel.lifecycle;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// A state machine as rows of data: the guard, the diagram, the database's own check and the tests
/// that list untaken rows all read this one table.
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {

    /// One allowed change.
    public record Row<S, E>(S from, E event, S to) {}

    private final Set<Row<S, E>> rows;

    private TransitionTable(Collection<Row<S, E>> rows) {
        this.rows = new LinkedHashSet<>(rows);
    }

    public static <S extends Enum<S>, E extends Enum<E>> TransitionTable<S, E> empty() {
        return new TransitionTable<>(List.of());
    }

    /// This table and one more row; a row given twice is a mistake in the table.
    public TransitionTable<S, E> row(S from, E event, S to) {
        var extended = new LinkedHashSet<>(rows);
        if (!extended.add(new Row<>(from, event, to))) {
            throw new IllegalArgumentException("row given twice: " + from + " " + event + " " + to);
        }
        return new TransitionTable<>(extended);
    }

    /// The rows that a narrower machine keeps.
    public TransitionTable<S, E> only(Predicate<Row<S, E>> kept) {
        return new TransitionTable<>(rows.stream().filter(kept).toList());
    }

    public boolean allows(S from, E event, S to) {
        return rows.contains(new Row<>(from, event, to));
    }

    /// Whether the event may happen at all in this state, wherever it leads.
    public boolean allows(S from, E event) {
        return rows.stream().anyMatch(row -> row.from() == from && row.event() == event);
    }

    public Set<S> targets(S from, E event) {
        return rows.stream()
                .filter(row -> row.from() == from && row.event() == event)
                .map(Row::to)
                .collect(Collectors.toUnmodifiableSet());
    }

    public Set<Row<S, E>> rows() {
        return Set.copyOf(rows);
    }

    public List<Row<S, E>> rowsInOrder() {
        return List.copyOf(rows);
    }
}
