package io.orchestrion.runs.engine;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.escalation.Called;
import io.orchestrion.runs.escalation.OnCall;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.plan.Earlier;
import io.orchestrion.runs.plan.PlanReader;
import io.orchestrion.runs.plan.ReadTasks;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunListener;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.ticket.Ticket;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Step;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/// What all parts of the engine share.
final class Engine {
    private static final long DEDUPLICATED_MS = Duration.ofHours(24).toMillis();

    private final Kernel kernel;
    private final RunsOptions options;
    private final Ledger ledger;
    private final PlanReader plans;
    private final @Nullable OnCall onCall;
    private final List<RunListener> listeners = new CopyOnWriteArrayList<>();

    Engine(Kernel kernel, RunsOptions options) {
        this.kernel = kernel;
        this.options = options;
        this.ledger = new Ledger(kernel.ids(), options.initial());
        this.plans = new PlanReader(options.given().schemas());
        RunsOptions.OnCallLine line = options.given().onCall();
        this.onCall =
                line == null
                        ? null
                        : new OnCall(
                                kernel, line.egress(), line.options(), options.given().random());
    }

    Kernel kernel() {
        return kernel;
    }

    RunsOptions options() {
        return options;
    }

    Ledger ledger() {
        return ledger;
    }

    PlanReader plans() {
        return plans;
    }

    /// Tells whoever is on call of a new ticket, where somebody is.
    void callOut(Turn turn, Ticket ticket) throws SQLException {
        if (onCall != null) {
            submit(
                    turn,
                    onCall.opened(
                            turn.tx(),
                            turn.account(),
                            new Called(
                                    ticket.id(),
                                    turn.run().id(),
                                    Ticket.SEVERITY,
                                    ticket.trigger().first(),
                                    ticket.cause().code(),
                                    ticket.cause().message(),
                                    ticket.holds(),
                                    ticket.createdMs())));
        }
    }

    /// What told somebody, or could not, has ended.
    void calledOut(Tx tx, WorkEnd end) throws SQLException {
        OnCall.Item next = onCall == null ? null : onCall.ended(tx, end);
        if (next != null) {
            UUID run = Objects.requireNonNull(end.item().owner()).id();
            withRun(
                    tx,
                    Commit.CALLED_OUT,
                    end.item().accountId(),
                    run,
                    turn -> {
                        submit(turn, next);
                        return true;
                    });
        }
    }

    private static void submit(Turn turn, OnCall.@Nullable Item item) {
        if (item != null) {
            turn.submit(item.id(), item.work());
        }
    }

    List<RunListener> listeners() {
        return listeners;
    }

    double draw() {
        return options.given().random().nextDouble();
    }

    interface OnRun<T> {
        T on(Turn turn) throws SQLException;
    }

    /// Locks one run, does something with it and writes it; null where there is none.
    ///
    /// @param as what it is for failpoints
    <T> @Nullable T withRun(Tx tx, Commit as, UUID account, UUID id, OnRun<T> what)
            throws SQLException {
        as.in(tx);
        return with(tx, RunSql.lock(tx, account, id), what);
    }

    /// The same, or null where somebody else has locked it.
    <T> @Nullable T withFreeRun(Tx tx, Commit as, UUID account, UUID id, OnRun<T> what)
            throws SQLException {
        as.in(tx);
        return with(tx, RunSql.lockIfFree(tx, account, id), what);
    }

    private <T> @Nullable T with(Tx tx, @Nullable Run locked, OnRun<T> what) throws SQLException {
        if (locked == null || locked.times().ends().deletedMs() != null) {
            return null;
        }
        var turn = new Turn(kernel, tx, locked);
        T answer = what.on(turn);
        new Dispatch(this, turn).refill();
        turn.write();
        return answer;
    }

    /// What follows from ends of attempts of a run, in a turn that is written later: windows are
    /// filled once. It stops behind an end that has stopped others.
    ///
    /// @param ends with the attempts as they were read in this turn
    /// @return how many were followed
    int ended(Turn turn, List<EndsTogether.One> ends) throws SQLException {
        int followed = 0;
        for (EndsTogether.One one : ends) {
            if (turn.hasStopped() || (followed > 0 && !turn.isRunning())) {
                break;
            }
            Commit.STEP_ENDED.in(turn.tx());
            new Endings(this, turn).ended(one.attempt(), one.end());
            followed++;
        }
        new Dispatch(this, turn).refill();
        return followed;
    }

    /// Reads what an agent planned for itself.
    ReadTasks readRound(Run run, Agent agent, Set<String> taskNames, String json) {
        return plans.readTasks(
                run.account(),
                json,
                Planning.limits(options, run),
                new Earlier(agent.spec().parallelism(), taskNames, run.counts().steps()));
    }

    ReadTasks readRound(Run run, Agent agent, Set<String> taskNames, Step step) {
        return readRound(run, agent, taskNames, step.document());
    }

    /// Hands in an item for the driver of the run, once for its message.
    void enqueueDriver(Turn turn, String purpose, @Nullable Long notBefore) throws SQLException {
        Run run = turn.run();
        String message = "run:" + run.id() + ":" + run.attempt() + ":" + purpose;
        Tx tx = turn.tx();
        UUID before =
                RecordSql.enqueued(tx, run.account(), message, turn.nowMs() - DEDUPLICATED_MS);
        if (before != null) {
            turn.change(run.drivenBy(before));
            return;
        }
        UUID id = turn.nextId();
        RecordSql.enqueue(tx, run.account(), run.id(), message, id, run.asked().priority().queue());
        turn.submit(
                id,
                NewWork.of(
                                run.account(),
                                Profiles.DRIVERS,
                                ItemKinds.DRIVE,
                                "{\"run_id\":\""
                                        + PublicId.RUN.of(run.id())
                                        + "\",\"attempt_number\":"
                                        + run.attempt()
                                        + ",\"message_id\":\""
                                        + message
                                        + "\"}")
                        .prioritised(run.asked().priority().ofItems())
                        .notBefore(notBefore));
        turn.change(run.drivenBy(id));
    }

    /// Notes what was decided, and by what.
    void decided(
            Turn turn,
            Decision.Level level,
            UUID subject,
            Decision.Kind kind,
            @Nullable String trigger,
            String inputs,
            String outcome) {
        Run run = turn.run();
        RecordSql.add(
                turn.tx(),
                run.account(),
                new Decision(
                        turn.nextId(),
                        run.id(),
                        run.attempt(),
                        level,
                        subject,
                        kind,
                        trigger,
                        inputs,
                        outcome,
                        turn.nowMs()));
    }
}
