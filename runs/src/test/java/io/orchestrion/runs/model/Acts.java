package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Spot;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Try;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// What moves and the clock do to a run, by the contract.
final class Acts {
    static final String DONE = "done";
    static final String SAME = "same";
    static final String REFUSED = "refused";

    private final Expected it;
    private final long now;
    final Follow follow;

    Acts(Expected it, long now) {
        this.it = it;
        this.now = now;
        this.follow = new Follow(it, now);
    }

    /// Changes the run, and says what its mover is told.
    String make(Move move) {
        String answer =
                switch (move) {
                    case Move.OfRun(var verb) ->
                            switch (verb) {
                                case START -> start();
                                case PAUSE -> pause();
                                case RESUME -> resume();
                                case CANCEL -> cancel();
                                case RETRY -> retry();
                                case DELETE -> delete();
                                case FORCE_FAIL -> forceFail();
                            };
                    case Move.CancelAgent(var name) -> cancelAgent(it.agent(name));
                    case Move.CancelTask(var name, int task) -> cancelTask(it.agent(name), task);
                    case Move.PlanByHand(var plan) -> planByHand(plan);
                    case Move.Resolve(boolean resume) -> resolve(resume);
                    case Move.Decide(var step, boolean approve) -> decide(it.spot(step), approve);
                    case Move.Complete said -> complete(said);
                    case Move.Fail said -> fail(said);
                    case Move.Beat(var step, var name) -> beat(step, name);
                };
        follow.plans().fill();
        return answer;
    }

    private String start() {
        if (it.deleted) {
            return REFUSED;
        }
        if (it.status.equals("pending") || it.running()) {
            return SAME;
        }
        if (!it.status.equals("created") || it.available() < it.reservation()) {
            return REFUSED;
        }
        it.reserved = it.reservation();
        it.ledger.add("reserve " + it.reserved);
        it.become("pending", now);
        return DONE;
    }

    private String pause() {
        if (it.paused()) {
            return SAME;
        }
        if (!it.running()) {
            return REFUSED;
        }
        follow.pause("requested");
        return DONE;
    }

    private String resume() {
        if (it.running() || it.status.equals("resuming")) {
            return SAME;
        }
        if (!it.paused()) {
            return REFUSED;
        }
        follow.answer("resolved");
        it.become("resuming", now);
        return DONE;
    }

    private String cancel() {
        if (it.status.equals("cancelled")) {
            return SAME;
        }
        if (it.deleted
                || !Rules.CHANGES
                        .getOrDefault(it.status, java.util.Set.of())
                        .contains("cancelled")) {
            return REFUSED;
        }
        follow.end("cancelled", null, null);
        return DONE;
    }

    private String retry() {
        if (it.status.equals("retrying")) {
            return SAME;
        }
        if (!it.status.equals("failed")
                || it.attempt >= it.asked.attempts()
                || it.available() < Math.max(it.reservation(), Rules.ATTEMPT_LEAST)) {
            return REFUSED;
        }
        follow.retry(now);
        return DONE;
    }

    private String delete() {
        if (!it.status.equals("created") || it.deleted) {
            return REFUSED;
        }
        it.deleted = true;
        return DONE;
    }

    private String forceFail() {
        if (it.paused()) {
            return cancel();
        }
        if (!Rules.CHANGES.getOrDefault(it.status, java.util.Set.of()).contains("failed")) {
            return REFUSED;
        }
        follow.fail("ForcedError", Follow.End.FINAL, null);
        return DONE;
    }

    private String cancelAgent(@Nullable Agent agent) {
        if (!it.running() || agent == null || !agent.live()) {
            return REFUSED;
        }
        follow.cancel(agent);
        return DONE;
    }

    private String cancelTask(@Nullable Agent agent, int place) {
        if (!it.running() || agent == null || !agent.tasks.get(place).live()) {
            return REFUSED;
        }
        follow.cancel(agent, agent.tasks.get(place));
        return DONE;
    }

    private String planByHand(Plot plan) {
        Spot open = it.planning();
        if (!it.running() || open == null) {
            return REFUSED;
        }
        follow.plans().planned(plan);
        Try held = open.step().open();
        if (held != null) {
            held.status = "cancelled";
            held.endedAt = now;
            held.applied = true;
        }
        follow.begin(open.agent());
        follow.begin(open.task());
        open.step().status = "completed";
        follow.lookAt(open.agent(), open.task());
        return DONE;
    }

    private String resolve(boolean resume) {
        boolean passing = it.status.equals("resuming") || it.status.equals("retrying");
        if (!it.escalated() || (!resume && passing)) {
            return REFUSED;
        }
        follow.answer("resolved");
        if (!resume && !it.over()) {
            follow.end("cancelled", null, null);
        } else if (resume && it.paused()) {
            it.become("resuming", now);
        }
        return DONE;
    }

    private String decide(@Nullable Spot spot, boolean approve) {
        if (spot == null || !spot.step().asking || !it.running()) {
            return REFUSED;
        }
        spot.step().asking = false;
        if (approve) {
            spot.step().approved = true;
            return DONE;
        }
        follow.begin(spot.agent());
        follow.begin(spot.task());
        follow.lose(spot.agent(), spot.task(), spot.step(), Failure.of("ToolRejectedError"), false);
        return DONE;
    }

    private @Nullable Try held(String step, String name) {
        Spot spot = it.spot(step);
        Try open = spot == null ? null : spot.step().open();
        return open != null
                        && open.name().equals(name)
                        && open.status.equals("running")
                        && open.leaseUntil > now
                ? open
                : null;
    }

    private String complete(Move.Complete said) {
        Try open = held(said.step(), said.attempt());
        if (open == null) {
            return REFUSED;
        }
        Spot spot = Objects.requireNonNull(it.spot(said.step()));
        if (!said.good()) {
            ended(spot, open, Failure.of(Rules.INVALID), said.tokens());
            return REFUSED;
        }
        spot.step().output = said.output();
        ended(spot, open, null, said.tokens());
        return DONE;
    }

    private String fail(Move.Fail said) {
        Try open = held(said.step(), said.attempt());
        if (open == null) {
            return REFUSED;
        }
        ended(Objects.requireNonNull(it.spot(said.step())), open, said.failure(), said.tokens());
        return DONE;
    }

    private String beat(String step, String name) {
        Try open = held(step, name);
        if (open == null) {
            return REFUSED;
        }
        open.leaseUntil = Math.min(now + Rules.LEASE_MS, open.deadline);
        return DONE;
    }

    /// It is metered at once. While the run is halted, nothing follows from it.
    void ended(Spot spot, Try open, @Nullable Failure failure, long tokens) {
        Step step = spot.step();
        open.status = failure == null ? "completed" : "failed";
        open.failure = failure;
        open.endedAt = now;
        open.applied = it.running();
        long cost = tokens * Rules.TOKEN;
        if (failure == null) {
            cost = Math.max(cost, Rules.STEP_LEAST);
        }
        long paid = Math.min(cost, it.left());
        it.charged += paid;
        it.over += cost - paid;
        step.status = failure == null ? "completed" : "running";
        if (it.running()) {
            follow.follow(spot.agent(), spot.task(), step, open);
        }
    }
}
