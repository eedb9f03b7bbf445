package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.ApprovalSql;
import io.orchestrion.runs.ticket.Ticket;
import io.orchestrion.runs.ticket.TicketSql;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.UUID;

/// What people answer: to tickets, and to calls of tools that need a yes.
public final class TicketVerbs {
    private final Engine engine;
    private final RunVerbs verbs;

    TicketVerbs(Engine engine) {
        this.engine = engine;
        this.verbs = new RunVerbs(engine);
    }

    /// @param ask whose run is not known yet: the ticket says which it is
    public Ack resolve(
            Tx tx, UUID ticket, Request ask, Ticket.Resolution how, @Nullable String note)
            throws SQLException {
        Ticket found = TicketSql.find(tx, ask.account(), ticket);
        if (found == null) {
            return new Ack.NotFound();
        }
        var request = new Request(ask.account(), found.run(), ask.by(), note);
        return verbs.on(
                tx,
                request,
                Commit.RESOLVE_TICKET,
                turn -> {
                    Run run = turn.run();
                    Ticket open = TicketSql.open(tx, ask.account(), run.id());
                    if (open == null || !open.id().equals(ticket)) {
                        return new Ack.WrongStatus(run, found.status().word(), false);
                    }
                    if (how == Ticket.Resolution.CANCEL
                            && !run.status().isOver()
                            && !run.status().mayBecome(RunStatus.CANCELLED)) {
                        return new Ack.WrongStatus(run, run.status().word(), true);
                    }
                    new Tickets(engine, turn).resolve(open, ask.by(), how, note);
                    if (how == Ticket.Resolution.CANCEL && !run.status().isOver()) {
                        new Finish(engine, turn).cancel(ask.by(), note);
                    } else if (how == Ticket.Resolution.RESUME
                            && run.status() == RunStatus.PAUSED) {
                        new Pausing(engine, turn).resume(ask.by(), note);
                    }
                    return new Ack.Done(turn.run(), true);
                });
    }

    void answerByResume(Turn turn, Request request) throws SQLException {
        Ticket open = TicketSql.open(turn.tx(), turn.account(), turn.run().id());
        if (open != null) {
            new Tickets(engine, turn)
                    .resolve(open, request.by(), Ticket.Resolution.RESUME, request.reason());
        }
    }

    /// @param ask whose run is not known yet: the approval says which it is
    public Ack decide(Tx tx, UUID approval, Request ask, boolean approve, @Nullable String note)
            throws SQLException {
        Approval found = ApprovalSql.find(tx, ask.account(), approval);
        if (found == null) {
            return new Ack.NotFound();
        }
        var request = new Request(ask.account(), found.run(), ask.by(), note);
        return verbs.on(
                tx,
                request,
                approve ? Commit.APPROVE_CALL : Commit.REJECT_CALL,
                turn -> {
                    Run run = turn.run();
                    Approval now = ApprovalSql.find(tx, ask.account(), approval);
                    if (now == null || now.status() != Approval.Status.PENDING) {
                        return new Ack.WrongStatus(
                                run, now == null ? "gone" : now.status().word(), false);
                    }
                    if (run.status() != RunStatus.RUNNING) {
                        return new Ack.WrongStatus(run, run.status().word(), true);
                    }
                    new Approvals(engine, turn).decide(now, approve, ask.by(), note);
                    return new Ack.Done(turn.run(), true);
                });
    }
}
