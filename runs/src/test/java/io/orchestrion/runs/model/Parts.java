package io.orchestrion.runs.model;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// What a run consists of, as the model knows it.
final class Parts {
    private Parts() {}

    /// The time that something has been running.
    static final class Watch {
        long active;
        long since = -1;

        Watch copy() {
            var copy = new Watch();
            copy.active = active;
            copy.since = since;
            return copy;
        }

        void run(long now) {
            since = now;
        }

        void halt(long now) {
            active += since < 0 ? 0 : now - since;
            since = -1;
        }

        void reset() {
            active = 0;
            since = -1;
        }

        /// When so much time is over; the end of time where it stands still.
        long end(long timeout) {
            return since < 0 ? Long.MAX_VALUE : since + Math.max(1, timeout - active);
        }
    }

    /// An attempt of a step.
    static final class Try {
        final int ofRun;
        final int ofAgent;
        final int ofTask;
        final int number;
        final int order;
        final long held;
        final long notBefore;
        String status = "pending";
        @Nullable Failure failure;
        long leaseUntil = -1;
        long deadline = -1;
        long endedAt = -1;
        boolean applied;

        Try(int ofRun, int ofAgent, int ofTask, int number, int order, long held, long notBefore) {
            this.ofRun = ofRun;
            this.ofAgent = ofAgent;
            this.ofTask = ofTask;
            this.number = number;
            this.order = order;
            this.held = held;
            this.notBefore = notBefore;
        }

        boolean open() {
            return status.equals("pending") || status.equals("running");
        }

        Try copy() {
            var copy = new Try(ofRun, ofAgent, ofTask, number, order, held, notBefore);
            copy.status = status;
            copy.failure = failure;
            copy.leaseUntil = leaseUntil;
            copy.deadline = deadline;
            copy.endedAt = endedAt;
            copy.applied = applied;
            return copy;
        }

        String name() {
            return "#" + ofAgent + "." + ofTask + "." + number;
        }

        String text() {
            return name()
                    + status
                    + (failure == null ? "" : "/" + failure.code())
                    + (notBefore < 0 ? "" : "@" + notBefore)
                    + (endedAt < 0 ? "" : "!" + endedAt)
                    + (open() || applied ? "" : "?")
                    + (status.equals("running") ? "~" + leaseUntil : "");
        }
    }

    static final class Step {
        final String kind;
        final Plot.Call call;
        String status = "pending";
        @Nullable String code;
        int number;
        boolean approved;
        boolean asking;
        long notBefore = -1;
        @Nullable Object output;
        List<Try> tries = new ArrayList<>();

        Step(String kind, Plot.Call call) {
            this.kind = kind;
            this.call = call;
        }

        boolean live() {
            return status.equals("pending") || status.equals("running");
        }

        /// Whether something is still to come of it: what ended during a pause counts from when it
        /// is followed up.
        boolean goesOn() {
            return live()
                    || (!tries.isEmpty() && !tries.getLast().open() && !tries.getLast().applied);
        }

        @Nullable Try open() {
            return !tries.isEmpty() && tries.getLast().open() ? tries.getLast() : null;
        }

        /// What one attempt of it may cost.
        long cost() {
            return Math.max(Rules.STEP_LEAST, call.tokens() * Rules.TOKEN);
        }

        int attemptsMost() {
            return call.attempts() == 0 ? Rules.ATTEMPTS : call.attempts();
        }

        Step copy() {
            var copy = new Step(kind, call);
            copy.status = status;
            copy.code = code;
            copy.number = number;
            copy.approved = approved;
            copy.asking = asking;
            copy.notBefore = notBefore;
            copy.output = output;
            tries.forEach(each -> copy.tries.add(each.copy()));
            return copy;
        }

        void reset() {
            status = "pending";
            code = null;
            number = 0;
            asking = false;
            notBefore = -1;
            output = null;
        }
    }

    static final class Task {
        final String mode;
        final String parallel;
        final List<Integer> after;
        final int ofAgent;

        /// Where the list begins that `after` counts in.
        final int base;

        final long timeout;
        List<Step> steps = new ArrayList<>();
        String status = "pending";
        boolean active;

        /// Whether it has ended as a failure of its own, tolerated or not.
        boolean lost;

        /// The error of what was given up last.
        @Nullable String cause;

        int attempt = 1;
        long notBefore = -1;
        Watch watch = new Watch();

        Task(Plot.Job job, int ofAgent, int base, long timeout) {
            this.mode = job.mode();
            this.parallel = job.parallel();
            this.after = job.after();
            this.ofAgent = ofAgent;
            this.base = base;
            this.timeout = timeout;
        }

        private Task(Task of) {
            mode = of.mode;
            parallel = of.parallel;
            after = of.after;
            ofAgent = of.ofAgent;
            base = of.base;
            timeout = of.timeout;
        }

        boolean live() {
            return status.equals("pending") || status.equals("running");
        }

        Task copy() {
            var copy = new Task(this);
            steps.forEach(each -> copy.steps.add(each.copy()));
            copy.status = status;
            copy.active = active;
            copy.lost = lost;
            copy.cause = cause;
            copy.attempt = attempt;
            copy.notBefore = notBefore;
            copy.watch = watch.copy();
            return copy;
        }
    }

    static final class Agent {
        final int ofRun;
        final int version;
        final int sequence;
        final boolean planner;
        final String mode;
        final String parallel;
        boolean loops;
        int rounds;
        int attempt = 1;
        boolean superseded;
        boolean begun;

        /// The error of what was given up last.
        @Nullable String cause;

        String status = "pending";
        long notBefore = -1;
        Watch watch = new Watch();
        List<Task> tasks = new ArrayList<>();

        Agent(int ofRun, int version, int sequence, boolean planner, String mode, String parallel) {
            this.ofRun = ofRun;
            this.version = version;
            this.sequence = sequence;
            this.planner = planner;
            this.mode = mode;
            this.parallel = parallel;
        }

        boolean live() {
            return status.equals("pending") || status.equals("running") || status.equals("paused");
        }

        String name() {
            return ofRun + "." + version + (planner ? "P" : "W") + sequence;
        }

        /// Those of its current attempt.
        List<Task> now() {
            return rounds == 0
                    ? tasks
                    : tasks.stream().filter(each -> each.ofAgent == attempt).toList();
        }

        Agent copy() {
            var copy = new Agent(ofRun, version, sequence, planner, mode, parallel);
            copy.loops = loops;
            copy.rounds = rounds;
            copy.attempt = attempt;
            copy.superseded = superseded;
            copy.begun = begun;
            copy.cause = cause;
            copy.status = status;
            copy.notBefore = notBefore;
            copy.watch = watch.copy();
            tasks.forEach(each -> copy.tasks.add(each.copy()));
            return copy;
        }
    }

    /// A call for people.
    record Ticket(String status, String trigger, int added, boolean holds) {
        boolean open() {
            return status.equals("open");
        }

        String text() {
            return "ticket %s %s added=%d holds=%s".formatted(status, trigger, added, holds);
        }
    }

    /// A step with what it is a part of.
    record Spot(Agent agent, Task task, Step step) {
        String name() {
            return agent.name() + "/" + agent.tasks.indexOf(task) + "/" + task.steps.indexOf(step);
        }
    }
}
