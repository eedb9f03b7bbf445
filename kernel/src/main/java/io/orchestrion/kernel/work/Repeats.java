package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.ReceiptSql.Said;
import io.orchestrion.kernel.work.WorkItem.Settled;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Gives a holder that says the same again, under the same lease, the answer it did not hear. Only
/// asked once a command is refused, so that it costs nothing on the way of those that hold.
final class Repeats {
    private Repeats() {}

    /// The answers, with each refusal of something that was said before replaced by what came of
    /// it then.
    static List<Ack> known(
            Tx tx, UUID account, List<Order> orders, Map<UUID, WorkItem> locked, List<Ack> acks)
            throws SQLException {
        var known = new HashMap<UUID, Ack>();
        var failures = new ArrayList<Said>();
        for (int i = 0; i < orders.size(); i++) {
            Order order = orders.get(i);
            Settled settles = order.command().settles();
            WorkItem item = locked.get(order.id());
            if (settles == null || item == null || !(acks.get(i) instanceof Ack.Refused refused)) {
                continue;
            }
            if (order.command() instanceof Command.Fail) {
                failures.add(new Said(order.id(), settles));
            } else if (item.state() == WorkState.SUCCEEDED
                    && settles.equals(item.holding().settled())) {
                // Nothing follows a completion, so the row is still what it was.
                known.put(item.id(), new Ack.Repeated(item, null, refused.nowMs()));
            }
        }
        if (!failures.isEmpty()) {
            for (ReceiptSql.Left left : ReceiptSql.failures(tx, account, failures)) {
                known.put(left.item().id(), new Ack.Repeated(left.item(), null, left.atMs()));
            }
        }
        if (known.isEmpty()) {
            return acks;
        }
        var answers = new ArrayList<Ack>();
        for (int i = 0; i < orders.size(); i++) {
            @Nullable Ack before = known.get(orders.get(i).id());
            answers.add(before == null ? acks.get(i) : before);
        }
        return answers;
    }

    /// Keeps what the failures among the orders came to, beside the change itself.
    static void keep(Tx tx, UUID account, List<Order> orders, List<Decision> decisions)
            throws SQLException {
        var failures = new ArrayList<Said>();
        for (int i = 0; i < orders.size(); i++) {
            Settled settles = orders.get(i).command().settles();
            if (settles != null
                    && orders.get(i).command() instanceof Command.Fail
                    && decisions.get(i) instanceof Decision.Change(_, var then)
                    && then == null) {
                failures.add(new Said(orders.get(i).id(), settles));
            }
        }
        if (!failures.isEmpty()) {
            ReceiptSql.keepFailures(tx, account, failures);
        }
    }
}
