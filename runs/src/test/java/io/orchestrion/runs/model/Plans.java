package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Spot;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Task;
import io.orchestrion.runs.model.Parts.Try;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Plans, other plans, and what may be given out of them.
final class Plans {
    private final Follow follow;
    private final Expected it;
    private final long now;

    Plans(Follow follow) {
        this.follow = follow;
        this.it = follow.it;
        this.now = follow.now;
    }

    /// The first agents of an attempt.
    void begin() {
        Plot plan = it.asked.plan();
        if (plan == null) {
            planner();
        } else {
            accept(plan);
        }
    }

    private void planner() {
        int sequence =
                (int)
                        it.current().stream()
                                .filter(each -> each.planner && each.version == it.version)
                                .count();
        var agent = new Agent(it.attempt, it.version, sequence, true, "fail-fast", "sequential");
        agent.tasks.add(planningTask(agent, "run_plan", it.asked.times().agent()));
        it.agents.add(agent);
        if (it.version > 0) {
            it.replanner = agent.name();
        }
    }

    private static Task planningTask(Agent agent, String kind, long timeout) {
        var job = new Plot.Job("fail-fast", "sequential", List.of(), List.of());
        var task = new Task(job, agent.attempt, agent.tasks.size(), timeout);
        task.steps.add(new Step(kind, new Plot.Call(kind, 0, 0, 0, false, List.of())));
        return task;
    }

    private void accept(Plot plan) {
        it.version++;
        it.replans += it.version > 1 ? 1 : 0;
        it.replanner = null;
        for (int i = 0; i < plan.agents().size(); i++) {
            Plot.Worker worker = plan.agents().get(i);
            var agent =
                    new Agent(it.attempt, it.version, i, false, worker.mode(), worker.parallel());
            agent.loops = worker.tasks().isEmpty();
            add(agent, worker.tasks());
            it.agents.add(agent);
            if (agent.loops) {
                nextRound(agent);
            }
        }
    }

    private void add(Agent agent, List<Plot.Job> jobs) {
        int base = agent.tasks.size();
        for (Plot.Job job : jobs) {
            var task = new Task(job, agent.attempt, base, it.asked.times().task());
            job.steps().forEach(call -> task.steps.add(new Step("tool", call)));
            agent.tasks.add(task);
        }
    }

    /// what the old plan has not ended is cancelled, what it gave stays.
    void planned(Plot plan) {
        for (Agent each : it.open()) {
            if (!each.planner) {
                each.tasks.forEach(follow::stop);
                each.status = "cancelled";
                each.superseded = true;
                each.watch.halt(now);
            }
        }
        accept(plan);
    }

    void plannedRound(Agent agent, Plot.Round round) {
        agent.loops = round.again() && agent.rounds < Rules.ROUNDS;
        add(agent, round.tasks());
    }

    void nextRound(Agent agent) {
        agent.rounds++;
        agent.tasks.add(planningTask(agent, "agent_plan", it.asked.times().task()));
    }

    /// Why another plan is wanted; null where it is not.
    ///
    /// @param more that has just failed and counts
    @Nullable String wanted(@Nullable Agent more) {
        List<Agent> workers = it.workers();
        long lost =
                workers.stream()
                        .filter(each -> each == more || (!each.live() && isLost(each)))
                        .count();
        if (2 * lost > workers.size()) {
            return "agents_failed";
        }
        long tasks =
                workers.stream()
                        .flatMap(each -> each.tasks.stream())
                        .filter(each -> each.lost)
                        .count();
        return tasks > 10 ? "tasks_failed" : null;
    }

    private static boolean isLost(Agent agent) {
        return !agent.status.equals("completed");
    }

    boolean possible() {
        return it.asked.plan() == null
                && it.replans < it.asked.replans()
                && it.left() >= Rules.STEP_LEAST;
    }

    void replan() {
        planner();
    }

    /// Something has failed that somebody tolerates.
    void replanIfWanted(Agent of, Failure failure) {
        if (!it.running()
                || of.planner
                || it.replanner != null
                || of.version != it.version
                || wanted(null) == null) {
            return;
        }
        if (possible()) {
            replan();
        } else if (!of.live() && !it.asked.mode().equals("continue")) {
            // A failed run has an agent that failed: invariant 3.
            of.status = "failed";
            follow.byMode(of, failure, Follow.End.FINAL);
        } else {
            follow.byMode(null, failure, Follow.End.FINAL);
        }
    }

    /// The error of the last of its tasks that was given up.
    static Failure causeOf(Agent agent) {
        return Failure.of(agent.cause == null ? "unspecified" : agent.cause);
    }

    // What is given out.

    /// Fills the windows: five tasks of an agent, three steps of a task, one where they are in
    /// order.
    void fill() {
        if (!it.running()) {
            return;
        }
        it.shortOf = false;
        it.open().forEach(this::fill);
        if (it.shortOf && !it.anyInFlight()) {
            follow.outOfCredits();
        }
    }

    private void fill(Agent agent) {
        int window = agent.parallel.equals("sequential") ? 1 : Rules.TASKS_AT_ONCE;
        long active = agent.tasks.stream().filter(each -> each.active).count();
        agent.tasks.stream().filter(each -> each.active).forEach(each -> fill(agent, each));
        for (Task each : agent.tasks) {
            if (active < window && ready(agent, each)) {
                each.active = true;
                active++;
                fill(agent, each);
            }
        }
    }

    private static boolean ready(Agent agent, Task task) {
        return task.status.equals("pending")
                && !task.active
                && task.after.stream()
                        .allMatch(
                                each ->
                                        agent.tasks
                                                .get(task.base + each)
                                                .status
                                                .equals("completed"));
    }

    private void fill(Agent agent, Task task) {
        int window = task.parallel.equals("sequential") ? 1 : Rules.STEPS_AT_ONCE;
        long out = task.steps.stream().filter(each -> each.asking || each.open() != null).count();
        for (Step each : task.steps) {
            if (it.shortOf || out >= window) {
                return;
            }
            if (ready(task, each)) {
                give(new Spot(agent, task, each));
                out++;
            }
        }
    }

    private static boolean ready(Task task, Step step) {
        return step.live()
                && !step.asking
                && step.open() == null
                && step.call.after().stream()
                        .allMatch(each -> task.steps.get(each).status.equals("completed"));
    }

    private void give(Spot spot) {
        Step step = spot.step();
        if (it.asked.confirmed() && step.call.tool().equals("tc") && !step.approved) {
            step.asking = true;
            return;
        }
        if (it.left() - it.held() < step.cost()) {
            it.shortOf = true;
            return;
        }
        long latest =
                Math.max(step.notBefore, Math.max(spot.task().notBefore, spot.agent().notBefore));
        step.number++;
        step.notBefore = -1;
        step.tries.add(
                new Try(
                        it.attempt,
                        spot.agent().attempt,
                        spot.task().attempt,
                        step.number,
                        it.made++,
                        step.cost(),
                        latest > now ? latest : -1));
    }
}
