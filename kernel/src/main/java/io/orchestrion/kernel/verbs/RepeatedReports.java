package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.ReceiptSql.Said;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.Settled;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Answers a holder that sends the same report again, under the same lease, as it was answered
/// first. This is looked up only after a command was refused, so that commands that succeed pay
/// nothing for it.
final class RepeatedReports {
    private RepeatedReports() {}

    /// The answers. Where a refused report had been sent before, its first answer is given instead.
    static List<Ack> known(
            Tx tx,
            UUID account,
            List<CommandRequest> requests,
            Map<UUID, WorkItem> locked,
            List<Ack> acks)
            throws SQLException {
        var known = new HashMap<UUID, Ack>();
        var failures = new ArrayList<Said>();
        for (int i = 0; i < requests.size(); i++) {
            CommandRequest request = requests.get(i);
            Settled settles = request.command().settles();
            WorkItem item = locked.get(request.id());
            if (settles == null || item == null || !(acks.get(i) instanceof Ack.Refused refused)) {
                continue;
            }
            if (request.command() instanceof Command.Fail) {
                failures.add(new Said(request.id(), settles));
            } else if (item.state() == WorkState.SUCCEEDED
                    && settles.equals(item.holding().settled())) {
                // Nothing changes an item after a completion, so the row still is what it was then.
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
        for (int i = 0; i < requests.size(); i++) {
            @Nullable Ack before = known.get(requests.get(i).id());
            answers.add(before == null ? acks.get(i) : before);
        }
        return answers;
    }

    /// Keeps the answers to reported failures, in the transaction of the change.
    static void keep(Tx tx, UUID account, List<CommandRequest> requests, List<Decision> decisions)
            throws SQLException {
        var failures = new ArrayList<Said>();
        for (int i = 0; i < requests.size(); i++) {
            Settled settles = requests.get(i).command().settles();
            if (settles != null
                    && requests.get(i).command() instanceof Command.Fail
                    && decisions.get(i) instanceof Decision.Change(_, var then)
                    && then == null) {
                failures.add(new Said(requests.get(i).id(), settles));
            }
        }
        if (!failures.isEmpty()) {
            ReceiptSql.keepFailures(tx, account, failures);
        }
    }
}
