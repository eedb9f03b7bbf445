package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Task;
import io.orchestrion.runs.model.Parts.Try;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/// What follows upwards from the end of an attempt of a step, by the contract: sections 3 and 6 of
/// it, with the readings that were settled.
final class Follow extends Ends {
    private final Plans plans;

    Follow(Expected it, long now) {
        super(it, now);
        this.plans = new Plans(this);
    }

    Plans plans() {
        return plans;
    }

    /// An attempt has ended while the run was running, or before it went on.
    void follow(Agent agent, Task task, Step step, Try ended) {
        if (!task.live() || !agent.live()) {
            return;
        }
        begin(agent);
        begin(task);
        if (it.over > 0) {
            outOfCredits();
        } else if (ended.status.equals("completed")) {
            completed(agent, task, step);
        } else {
            failed(agent, task, step, ended);
        }
    }

    private void failed(Agent agent, Task task, Step step, Try ended) {
        Failure failure = Objects.requireNonNull(ended.failure);
        if (!failure.retryable()) {
            lose(agent, task, step, failure, false);
        } else if (ended.number >= step.attemptsMost()) {
            lose(agent, task, step, failure, true);
        } else if (it.left() < step.cost()) {
            outOfCredits();
        } else {
            long asked = failure.retryAfter() * 1_000L;
            step.notBefore =
                    Math.max(now, ended.endedAt + Math.max(Rules.delay(ended.number), asked));
            if (Math.max(Rules.backoff(ended.number), asked) > Rules.DELAY_MAX_MS) {
                escalate("backoff_exceeded");
            } else {
                lookAtWindow();
            }
        }
    }

    /// R-277..R-279, R-283, CB-059.
    private void lookAtWindow() {
        long since = Math.max(now - Rules.WINDOW_MS, it.windowFrom);
        List<Try> ended =
                it.spots().stream()
                        .flatMap(each -> each.step().tries.stream())
                        .filter(each -> each.endedAt > since)
                        .filter(each -> !each.status.equals("cancelled"))
                        .toList();
        long errors = ended.stream().filter(each -> each.status.equals("failed")).count();
        if (errors > 5) {
            escalate("error_count");
        } else if (ended.size() >= 5 && 2 * errors > ended.size()) {
            escalate("error_rate");
        }
    }

    private void escalate(String trigger) {
        call(trigger, true);
        pause("escalated");
    }

    // What is lost.

    /// A step is not tried again.
    ///
    /// @param usedUp whether its attempts are
    void lose(Agent agent, Task task, Step step, Failure failure, boolean usedUp) {
        step.status = "failed";
        step.code = failure.code();
        task.cause = failure.code();
        if (task.mode.equals("continue")) {
            step.status = "skipped";
            skipAfter(task, step);
            lookAt(agent, task);
        } else if (again(task.mode, failure, task.attempt) && it.left() >= Rules.STEP_LEAST) {
            task.steps.forEach(this::stop);
            task.steps.forEach(Step::reset);
            task.status = "pending";
            task.watch.reset();
            task.notBefore = now + Rules.delay(task.attempt);
            task.attempt++;
        } else if (again(task.mode, failure, task.attempt)) {
            lose(agent, task, failure, End.CREDITS);
        } else {
            lose(agent, task, failure, end(task.mode, failure, task.attempt, usedUp));
        }
    }

    private static boolean again(String mode, Failure failure, int attempt) {
        return mode.equals("retry") && failure.retryable() && attempt < Rules.ATTEMPTS;
    }

    private static End end(String mode, Failure failure, int attempt, boolean usedUp) {
        boolean spent = mode.equals("retry") && failure.retryable() && attempt >= Rules.ATTEMPTS;
        return usedUp || spent ? End.USED_UP : End.FINAL;
    }

    /// A task is not tried again.
    void lose(Agent agent, Task task, Failure failure, End why) {
        task.steps.forEach(this::stop);
        begin(task);
        task.status = "failed";
        lost(agent, task, failure, why);
    }

    /// Somebody has cancelled a task.
    void cancel(Agent agent, Task task) {
        begin(agent);
        task.steps.forEach(this::stop);
        task.status = "cancelled";
        lost(agent, task, Failure.of("CancelledError"), End.FINAL);
    }

    private void lost(Agent agent, Task task, Failure failure, End why) {
        task.watch.halt(now);
        task.active = false;
        task.lost = true;
        task.cause = failure.code();
        if (why == End.CREDITS) {
            lose(agent, failure, why);
        } else if (agent.mode.equals("continue")) {
            plans.replanIfWanted(agent, failure);
            if (!it.running()) {
                return;
            }
            if (task.status.equals("failed")) {
                task.status = "skipped";
            }
            ended(agent, task);
        } else if (again(agent.mode, failure, agent.attempt) && it.left() >= Rules.STEP_LEAST) {
            agent.cause = failure.code();
            again(agent);
        } else if (again(agent.mode, failure, agent.attempt)) {
            lose(agent, failure, End.CREDITS);
        } else {
            lose(agent, failure, end(agent.mode, failure, agent.attempt, why == End.USED_UP));
        }
    }

