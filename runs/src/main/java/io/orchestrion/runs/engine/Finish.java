package io.orchestrion.runs.engine;

import io.orchestrion.runs.credit.CreditSubjects;
import io.orchestrion.runs.credit.Reservation;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.policy.EscalationTrigger;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Credits;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunAttempt;
import io.orchestrion.runs.run.RunListener;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.TaskSql;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Ends attempts of runs: everything that goes on stops, credits are settled once, and whoever
/// keeps something for the run is told, all in the transaction of the change.
final class Finish {
    private final Engine engine;
    private final Turn turn;

    Finish(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    void complete() throws SQLException {
        end(RunStatus.COMPLETED, Requester.ENGINE, null);
    }

    /// Every agent was skipped: nothing was done, and nobody minds.
    void skip() throws SQLException {
        end(RunStatus.SKIPPED, Requester.ENGINE, "every agent was skipped");
    }

    void cancel(Requester by, @Nullable String reason) throws SQLException {
        if (turn.run().status() != RunStatus.CREATED) {
            stop(null, AgentStatus.CANCELLED, Fault.NONE);
        }
        end(RunStatus.CANCELLED, by, reason);
    }

    /// Why a run fails.
    ///
    /// @param reason which of the reasons to abort it is
    /// @param by whoever has it fail
    record Why(String code, String message, StopReason reason, Requester by) {
        static Why of(String code, String message, StopReason reason) {
            return new Why(code, message, reason, Requester.ENGINE);
        }
    }

    /// Where an agent has failed, the others are cancelled. Else those that ran fail with the
    /// run's reason, so that a failed run always says which agent it failed at.
    ///
    /// @param failed the agent that the run fails with; null where it fails by itself
    void fail(Why why, @Nullable UUID failed) throws SQLException {
        if (turn.run().status().isOver()) {
            return;
        }
        stopToFail(why.code(), why.message(), failed);
        Run run = turn.run();
        ObjectNode inputs = Envelopes.JSON.createObjectNode();
        inputs.put("reason", why.reason().word());
        inputs.put("error_code", why.code());
        inputs.put("error", why.message());
        inputs.put("attempt", run.attempt());
        inputs.put("max_attempts", run.bounds().attempts());
        engine.decided(
                turn,
                Decision.Level.RUN,
                run.id(),
                Decision.Kind.ABORT,
                why.reason().word(),
                inputs.toString(),
                "{\"status\":\"failed\"}");
        aborted(why);
        end(RunStatus.FAILED, why.by(), why.message());
        if (why.reason() == StopReason.MAX_ATTEMPTS) {
            new Tickets(engine, turn)
                    .call(EscalationTrigger.MAX_ATTEMPTS, why.code(), why.message(), false, null);
        }
    }

    /// Tells that the run is given up, and why.
    void aborted(Why why) {
        Run run = turn.run();
        turn.tell(Subjects.ABORTED, why.reason().word(), why.message());
        RunLines.aborted(turn.tx(), run, why);
    }

    /// The same for a run that begins another attempt at once.
    void failToRetry(String code, String message, @Nullable UUID failed) throws SQLException {
        stopToFail(code, message, failed);
        end(RunStatus.FAILED, Requester.ENGINE, message);
    }

    private void stopToFail(String code, String message, @Nullable UUID failed)
            throws SQLException {
        stop(
                failed,
                failed == null ? AgentStatus.FAILED : AgentStatus.CANCELLED,
                Fault.of(code, message));
        Run run = turn.run();
        turn.change(run.with(run.note().failed(code, message)));
    }

    /// Nothing of the run goes on.
    ///
    /// @param failed an agent that stays as it is
    private void stop(@Nullable UUID failed, AgentStatus live, Fault fault) throws SQLException {
        turn.revokeAll();
        List<Agent> open = turn.openAgents();
        Set<UUID> agents = Agents.ids(open);
        Agents.cancelSteps(turn, agents, Set.of());
        StepSql.cancelOfAgents(turn.tx(), turn.account(), agents, Set.of());
        TaskSql.cancelOpen(turn.tx(), turn.account(), agents, Set.of());
        boolean anyRan = open.stream().anyMatch(each -> hasBegun(each));
        boolean first = true;
        for (Agent agent : open) {
            if (agent.id().equals(failed)) {
                continue;
            }
            boolean ran = anyRan ? hasBegun(agent) : first;
            first = false;
            AgentStatus to = live == AgentStatus.FAILED && ran ? live : AgentStatus.CANCELLED;
            Agents.end(turn, agent, to, to == AgentStatus.FAILED ? fault : Fault.NONE);
        }
        Run run = turn.run();
        turn.change(
                run.with(run.progress().inFlight(0))
                        .with(run.credits().holding(run.credits().held().negate())));
    }

    /// A paused agent that had begun has begun all the same.
    private static boolean hasBegun(Agent agent) {
        return agent.status() == AgentStatus.RUNNING
                || (agent.status() == AgentStatus.PAUSED && agent.clock().startedMs() != null);
    }

    /// Settles and changes the status, which happens together or not at all.
    private void end(RunStatus to, Requester by, @Nullable String reason) throws SQLException {
        Commit.SETTLE.in(turn.tx());
        // The item of the driver, and in a completed run nothing else.
        turn.revokeAll();
        Run before = turn.run();
        boolean reserved = before.credits().reserved().signum() > 0;
        Credits settled = before.credits().settled();
        turn.change(before.with(settled).drivenBy(null).with(before.progress().inFlight(0)));
        turn.change(turn.run().with(settled));
        Run ended = Lifecycle.change(turn, to, by, reason);
        if (reserved) {
            RecordSql.end(
                    turn.tx(),
                    ended.account(),
                    new RunAttempt(
                            ended.id(),
                            ended.attempt(),
                            to,
                            new RunAttempt.Sums(
                                    settled.reserved(), settled.charged(), settled.refunded()),
                            to == RunStatus.FAILED ? ended.note().errorCode() : null,
                            to == RunStatus.FAILED ? ended.note().error() : null,
                            0,
                            turn.nowMs()));
        }
        new Tickets(engine, turn).closeWithRun();
        turn.flush();
        for (RunListener listener : engine.listeners()) {
            listener.ended(turn.tx(), turn.run());
        }
        if (reserved) {
            CreditSubjects.settled(
                            ended.id(), ended.attempt(), settled.charged(), settled.refunded())
                    .forEach(turn::tell);
            turn.last(
                    () ->
                            engine.ledger()
                                    .settle(
                                            turn.tx(),
                                            ended.account(),
                                            ended.id(),
                                            ended.attempt(),
                                            settled.charged(),
                                            settled.refunded()));
        }
    }

    /// What a run that is to be tried once more has to reserve.
    BigDecimal reservation() {
        return engine.options().prices().reservation(turn.run().bounds().tokens());
    }

    /// Begins another attempt of a failed run: new credits, a new attempt, and an item for its
    /// driver, or nothing of it.
    Reservation again(Requester by, @Nullable String reason, @Nullable Long notBefore)
            throws SQLException {
        Commit.AGAIN.in(turn.tx());
        Run failed = turn.run();
        turn.flush();
        // What the attempt before has left is available for this one.
        turn.writeLast();
        Reservation said =
                engine.ledger()
                        .reserve(
                                turn.tx(),
                                failed.account(),
                                failed.id(),
                                failed.attempt() + 1,
                                reservation());
        if (said instanceof Reservation.Reserved(var entry)) {
            turn.tell(CreditSubjects.reserved(failed.id(), failed.attempt() + 1, entry.amount()));
            Run next = failed.again(Credits.reserved(entry.amount()));
            turn.change(next);
            Lifecycle.change(turn, RunStatus.RETRYING, by, reason);
            RecordSql.begin(
                    turn.tx(), failed.account(), failed.id(), next.attempt(), entry.amount());
            engine.enqueueDriver(turn, "retry", notBefore);
        }
        return said;
    }
}
