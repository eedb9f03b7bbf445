package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.bulk.BulkSql.Seen;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Puts dead items back into their queue, at once and with an entry in the audit log: both or
/// neither. For more than fit into one transaction there are operations, see [Bulk].
public final class DeadLetters {
    public static final int REQUEUED_MAX = 1000;

    public static final String ONE_REQUEUED = "dead_letter.requeued";
    public static final String MANY_REQUEUED = "dead_letters.requeued";

    /// The most rows that are looked at in one call, in parts.
    private static final int SCANNED_MAX = 20_000;
    private static final int SCAN = 1000;

    private final Database database;
    private final WorkVerbs verbs;

    public DeadLetters(Database database, WorkVerbs verbs) {
        this.database = database;
        this.verbs = verbs;
    }

    /// The items that were requeued.
    ///
    /// @param more whether there may be others that match
    public record Requeued(List<UUID> ids, boolean more) {}

    /// Puts one back, with all its attempts.
    ///
    /// @param why in the words of who asks
    public Ack requeue(UUID account, Actor actor, Profile profile, UUID id, @Nullable String why) {
        return database.transaction(
                tx -> {
                    Ack ack = reopen(tx, account, profile, List.of(id)).getFirst();
                    if (ack instanceof Ack.Applied) {
                        Audit.write(
                                tx,
                                account,
                                actor,
                                ONE_REQUEUED,
                                Subject.of(profile.name(), id),
                                Detail.none().text("reason", why));
                    }
                    return ack;
                });
    }

    /// Puts back those that fit the filter, oldest first.
    ///
    /// @param filter of dead items, see [#dead]
    /// @param most from 1 to [#REQUEUED_MAX]
    public Requeued requeue(
            UUID account,
            Actor actor,
            Profile profile,
            BulkFilter filter,
            int most,
            @Nullable String why) {
        if (most < 1 || most > REQUEUED_MAX) {
            throw new IllegalArgumentException("limit must be from 1 to " + REQUEUED_MAX);
        }
        if (!filter.states().equals(Set.of(WorkState.DEAD))) {
            throw new IllegalArgumentException("only dead items are put back");
        }
        return database.transaction(
                tx -> {
                    Requeued done = requeueFitting(tx, account, profile, filter, most);
                    Audit.write(
                            tx,
                            account,
                            actor,
                            MANY_REQUEUED,
                            new Subject("queue", profile.queue()),
                            Detail.none()
                                    .number("requeued", done.ids().size())
                                    .number("limit", most)
                                    .text("kind", filter.kind())
                                    .text("failureContains", filter.failureContains())
                                    .text("reason", why));
                    return done;
                });
    }

    /// A filter of dead items: those of a kind, of a failure, or named ones.
    public static BulkFilter dead(
            @Nullable String kind, @Nullable String failureContains, List<UUID> ids) {
        return new BulkFilter(Set.of(WorkState.DEAD), kind, null, null, null, failureContains, ids);
    }

    private Requeued requeueFitting(
            Tx tx, UUID account, Profile profile, BulkFilter filter, int most) throws SQLException {
        var fitting = new ArrayList<UUID>();
        UUID reached = filter.firstId();
        boolean end = false;
        for (int scanned = 0; scanned < SCANNED_MAX && !end && fitting.size() <= most; ) {
            List<Seen> seen =
                    BulkSql.scan(tx, account, profile, filter, reached, tx.nowMillis(), SCAN);
            seen.stream().filter(Seen::fits).map(Seen::id).forEach(fitting::add);
            scanned += seen.size();
            end = seen.size() < SCAN;
            reached = seen.isEmpty() ? reached : seen.getLast().id();
        }
        boolean more = !end || fitting.size() > most;
        List<UUID> chosen = fitting.subList(0, Math.min(most, fitting.size()));
        List<Ack> acks = chosen.isEmpty() ? List.of() : reopen(tx, account, profile, chosen);
        var done = new ArrayList<UUID>();
        for (Ack ack : acks) {
            if (ack instanceof Ack.Applied applied) {
                done.add(applied.item().id());
            }
        }
        return new Requeued(List.copyOf(done), more);
    }

    private List<Ack> reopen(Tx tx, UUID account, Profile profile, List<UUID> ids)
            throws SQLException {
        return verbs.execute(
                tx,
                account,
                ids.stream()
                        .map(
                                id ->
                                        new CommandRequest(
                                                account, profile, id, new Command.Reopen(), false))
                        .toList());
    }
}
