package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Task;
import io.orchestrion.runs.model.Parts.Ticket;
import io.orchestrion.runs.model.Parts.Try;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How a run and its parts begin, wait for people, and stop.
class Ends {
    final Expected it;
    final long now;

    Ends(Expected it, long now) {
        this.it = it;
        this.now = now;
    }

    /// Why something is not tried again.
    enum End {
        FINAL,
        USED_UP,
        CREDITS
    }

    void begin(Agent agent) {
        if (agent.status.equals("pending")) {
            agent.status = "running";
            agent.begun = true;
            agent.watch.run(now);
        }
    }

    void begin(Task task) {
        if (task.status.equals("pending")) {
            task.status = "running";
            task.watch.run(now);
        }
    }

    void call(String trigger, boolean holds) {
        if (it.escalated()) {
            Ticket open = it.tickets.removeLast();
            it.tickets.add(
                    new Ticket("open", open.trigger(), open.added() + 1, open.holds() || holds));
        } else {
            it.tickets.add(new Ticket("open", trigger, 0, holds));
        }
    }

    void answer(String status) {
        if (it.escalated()) {
            Ticket open = it.tickets.removeLast();
            it.tickets.add(new Ticket(status, open.trigger(), open.added(), open.holds()));
            it.windowFrom = now;
        }
    }

    void pause(String why) {
        for (Agent agent : it.open()) {
            agent.status = "paused";
            agent.watch.halt(now);
            agent.tasks.stream()
                    .filter(each -> each.status.equals("running"))
                    .forEach(each -> each.watch.halt(now));
        }
        it.pauseReason = why;
        it.become("paused", now);
    }

    void outOfCredits() {
        fail(Rules.CREDITS, End.CREDITS, null);
    }

    void fail(String code, End why, @Nullable Agent agent) {
        if (it.over()) {
            return;
        }
        end("failed", code, agent);
        if (why == End.USED_UP) {
            call("max_attempts", false);
        }
    }

    /// Everything stops and is settled.
    ///
    /// @param agent that the run fails with; null where it fails by itself
    void end(String to, @Nullable String code, @Nullable Agent agent) {
        boolean fails = to.equals("failed");
        boolean byAgent = agent != null && agent.status.equals("failed");
        List<Agent> open = it.open();
        open.forEach(each -> each.tasks.forEach(this::stop));
        boolean anyRan = open.stream().anyMatch(Ends::ran);
        boolean first = true;
        for (Agent each : open) {
            boolean ran = anyRan ? ran(each) : first;
            first = false;
            each.status = fails && !byAgent && ran ? "failed" : "cancelled";
            each.watch.halt(now);
        }
        it.error = code == null ? it.error : code;
        if (it.reserved > 0) {
            it.refunded = it.left();
            if (it.charged > 0) {
                it.ledger.add("charge " + it.charged);
            }
            if (it.refunded > 0) {
                it.ledger.add("refund " + it.refunded);
            }
        }
        it.become(to, now);
        answer("closed");
    }

    private static boolean ran(Agent agent) {
        return agent.status.equals("running") || (agent.status.equals("paused") && agent.begun);
    }

    void retry(long at) {
        it.attempt++;
        it.version = 0;
        it.replans = 0;
        it.replanner = null;
        it.over = 0;
        it.shortOf = false;
        it.charged = 0;
        it.refunded = 0;
        it.reserved = it.reservation();
        it.ledger.add("reserve " + it.reserved);
        it.watch.reset();
        it.become("retrying", now);
        it.driverAt = at;
    }

    void stop(Task task) {
        if (task.live()) {
            task.steps.forEach(this::stop);
            task.status = "cancelled";
            task.active = false;
            task.watch.halt(now);
        }
    }

    void stop(Step step) {
        Try open = step.open();
        if (open != null) {
            open.status = "cancelled";
            open.endedAt = now;
            open.applied = true;
        }
        step.asking = false;
        if (step.live()) {
            step.status = "cancelled";
        }
    }
}
