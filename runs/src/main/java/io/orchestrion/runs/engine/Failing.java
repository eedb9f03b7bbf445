package io.orchestrion.runs.engine;

import io.orchestrion.runs.credit.Reservation;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.policy.Another;
import io.orchestrion.runs.policy.ChildFailure;
import io.orchestrion.runs.policy.Failure;
import io.orchestrion.runs.policy.Failures;
import io.orchestrion.runs.policy.ParentVerdict;
import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.runs.policy.RunClock;
import io.orchestrion.runs.policy.StopReason;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

/// What follows upwards from something that has failed for good: its parent fails too, goes on
/// without it, or begins anew, as its mode says. All of it is one transaction.
final class Failing {
    private final Engine engine;
    private final Turn turn;

    Failing(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
    }

    /// A step is not tried again. It is no longer given out.
    void step(Step before, Fault fault, Failure failure, StopReason reason) throws SQLException {
        Step step =
                turn.change(
                        before,
                        before.in(StepStatus.FAILED)
                                .with(before.times().ended(turn.nowMs()))
                                .with(fault));
        Task task = turn.task(step.home().task());
        ParentVerdict verdict =
                decide(
                        Decision.Level.TASK,
                        task.id(),
                        task.spec().failureMode(),
                        failure,
                        reason,
                        ofReservation(
                                task.progress().attempt(), engine.options().attempts().task()));
        switch (verdict) {
            case ParentVerdict.Skip() -> new Completing(engine, turn).skipped(step);
            case ParentVerdict.Retry(var at, _) -> again(task, fault, at);
            case ParentVerdict.Fail(var why) -> task(task, fault, failure, why);
            case ParentVerdict.Replan _ -> throw new IllegalStateException("a task has no plan");
        }
    }

    /// All steps of the task from the first one on.
    private void again(Task before, Fault fault, long atMs) throws SQLException {
        Agents.cancelSteps(turn, before);
        Task task = turn.task(before.id());
        Task failed = turn.change(task, task.in(TaskStatus.FAILED).with(fault));
        StepSql.resetTask(turn.tx(), turn.account(), task.id());
        turn.change(
                failed,
                failed.in(TaskStatus.PENDING)
                        .with(failed.progress().again(failed.progress().attempt() + 1))
                        .with(failed.clock().halted(turn.nowMs()).again(atMs)));
        turn.refill(task.home().agent());
    }

    /// A task is not tried again.
    void task(Task before, Fault fault, Failure failure, StopReason reason) throws SQLException {
        boolean active = before.progress().active();
        Agents.cancelSteps(turn, before);
        Task task = Agents.begin(turn, turn.task(before.id()));
        Task failed =
                turn.change(
                        task,
                        task.in(TaskStatus.FAILED)
                                .with(task.progress().stopped())
                                .with(task.clock().ended(turn.nowMs()))
                                .with(fault));
        childOf(failed, active, fault, failure, reason);
    }

    /// Somebody has cancelled a task. Its agent does what it does about one that failed.
    void cancelled(Task before, Failure failure) throws SQLException {
        boolean active = before.progress().active();
        Agents.cancelSteps(turn, before);
        Task task = turn.task(before.id());
        Fault fault = Fault.of(failure.code(), "the task was cancelled");
        Task cancelled =
                turn.change(
                        task,
                        task.in(TaskStatus.CANCELLED)
                                .with(task.progress().stopped())
                                .with(task.clock().ended(turn.nowMs()))
                                .with(fault));
        childOf(cancelled, active, fault, failure, StopReason.CANCELLED);
    }

    private void childOf(
            Task ended, boolean active, Fault fault, Failure failure, StopReason reason)
            throws SQLException {
        Agent agent = turn.agent(ended.home().agent());
        ParentVerdict verdict =
                decide(
                        Decision.Level.AGENT,
                        agent.id(),
                        agent.spec().failureMode(),
                        failure,
                        reason,
                        ofReservation(
                                agent.progress().attempt(), engine.options().attempts().agent()));
        boolean again = verdict instanceof ParentVerdict.Retry;
        if (!agent.isPlanner() && !again) {
            turn.change(turn.run().with(turn.run().counts().lostTask()));
        }
        switch (verdict) {
            case ParentVerdict.Skip() -> tolerated(ended, active, fault, failure);
            case ParentVerdict.Retry(var at, _) -> again(agent, fault, at);
            case ParentVerdict.Fail(var why) -> agent(agent, fault, failure, why);
            case ParentVerdict.Replan _ -> throw new IllegalStateException("an agent has no plan");
        }
    }

