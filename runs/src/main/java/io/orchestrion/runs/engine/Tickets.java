package io.orchestrion.runs.engine;

import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.policy.ErrorWindow;
import io.orchestrion.runs.policy.EscalationTrigger;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.ticket.Ticket;
import io.orchestrion.runs.ticket.TicketSql;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Objects;

/// Calls people for a run: one ticket at a time, and further calls add to it.
final class Tickets {
    /// Why a run is paused that waits for what people say about its ticket.
    static final String ESCALATED = "escalated";

    private final Engine engine;
    private final Turn turn;

    Tickets(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// @param holds whether the run waits for an answer
    /// @param window of the errors that were looked at; null where they are not the reason
    void call(
            EscalationTrigger trigger,
            @Nullable String code,
            String message,
            boolean holds,
            @Nullable ErrorWindow window)
            throws SQLException {
        Commit.ESCALATE.in(turn.tx());
        turn.flush();
        Run run = turn.run();
        Ticket open = TicketSql.open(turn.tx(), run.account(), run.id());
        Ticket now;
        if (open == null) {
            now =
                    new Ticket(
                            turn.nextId(),
                            run.id(),
                            1,
                            Ticket.Status.OPEN,
                            new Ticket.Trigger(trigger.word(), 0, null),
                            new Ticket.Cause(
                                    code,
                                    Objects.requireNonNullElse(Redaction.summary(message), "")),
                            holds,
                            turn.nowMs(),
                            null);
            TicketSql.insert(turn.tx(), run.account(), now);
            engine.callOut(turn, now);
        } else {
            now = open.calledAgain(trigger.word(), holds);
            TicketSql.update(turn.tx(), run.account(), now);
        }
        turn.tell(Subjects.of(open, now, Requester.ENGINE));
        turn.change(run.with(run.note().ticket(now.id(), true)));
        turn.tell(Subjects.ESCALATED, trigger.word(), trigger.word());
        RunLines.escalated(
                turn.tx(), run, trigger, code, message, window, engine.options().policy());
        if (holds) {
            new Pausing(engine, turn).pause(Requester.ENGINE, ESCALATED, trigger.word());
        }
    }

    /// Somebody has said how it goes on.
    Ticket resolve(Ticket open, Requester by, Ticket.Resolution how, @Nullable String note) {
        return answer(
                open,
                Ticket.Status.RESOLVED,
                new Ticket.Answer(turn.nowMs(), by.word(), how, note),
                by);
    }

    private Ticket answer(Ticket open, Ticket.Status to, Ticket.Answer answer, Requester by) {
        Ticket now = open.answered(to, answer);
        TicketSql.update(turn.tx(), turn.account(), now);
        turn.tell(Subjects.of(open, now, by));
        Run run = turn.run();
        turn.change(run.with(run.note().ticket(now.id(), false).windowFrom(turn.nowMs())));
        return now;
    }

    /// A run that has ended waits for nobody.
    void closeWithRun() throws SQLException {
        Run run = turn.run();
        if (!run.note().escalated() || run.status() == RunStatus.PAUSED) {
            return;
        }
        turn.flush();
        Ticket open = TicketSql.open(turn.tx(), run.account(), run.id());
        if (open != null) {
            answer(
                    open,
                    Ticket.Status.CLOSED,
                    new Ticket.Answer(
                            turn.nowMs(),
                            Requester.ENGINE.word(),
                            Ticket.Resolution.OVER,
                            "the run is " + run.status().word()),
                    Requester.ENGINE);
        }
    }
}
