package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.history.HistoryLine;
import io.orchestrion.kernel.verbs.WorkSql.OutcomeRow;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.StopRequest;
import io.orchestrion.kernel.work.Transition;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// Binds the statement of `work.sql` that writes decided changes; decides nothing.
final class ChangeSql {
    private static final NamedSql SQL = WorkSql.statements();

    private ChangeSql() {}

    /// Writes decided changes. Every row must still be as it was when the change was decided.
    ///
    /// @param outcomes of items that a completion ends, by their ids
    static void apply(
            Tx tx, UUID account, List<Transition> transitions, Map<UUID, OutcomeRow> outcomes)
            throws SQLException {
        Function<Transition, @Nullable OutcomeRow> outcome =
                one -> one.event() == WorkEvent.COMPLETE ? outcomes.get(one.after().id()) : null;
        SQL.on(tx, "guard_rows").later();
        int written =
                SQL.on(tx, "apply")
                        .uuid("account", account)
                        .bigint("tx", tx.id())
                        .column("ids", "uuid", transitions, one -> one.after().id())
                        .column("from_states", "text", transitions, s -> s.before().state().word())
                        .column(
                                "from_leases",
                                "int8",
                                transitions,
                                s -> s.before().lease().number())
                        .column("states", "text", transitions, s -> s.after().state().word())
                        .column(
                                "wait_reasons",
                                "text",
                                transitions,
                                s -> WorkSql.word(s.after().waitReason()))
                        .column("run_ats", "int8", transitions, s -> s.after().turn().runAtMs())
                        .column("orders", "int8", transitions, s -> WorkSql.orderMs(s.after()))
                        .column("attempts", "int4", transitions, s -> s.after().attempt())
                        .column("retries", "int4", transitions, s -> s.after().attempts().retries())
                        .column(
                                "lease_seconds",
                                "int4",
                                transitions,
                                s -> s.after().lease().seconds())
                        .column(
                                "lease_numbers",
                                "int8",
                                transitions,
                                s -> s.after().lease().number())
                        .column("lease_tokens", "uuid", transitions, s -> s.after().lease().token())
                        .column(
                                "lease_untils",
                                "int8",
                                transitions,
                                s -> s.after().lease().untilMs())
                        .column("holders", "text", transitions, s -> s.after().holding().holder())
                        .column(
                                "deadlines",
                                "int8",
                                transitions,
                                s -> s.after().lease().deadlineMs())
                        .column(
                                "cancel_requests",
                                "bool",
                                transitions,
                                s -> s.after().cancelRequested())
                        .column("pause_requests", "bool", transitions, s -> pause(s.after()))
                        .column("give_ups", "int8", transitions, s -> s.after().turn().giveUpMs())
                        .column("updateds", "int8", transitions, s -> s.after().times().updatedMs())
                        .column("claimeds", "int8", transitions, s -> s.after().times().claimedMs())
                        .column(
                                "heartbeats",
                                "int8",
                                transitions,
                                s -> s.after().times().heartbeatMs())
                        .column(
                                "finisheds",
                                "int8",
                                transitions,
                                s -> s.after().times().finishedMs())
                        .column(
                                "faileds",
                                "int8",
                                transitions,
                                s -> s.after().attempts().failedMs())
                        .column(
                                "failures",
                                "text",
                                transitions,
                                s -> s.after().attempts().failure())
                        .column(
                                "event_seqs",
                                "int4",
                                transitions,
                                s -> s.after().place().eventSeq())
                        .column("event_mss", "int8", transitions, s -> s.after().place().eventMs())
                        .column(
                                "purge_afters",
                                "int8",
                                transitions,
                                s -> s.after().times().purgeAfterMs())
                        .column(
                                "settled_tokens",
                                "uuid",
                                transitions,
                                s -> WorkSql.token(s.after().holding().settled()))
                        .column(
                                "settled_digests",
                                "uuid",
                                transitions,
                                s -> WorkSql.digest(s.after().holding().settled()))
                        .column("lines", "text", transitions, ChangeSql::line)
                        .column("reports", "bool", transitions, one -> one.report() != null)
                        .column("errors", "text", transitions, one -> reported(one).error())
                        .column("usages", "text", transitions, one -> reported(one).usage())
                        .column("logs_refs", "text", transitions, one -> reported(one).logsRef())
                        .column("concluded", "bool", transitions, one -> outcome.apply(one) != null)
                        .column(
                                "results",
                                "text",
                                transitions,
                                one -> WorkSql.result(outcome.apply(one)))
                        .column(
                                "output_refs",
                                "text",
                                transitions,
                                one -> WorkSql.outputRef(outcome.apply(one)))
                        .update();
        if (written != transitions.size()) {
            throw new IllegalStateException(
                    written
                            + " of "
                            + transitions.size()
                            + " locked rows were still as decided on");
        }
    }

    private static @Nullable String line(Transition transition) {
        return transition.tells() ? HistoryLine.rest(EventRow.of(transition)) : null;
    }

    /// Null instead of false, because most items were never asked to pause and a null takes no room
    /// in the row.
    private static @Nullable Boolean pause(WorkItem item) {
        return item.holding().stop() == StopRequest.PAUSE ? true : null;
    }

    private static Documents.Reported reported(Transition transition) {
        Report report = transition.report();
        return report == null ? Documents.Reported.NOTHING : Documents.Reported.of(report);
    }
}
