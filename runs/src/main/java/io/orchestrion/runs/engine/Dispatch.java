package io.orchestrion.runs.engine;

import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.run.Credits;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AttemptStatus;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.Task;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// Gives steps out, as many at once as the windows of tasks and agents allow, and no more than the
/// run can pay for. What may not run yet does not exist for workers. It looks at agents with room
/// only, and never at steps that are not next.
final class Dispatch {
    private final Engine engine;
    private final Turn turn;
    private final Envelopes envelopes;

    Dispatch(Engine engine, Turn turn) {
        this.engine = engine;
        this.turn = turn;
        this.envelopes = new Envelopes(turn);
    }

    /// Fills the windows of the agents that were marked, or of all when money was short.
    void refill() throws SQLException {
        List<UUID> marked = turn.takeRefills();
        if (!turn.isRunning()) {
            return;
        }
        boolean wasShort = turn.run().credits().shortOf();
        if (wasShort) {
            turn.change(turn.run().with(turn.run().credits().shortOf(false)));
            all();
        } else {
            for (UUID agent : marked) {
                fill(turn.agent(agent));
            }
        }
        if (turn.isRunning() && isStuck()) {
            new Failing(engine, turn).outOfCredits();
        }
    }

    private boolean isStuck() {
        return turn.run().credits().shortOf() && turn.run().progress().inFlight() == 0;
    }

    private void all() throws SQLException {
        for (Agent agent : turn.openAgents()) {
            fill(agent);
        }
    }

    private void fill(Agent before) throws SQLException {
        Agent agent = before;
        if (agent.status() != AgentStatus.PENDING && agent.status() != AgentStatus.RUNNING) {
            return;
        }
        List<Task> active =
                agent.progress().active() == 0 ? List.of() : turn.activeTasks(agent.id());
        int window =
                agent.spec().parallelism() == ParallelismMode.SEQUENTIAL
                        ? 1
                        : turn.run().bounds().tasksAtOnce();
        for (Task task : active) {
            fill(agent, task);
        }
        int room = window - agent.progress().active();
        if (room <= 0) {
            return;
        }
        for (Task next : turn.nextTasks(agent.id(), room)) {
            agent = turn.change(agent, agent.with(agent.progress().activated()));
            fill(agent, turn.change(next, next.with(next.progress().activated())));
        }
    }

    private void fill(Agent agent, Task before) throws SQLException {
        Task task = before;
        int window =
                task.spec().parallelism() == ParallelismMode.SEQUENTIAL
                        ? 1
                        : turn.run().bounds().stepsAtOnce();
        int room = window - task.progress().givenOut();
        if (room <= 0 || turn.run().credits().shortOf()) {
            return;
        }
        for (Step step : turn.nextSteps(task.id(), room)) {
            if (!give(agent, task, step)) {
                return;
            }
            task = turn.change(task, task.with(task.progress().givenOut(1)));
        }
    }

    /// False where there is no money for it now.
    private boolean give(Agent agent, Task task, Step step) throws SQLException {
        if (step.call().confirmed() && !step.progress().approved()) {
            ask(step);
            return true;
        }
        Run run = turn.run();
        BigDecimal cost = cost(step);
        if (run.credits().free().compareTo(cost) < 0) {
            turn.change(run.with(run.credits().shortOf(true)));
            return false;
        }
        Credits held = run.credits().holding(cost);
        turn.change(run.with(run.progress().inFlight(run.progress().inFlight() + 1)).with(held));
        submit(agent, task, step, cost);
        return true;
    }

    /// What one attempt of a step may cost.
    BigDecimal cost(Step step) {
        Long tokens = step.call().maxTokens();
        return engine.options().prices().cost(tokens == null ? 0 : tokens, true);
    }

    private void ask(Step step) {
        UUID id = turn.nextId();
        turn.ask(
                new Approval(
                        id,
                        step.home().run(),
                        step.id(),
                        turn.run().attempt(),
                        1,
                        Approval.Status.PENDING,
                        step.call().tool(),
                        step.call().input(),
                        turn.nowMs(),
                        null));
        turn.change(step, step.with(step.progress().opened(id)));
    }

    private void submit(Agent agent, Task task, Step step, BigDecimal cost) throws SQLException {
        Run run = turn.run();
        UUID id = turn.nextId();
        Long notBefore = latest(step, task, agent);
        Step given = turn.change(step, step.with(step.progress().attempted(id)));
        var number =
                new StepAttempt.Number(
                        run.attempt(),
                        agent.progress().attempt(),
                        task.progress().attempt(),
                        given.progress().attempt());
        var attempt =
                new StepAttempt(
                        id,
                        run.id(),
                        step.id(),
                        number,
                        AttemptStatus.PENDING,
                        false,
                        cost,
                        new StepAttempt.Times(turn.nowMs(), notBefore, null, null),
                        StepAttempt.Ended.NOT);
        turn.begin(attempt);
        boolean byLlm =
                step.home().kind() != Step.Kind.TOOL && run.asked().planner() == PlannerMode.OPENAI;
        Profile profile = byLlm ? Profiles.BUILTIN : Profiles.STEPS;
        turn.submit(
                id,
                NewWork.of(
                                run.account(),
                                profile,
                                byLlm ? ItemKinds.LLM_PLAN : step.call().tool(),
                                envelopes.of(agent, task, given, attempt, timeoutMs(step)))
                        .prioritised(run.asked().priority().ofItems())
                        .runningAtMost(timeoutMs(step))
                        .notBefore(notBefore));
    }

    private long timeoutMs(Step step) {
        Long own = step.call().timeoutMs();
        if (own != null) {
            return own;
        }
        return step.home().kind() == Step.Kind.TOOL
                ? turn.run().bounds().timeouts().stepMs()
                : turn.run().bounds().timeouts().planningMs();
    }

    /// Null where nothing has to wait.
    private @Nullable Long latest(Step step, Task task, Agent agent) {
        Long latest =
                Stream.of(
                                java.util.Optional.ofNullable(step.progress().notBeforeMs()),
                                java.util.Optional.ofNullable(task.clock().notBeforeMs()),
                                java.util.Optional.ofNullable(agent.clock().notBeforeMs()))
                        .flatMap(java.util.Optional::stream)
                        .max(Long::compare)
                        .orElse(null);
        return latest == null || latest <= turn.nowMs() ? null : latest;
    }
}
