package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.ChunkSql;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.signals.SubjectSeen;
import io.orchestrion.kernel.totals.Tally;
import io.orchestrion.kernel.wake.WakeSink;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;

/// The events of engines' own subjects. They are in the logs of the accounts beside the events of
/// items, with the same cursors, receivers and counts.
public final class SubjectLog {
    /// How many one call may tell.
    public static final int EVENTS_MAX = 1000;

    private final Database database;
    private final Subjects subjects;
    private final WakeSink wake;
    private final Signals signals;

    public SubjectLog(Database database, Subjects subjects, WakeSink wake, Signals signals) {
        this.database = database;
        this.subjects = subjects;
        this.wake = wake;
        this.signals = signals;
    }

    /// The kinds that there are.
    public Subjects kinds() {
        return subjects;
    }

    /// Adds events of subjects of one account, together with the rest of the transaction or not at
    /// all. The caller holds the locks of the subjects and numbers the events of each from 1 on; a
    /// number that exists already fails the transaction.
    public void append(Tx tx, UUID account, List<SubjectEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        if (events.size() > EVENTS_MAX) {
            throw new IllegalArgumentException("more than " + EVENTS_MAX + " events at once");
        }
        var byLog = new LinkedHashMap<String, List<SubjectEvent>>();
        for (SubjectEvent event : events) {
            SubjectKind kind = known(event);
            byLog.computeIfAbsent(kind.log(), _ -> new ArrayList<>()).add(event);
        }
        SubjectSql.insert(tx, account, events);
        byLog.forEach(
                (log, mine) -> {
                    ChunkSql.insert(
                            tx,
                            account,
                            log,
                            mine,
                            SubjectEvent::id,
                            SubjectEvent::seq,
                            tally(mine));
                    tx.afterCommit(() -> wake.happened(account, log));
                    signal(tx, account, log, mine);
                });
    }

    /// Where nobody listens, nothing is collected.
    private void signal(Tx tx, UUID account, String log, List<SubjectEvent> events) {
        if (signals.follows(log)) {
            long nowMs = tx.nowMillis();
            tx.afterCommit(
                    () ->
                            signals.subjects(
                                    events.stream()
                                            .map(event -> seen(account, log, nowMs, event))
                                            .toList()));
        }
    }

    private static SubjectSeen seen(UUID account, String log, long nowMs, SubjectEvent event) {
        return new SubjectSeen(
                log,
                account,
                event.kind(),
                event.id(),
                event.event(),
                event.from(),
                event.to(),
                nowMs,
                event.lastedMs(),
                event.data(),
                event.correlationId(),
                event.told().trace());
    }

    private SubjectKind known(SubjectEvent event) {
        SubjectKind kind = subjects.kind(event.kind());
        if (!kind.events().contains(event.event())
                || unknown(kind, event.from())
                || unknown(kind, event.to())) {
            throw new IllegalArgumentException("not among the words of its kind: " + event);
        }
        return kind;
    }

    private static boolean unknown(SubjectKind kind, @Nullable String state) {
        return state != null && !kind.states().contains(state);
    }

    private static Tally tally(List<SubjectEvent> events) {
        var tally = new Tally();
        for (SubjectEvent event : events) {
            String from = event.from() == null ? "" : event.from();
            String to = event.to() == null ? "" : event.to();
            SubjectEvent.Counted counted = event.counted();
            if (counted == null) {
                add(tally, event, event.kind(), from, to);
            } else if (counted.before().equals(counted.now())) {
                add(tally, event, CountedKind.of(event.kind(), counted.now()), from, to);
            } else {
                tally.addUntimed(
                        CountedKind.of(event.kind(), counted.before()), CountedKind.LEFT, from, "");
                add(tally, event, CountedKind.of(event.kind(), counted.now()), "", to);
            }
        }
        return tally;
    }

    /// One of the subjects that are removed, as it is among the counts.
    ///
    /// @param counted the word beside its kind; empty for none
    /// @param state that it is in
    public record Uncounted(String kind, String counted, String state) {}

    /// Takes removed subjects out of the counts of those that there are, with the rest of the
    /// transaction or not at all. Readers of the log see nothing of it.
    public void uncount(Tx tx, UUID account, List<Uncounted> removed) {
        var byLog = new LinkedHashMap<String, Tally>();
        for (Uncounted one : removed) {
            String kind =
                    one.counted().isEmpty()
                            ? one.kind()
                            : CountedKind.of(one.kind(), one.counted());
            byLog.computeIfAbsent(subjects.kind(one.kind()).log(), _ -> new Tally())
                    .addUntimed(kind, CountedKind.LEFT, one.state(), "");
        }
        byLog.forEach(
                (log, tally) -> {
                    ChunkSql.insert(
                            tx,
                            account,
                            log,
                            List.<SubjectEvent>of(),
                            SubjectEvent::id,
                            SubjectEvent::seq,
                            tally);
                    tx.afterCommit(() -> wake.happened(account, log));
                });
    }

    private static void add(Tally tally, SubjectEvent event, String kind, String from, String to) {
        Long lasted = event.lastedMs();
        Long amount = event.told().amount();
        if (amount != null) {
            tally.addAmount(kind, event.event(), to, amount);
        } else if (lasted == null) {
            tally.addUntimed(kind, event.event(), from, to);
        } else {
            tally.add(kind, event.event(), from, to, false, lasted);
        }
    }

    /// The events of one subject, oldest first.
    ///
    /// @param after the [SubjectEvent#seq] to go on from, 0 for the beginning
    public List<SubjectLine> of(UUID account, UUID subject, int after, int most) {
        return database.transaction(tx -> SubjectSql.of(tx, account, subject, after, most));
    }

    /// Removes the events of subjects that are removed, with their lines in the log.
    public void remove(Tx tx, UUID account, List<UUID> removed) throws SQLException {
        SubjectSql.remove(tx, account, removed);
    }
}