    /// All tasks of an agent from the first one on; one that plans for itself plans anew.
    private void again(Agent agent) {
        agent.tasks.forEach(this::stop);
        agent.tasks.forEach(each -> each.lost = false);
        agent.begun = true;
        agent.status = "pending";
        agent.watch.reset();
        agent.notBefore = now + Rules.delay(agent.attempt);
        agent.attempt++;
        if (agent.rounds > 0) {
            agent.loops = true;
            plans.nextRound(agent);
            return;
        }
        for (Task task : agent.tasks) {
            task.steps.forEach(Step::reset);
            task.status = "pending";
            task.cause = null;
            task.active = false;
            task.attempt = 1;
            task.notBefore = -1;
            task.watch.reset();
        }
    }

    /// An agent is not tried again.
    void lose(Agent agent, Failure failure, End why) {
        agent.tasks.forEach(this::stop);
        agent.status = "failed";
        agent.watch.halt(now);
        lostByRun(agent, failure, why);
    }

    /// Somebody has cancelled an agent. A run that fails for it has one that failed.
    void cancel(Agent agent) {
        boolean last = !it.asked.mode().equals("continue") && it.open().size() == 1;
        agent.tasks.forEach(this::stop);
        agent.status = last ? "failed" : "cancelled";
        agent.watch.halt(now);
        lostByRun(agent, Failure.of("CancelledError"), End.FINAL);
    }

    private void lostByRun(Agent agent, Failure failure, End why) {
        boolean ofPlan = !agent.planner && agent.version == it.version;
        if (!it.asked.mode().equals("fail-fast")
                && why != End.CREDITS
                && !agent.planner
                && it.replanner == null
                && plans.wanted(ofPlan ? agent : null) != null
                && plans.possible()) {
            plans.replan();
            skipped(agent);
        } else if (why == End.CREDITS) {
            fail(Rules.CREDITS, why, agent);
        } else {
            byMode(agent, failure, why);
        }
    }

    /// @param agent that is lost; null where too much is
    boolean byMode(@Nullable Agent agent, Failure failure, End why) {
        String mode = it.asked.mode();
        if (mode.equals("continue")) {
            if (agent != null) {
                skipped(agent);
            }
            return true;
        }
        boolean again = mode.equals("retry") && failure.retryable();
        if (again && it.attempt >= it.asked.attempts()) {
            fail(failure.code(), End.USED_UP, agent);
        } else if (again && it.available() < Math.max(it.reservation(), Rules.ATTEMPT_LEAST)) {
            fail(Rules.CREDITS, End.CREDITS, agent);
        } else if (again) {
            long at = now + Rules.delay(it.attempt);
            end("failed", failure.code(), agent);
            retry(at);
        } else {
            fail(failure.code(), why, agent);
        }
        return false;
    }

    private void skipped(Agent agent) {
        if (agent.status.equals("failed")) {
            agent.status = "skipped";
        }
        tolerated(agent);
    }

    private void tolerated(Agent agent) {
        if (agent.name().equals(it.replanner)) {
            it.replanner = null;
        }
        lookAtRun();
    }

    // What ends well.

    private void completed(Agent agent, Task task, Step step) {
        if (step.kind.equals("run_plan")) {
            plans.planned((Plot) Objects.requireNonNull(step.output));
        } else if (step.kind.equals("agent_plan")) {
            plans.plannedRound(agent, (Plot.Round) Objects.requireNonNull(step.output));
        }
        lookAt(agent, task);
    }

    private void skipAfter(Task task, Step lost) {
        int place = task.steps.indexOf(lost);
        for (Step each : task.steps) {
            if (each.status.equals("pending") && each.call.after().contains(place)) {
                each.status = "skipped";
                skipAfter(task, each);
            }
        }
    }

    void lookAt(Agent agent, Task task) {
        if (task.steps.stream().anyMatch(Step::goesOn)) {
            return;
        }
        boolean well = task.steps.stream().anyMatch(each -> each.status.equals("completed"));
        task.status = well ? "completed" : "skipped";
        task.watch.halt(now);
        task.active = false;
        ended(agent, task);
    }

    private void ended(Agent agent, Task task) {
        if (!task.status.equals("completed")) {
            agent.cause = task.cause == null ? agent.cause : task.cause;
            skipAfter(agent, task);
        }
        lookAt(agent);
    }

    void skipAfter(Agent agent, Task lost) {
        int place = agent.tasks.indexOf(lost);
        for (Task each : agent.tasks) {
            if (each.status.equals("pending") && each.after.contains(place - each.base)) {
                each.status = "skipped";
                each.active = false;
                each.steps.forEach(this::stop);
                skipAfter(agent, each);
            }
        }
    }

    private void lookAt(Agent agent) {
        if (!agent.live() || agent.now().stream().anyMatch(Task::live)) {
            return;
        }
        if (agent.loops && agent.rounds < Rules.ROUNDS) {
            plans.nextRound(agent);
            return;
        }
        begin(agent);
        boolean well = agent.now().stream().anyMatch(each -> each.status.equals("completed"));
        agent.status = well ? "completed" : "skipped";
        agent.watch.halt(now);
        if (!well && !agent.planner) {
            plans.replanIfWanted(agent, Plans.causeOf(agent));
            lookAtRun();
        } else {
            tolerated(agent);
        }
    }

    private void lookAtRun() {
        if (!it.running() || it.replanner != null || it.workers().stream().anyMatch(Agent::live)) {
            return;
        }
        boolean any =
                it.current().stream()
                        .anyMatch(each -> !each.planner && each.status.equals("completed"));
        end(any ? "completed" : "skipped", null, null);
    }
}