    private void tolerated(Task ended, boolean active, Fault fault, Failure failure)
            throws SQLException {
        Agent agent = turn.agent(ended.home().agent());
        new Planning(engine, turn).replanIfWanted(agent, fault, failure);
        if (!turn.isRunning()) {
            return;
        }
        if (ended.status() == TaskStatus.FAILED) {
            new Completing(engine, turn).skipped(ended, active);
        } else {
            new Completing(engine, turn).cancelledTask(ended, active);
        }
    }

    /// All tasks of the agent from the first one on. One whose tasks workers plan begins with a new
    /// plan; what it had before stays as it ended.
    private void again(Agent before, Fault fault, long atMs) throws SQLException {
        Agents.cancelTasks(turn, before);
        Agent agent = Agents.begin(turn, turn.agent(before.id()));
        Agent failed = turn.change(agent, agent.in(AgentStatus.FAILED).with(fault));
        if (failed.progress().rounds() > 0) {
            TaskSql.setApart(turn.tx(), turn.account(), agent.id());
            Agent begun =
                    turn.change(
                            failed,
                            failed.in(AgentStatus.PENDING)
                                    .looping(true)
                                    .with(failed.progress().again(0))
                                    .with(failed.clock().again(atMs)));
            new Planning(engine, turn).nextRound(begun);
            return;
        }
        StepSql.resetAgent(turn.tx(), turn.account(), agent.id());
        int tasks = TaskSql.reset(turn.tx(), turn.account(), agent.id());
        turn.change(
                failed,
                failed.in(AgentStatus.PENDING)
                        .with(failed.progress().again(tasks))
                        .with(failed.clock().again(atMs)));
        turn.refill(agent.id());
    }

    /// An agent is not tried again.
    void agent(Agent before, Fault fault, Failure failure, StopReason reason) throws SQLException {
        Agents.cancelTasks(turn, before);
        Agent failed = Agents.end(turn, turn.agent(before.id()), AgentStatus.FAILED, fault);
        childOfRun(failed, fault, failure, reason);
    }

    /// Somebody has cancelled an agent. The run does what it does about one that failed.
    void cancelled(Agent before, Failure failure) throws SQLException {
        Agents.cancelTasks(turn, before);
        Fault fault = Fault.of(failure.code(), "the agent was cancelled");
        // A failed run has a failed agent, and this one may be the last.
        boolean last =
                turn.run().asked().failureMode() != FailureMode.CONTINUE
                        && turn.openAgents().size() == 1;
        Agent ended =
                Agents.end(
                        turn,
                        turn.agent(before.id()),
                        last ? AgentStatus.FAILED : AgentStatus.CANCELLED,
                        fault);
        childOfRun(ended, fault, failure, StopReason.CANCELLED);
    }

    private void childOfRun(Agent ended, Fault fault, Failure failure, StopReason reason)
            throws SQLException {
        Run run = turn.run();
        Planning planning = new Planning(engine, turn);
        boolean worker = !ended.isPlanner();
        PolicySettings settings = engine.options().policy();
        var facts =
                new ChildFailure(
                        run.asked().failureMode(),
                        failure,
                        reason,
                        another(),
                        worker && run.progress().replanner() == null ? planning.facts(1, 0) : null,
                        turn.nowMs());
        ParentVerdict verdict = ParentVerdict.of(facts, settings, engine.draw());
        decided(Decision.Level.RUN, run.id(), facts, verdict);
        String message = Objects.requireNonNullElse(fault.message(), failure.code());
        switch (verdict) {
            case ParentVerdict.Skip() -> skipped(ended);
            case ParentVerdict.Replan(var trigger) -> {
                planning.beginReplan(trigger.word());
                skipped(ended);
            }
            case ParentVerdict.Retry(var at, _) -> retryRun(ended, failure, message, at);
            case ParentVerdict.Fail(var why) ->
                    new Finish(engine, turn).fail(why(failure, message, why), failedAgent(ended));
        }
    }

    private static @Nullable UUID failedAgent(Agent ended) {
        return ended.status() == AgentStatus.FAILED ? ended.id() : null;
    }

    private static Finish.Why why(Failure failure, String message, StopReason reason) {
        return reason == StopReason.INSUFFICIENT_CREDITS
                ? Finish.Why.of(
                        Failures.CREDITS,
                        "not enough credits for another attempt, after " + message,
                        reason)
                : Finish.Why.of(failure.code(), message, reason);
    }

