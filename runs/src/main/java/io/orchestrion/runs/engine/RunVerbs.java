package io.orchestrion.runs.engine;

import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.credit.CreditSubjects;
import io.orchestrion.runs.credit.Reservation;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Credits;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunListener;
import io.orchestrion.runs.run.Times;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;

/// What people ask of whole runs, in the transaction of the caller. Each change is in the audit log
/// with who asked and why.
public final class RunVerbs {
    private final Engine engine;

    RunVerbs(Engine engine) {
        this.engine = engine;
    }

    /// Credits are reserved and the driver's item is there, or neither.
    public Ack start(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.START,
                turn -> {
                    Run run = turn.run();
                    if (run.status() == RunStatus.PENDING || run.status() == RunStatus.RUNNING) {
                        return new Ack.Done(run, false);
                    }
                    if (run.status() != RunStatus.CREATED) {
                        return Ack.wrong(run);
                    }
                    BigDecimal amount =
                            engine.options().prices().reservation(run.bounds().tokens());
                    if (engine.ledger().balance(tx, run.account()).available().compareTo(amount)
                            >= 0) {
                        turn.last(() -> reserveOrAgain(tx, run, amount));
                    } else if (reserved(tx, run, amount)
                            instanceof Reservation.Insufficient(var needed, var available)) {
                        return new Ack.InsufficientCredits(run, needed, available);
                    }
                    turn.tell(CreditSubjects.reserved(run.id(), run.attempt(), amount));
                    turn.change(run.with(Credits.reserved(amount)));
                    Lifecycle.change(turn, RunStatus.PENDING, request.by(), request.reason());
                    RecordSql.begin(tx, run.account(), run.id(), run.attempt(), amount);
                    engine.enqueueDriver(turn, "start", null);
                    return new Ack.Done(turn.run(), true);
                });
    }

    private Reservation reserved(Tx tx, Run run, BigDecimal amount) throws SQLException {
        return engine.ledger().reserve(tx, run.account(), run.id(), run.attempt(), amount);
    }

    /// There was enough at a look without the lock. If somebody took it meanwhile, nothing of the
    /// start is kept, and the next try sees what is left.
    private void reserveOrAgain(Tx tx, Run run, BigDecimal amount) throws SQLException {
        if (reserved(tx, run, amount) instanceof Reservation.Insufficient) {
            throw new StoreException(
                    StoreException.Kind.CONFLICT, "another run has reserved the credits");
        }
    }

    public Ack pause(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.PAUSE,
                turn -> {
                    Run run = turn.run();
                    if (run.status() == RunStatus.PAUSED) {
                        return new Ack.Done(run, false);
                    }
                    if (run.status() != RunStatus.RUNNING) {
                        return Ack.wrong(run);
                    }
                    new Pausing(engine, turn).pause(request.by(), "requested", request.reason());
                    return new Ack.Done(turn.run(), true);
                });
    }

    public Ack resume(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.RESUME,
                turn -> {
                    Run run = turn.run();
                    if (run.status() == RunStatus.RUNNING || run.status() == RunStatus.RESUMING) {
                        return new Ack.Done(run, false);
                    }
                    if (run.status() != RunStatus.PAUSED) {
                        return Ack.wrong(run);
                    }
                    if (run.note().escalated()) {
                        // Whoever has it go on has answered the ticket.
                        new TicketVerbs(engine).answerByResume(turn, request);
                    }
                    new Pausing(engine, turn).resume(request.by(), request.reason());
                    return new Ack.Done(turn.run(), true);
                });
    }

    public Ack cancel(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.CANCEL,
                turn -> {
                    Run run = turn.run();
                    if (run.status() == RunStatus.CANCELLED) {
                        return new Ack.Done(run, false);
                    }
                    if (!run.status().mayBecome(RunStatus.CANCELLED)) {
                        boolean passing =
                                run.status() == RunStatus.RESUMING
                                        || run.status() == RunStatus.RETRYING;
                        return new Ack.WrongStatus(run, run.status().word(), passing);
                    }
                    new Finish(engine, turn).cancel(request.by(), request.reason());
                    return new Ack.Done(turn.run(), true);
                });
    }

    /// A person may have repaired what a program cannot know of, so that any error may be retried.
    public Ack retry(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.RETRY,
                turn -> {
                    Run run = turn.run();
                    if (run.status() == RunStatus.RETRYING) {
                        return new Ack.Done(run, false);
                    }
                    if (run.status() != RunStatus.FAILED) {
                        return Ack.wrong(run);
                    }
                    if (run.attempt() >= run.bounds().attempts()) {
                        return new Ack.MaxAttempts(run);
                    }
                    BigDecimal least = engine.options().prices().minimumPerAttempt();
                    BigDecimal available = engine.ledger().balance(tx, run.account()).available();
                    if (available.compareTo(least) < 0) {
                        return new Ack.InsufficientCredits(run, least, available);
                    }
                    return switch (new Finish(engine, turn)
                            .again(request.by(), request.reason(), null)) {
                        case Reservation.Insufficient(var needed, var left) ->
                                new Ack.InsufficientCredits(run, needed, left);
                        case Reservation.Reserved _ -> new Ack.Done(turn.run(), true);
                    };
                });
    }

    /// The row stays, and nobody sees it any more.
    public Ack delete(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.DELETE,
                turn -> {
                    Run run = turn.run();
                    if (run.status() != RunStatus.CREATED) {
                        return Ack.wrong(run);
                    }
                    turn.change(
                            run.with(
                                    run.times()
                                            .ended(
                                                    new Times.Ends(
                                                            null, null, null, turn.nowMs()))));
                    turn.tell(Subjects.DELETED, request.by(), request.reason());
                    for (RunListener listener : engine.listeners()) {
                        listener.dropped(tx, turn.run());
                    }
                    return new Ack.Done(turn.run(), true);
                });
    }

    /// What an operator does about a run that nothing else ends.
    public Ack forceFail(Tx tx, Request request) throws SQLException {
        return on(
                tx,
                request,
                Commit.FORCE_FAIL,
                turn -> {
                    Run run = turn.run();
                    if (!run.status().mayBecome(RunStatus.FAILED)) {
                        if (run.status() != RunStatus.PAUSED) {
                            return Ack.wrong(run);
                        }
                        new Finish(engine, turn).cancel(request.by(), request.reason());
                        return new Ack.Done(turn.run(), true);
                    }
                    String reason = request.reason();
                    new Finish(engine, turn)
                            .fail(
                                    new Finish.Why(
                                            "ForcedError",
                                            reason == null ? "Timeout" : reason,
                                            StopReason.TIMEOUT,
                                            request.by()),
                                    null);
                    return new Ack.Done(turn.run(), true);
                });
    }

    /// Locks the run, does it, and notes who did.
    Ack on(Tx tx, Request request, Commit action, Engine.OnRun<Ack> what) throws SQLException {
        Ack ack = engine.withRun(tx, action, request.account(), request.run(), what);
        if (ack instanceof Ack.Done done && done.changed()) {
            audit(tx, request, action.word());
        }
        return ack == null ? new Ack.NotFound() : ack;
    }

    private static void audit(Tx tx, Request request, String action) throws SQLException {
        Audit.write(
                tx,
                request.account(),
                request.by().actor(),
                action,
                Subject.of("run", request.run()),
                Detail.none().text("reason", cut(request.reason())));
    }

    private static @Nullable String cut(@Nullable String reason) {
        return reason == null || reason.length() <= REASON_MAX
                ? reason
                : reason.substring(0, REASON_MAX);
    }

    private static final int REASON_MAX = 500;
}