    private void skipped(Agent ended) throws SQLException {
        Agent now =
                ended.status() == AgentStatus.FAILED
                        ? turn.change(ended, ended.in(AgentStatus.SKIPPED))
                        : ended;
        new Completing(engine, turn).tolerated(now);
    }

    /// Fails, is settled, and begins anew with new credits, all at once.
    private void retryRun(Agent ended, Failure failure, String message, long atMs)
            throws SQLException {
        var finish = new Finish(engine, turn);
        finish.failToRetry(failure.code(), message, failedAgent(ended));
        if (finish.again(Requester.ENGINE, "retry after " + failure.code(), atMs)
                instanceof Reservation.Insufficient(var needed, var available)) {
            String tooLittle =
                    "not enough credits to retry: "
                            + needed.toPlainString()
                            + " needed, "
                            + available.toPlainString()
                            + " available; "
                            + message;
            Run run = turn.run();
            turn.change(run.with(run.note().failed(Failures.CREDITS, tooLittle)));
            finish.aborted(
                    Finish.Why.of(Failures.CREDITS, tooLittle, StopReason.INSUFFICIENT_CREDITS));
        }
    }

    /// Another plan is wanted and there is no way to one: the run's mode decides.
    ///
    /// @param at the agent that it happened at
    void stuck(Agent at, Failure failure, String message) throws SQLException {
        Run run = turn.run();
        PolicySettings settings = engine.options().policy();
        var facts =
                new ChildFailure(
                        run.asked().failureMode(),
                        failure,
                        StopReason.NON_RETRYABLE,
                        another(),
                        null,
                        turn.nowMs());
        ParentVerdict verdict = ParentVerdict.byMode(facts, settings, engine.draw());
        decided(Decision.Level.RUN, run.id(), facts, verdict);
        switch (verdict) {
            case ParentVerdict.Skip() -> {}
            case ParentVerdict.Retry(var time, _) -> retryRun(at, failure, message, time);
            case ParentVerdict.Fail(var why) ->
                    new Finish(engine, turn).fail(why(failure, message, why), failedAgent(at));
            case ParentVerdict.Replan _ -> throw new IllegalStateException("there is no way");
        }
    }

    /// The reservation pays for nothing more.
    void outOfCredits() throws SQLException {
        Run run = turn.run();
        new Finish(engine, turn)
                .fail(
                        Finish.Why.of(
                                Failures.CREDITS,
                                "the reservation of "
                                        + run.credits().reserved().toPlainString()
                                        + " credits is used up",
                                StopReason.INSUFFICIENT_CREDITS),
                        null);
    }

    /// Another attempt of the run: what it has left is available again by then.
    private Another another() throws SQLException {
        Run run = turn.run();
        BigDecimal available =
                engine.ledger()
                        .balance(turn.tx(), run.account())
                        .available()
                        .add(run.credits().left());
        return Another.ofRun(
                run.attempt(),
                run.bounds().attempts(),
                RunClock.OPEN,
                available,
                new Finish(engine, turn).reservation(),
                engine.options().policy());
    }

    private Another ofReservation(int attempts, int most) {
        return new Another(
                attempts,
                most,
                RunClock.OPEN,
                turn.run().credits().left(),
                engine.options().prices().cost(0, true));
    }

    private ParentVerdict decide(
            Decision.Level level,
            UUID subject,
            FailureMode mode,
            Failure failure,
            StopReason reason,
            Another another) {
        PolicySettings settings = engine.options().policy();
        var facts = new ChildFailure(mode, failure, reason, another, null, turn.nowMs());
        ParentVerdict verdict = ParentVerdict.of(facts, settings, engine.draw());
        decided(level, subject, facts, verdict);
        return verdict;
    }

    private void decided(
            Decision.Level level, UUID subject, ChildFailure facts, ParentVerdict verdict) {
        Decision.Kind kind =
                switch (verdict) {
                    case ParentVerdict.Skip() -> Decision.Kind.SKIP;
                    case ParentVerdict.Retry _ -> Decision.Kind.RETRY;
                    case ParentVerdict.Fail _ -> Decision.Kind.FAIL;
                    case ParentVerdict.Replan _ -> Decision.Kind.REPLAN;
                };
        String trigger =
                switch (verdict) {
                    case ParentVerdict.Skip(), ParentVerdict.Retry _ -> facts.reason().word();
                    case ParentVerdict.Fail(var why) -> why.word();
                    case ParentVerdict.Replan(var why) -> why.word();
                };
        engine.decided(
                turn,
                level,
                subject,
                kind,
                trigger,
                facts.json(engine.options().policy()),
                verdict.json());
    }
}
