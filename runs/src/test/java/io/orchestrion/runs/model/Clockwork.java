package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Spot;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Task;
import io.orchestrion.runs.model.Parts.Try;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;

/// What workers, drivers and sweepers do to a run as time goes by.
final class Clockwork {
    private final Expected it;
    private final long now;
    private final Acts acts;

    private Clockwork(Expected it, long now) {
        this.it = it;
        this.now = now;
        this.acts = new Acts(it, now);
    }

    /// A worker has got it.
    static void claim(Expected it, String step, long now) {
        Spot spot = Objects.requireNonNull(it.spot(step));
        Try open = Objects.requireNonNull(spot.step().open());
        var follow = new Follow(it, now);
        open.status = "running";
        open.deadline = now + timeout(it, spot.step());
        open.leaseUntil = Math.min(now + Rules.LEASE_MS, open.deadline);
        spot.step().status = "running";
        follow.begin(spot.agent());
        follow.begin(spot.task());
    }

    private static long timeout(Expected it, Step step) {
        if (step.call.timeout() > 0) {
            return step.call.timeout();
        }
        return step.kind.equals("tool") ? it.asked.times().step() : it.asked.times().planning();
    }

    static boolean claimable(Expected it, Spot spot, long now) {
        Try open = spot.step().open();
        return it.running()
                && open != null
                && open.status.equals("pending")
                && open.notBefore <= now;
    }

    /// Its driver does what there is to do.
    ///
    /// @param putOff what the run is until its driver tries again, where the database was too busy
    ///     for it; else null
    static Expected driven(Expected before, long now, @Nullable PutOff putOff) {
        if (before.driverAt > now) {
            return before;
        }
        Expected it = before.copy();
        drive(it, now, putOff);
        return it;
    }

    private static void drive(Expected it, long now, @Nullable PutOff putOff) {
        while (it.driverAt <= now) {
            if (putOff != null && putOff.status().equals(it.status)) {
                it.driverAt = putOff.until();
                return;
            }
            var follow = new Follow(it, now);
            switch (it.status) {
                case "pending" -> {
                    it.become("running", now);
                    follow.plans().begin();
                }
                case "resuming" -> goOn(it, follow, now);
                case "retrying" -> it.become("pending", now);
                default -> throw new IllegalStateException(it.status);
            }
            follow.plans().fill();
        }
    }

    /// A driver that could not do it tries again.
    record PutOff(String status, long until) {}

    /// what ended during the pause is followed up in the order of the ends.
    private static void goOn(Expected it, Follow follow, long now) {
        for (Agent agent : it.open()) {
            agent.status = "pending";
            agent.tasks.stream()
                    .filter(each -> each.status.equals("running"))
                    .forEach(each -> each.watch.run(now));
        }
        it.become("running", now);
        var ended = new ArrayList<Spot>();
        for (Spot each : it.spots()) {
            boolean counts =
                    each.step().tries.stream().anyMatch(one -> !one.open() && !one.applied);
            if (counts) {
                ended.add(each);
            }
        }
        ended.sort(
                Comparator.comparing((Spot each) -> last(each).endedAt)
                        .thenComparing(each -> last(each).order));
        for (Spot each : ended) {
            if (it.running()) {
                last(each).applied = true;
                if (each.agent().ofRun == it.attempt) {
                    follow.follow(each.agent(), each.task(), each.step(), last(each));
                }
            }
        }
    }

    private static Try last(Spot spot) {
        return spot.step().tries.getLast();
    }

    /// What looks for things whose time is over.
    enum Look {
        LEASES,
        CLOCKS
    }

    /// All that can come of it when everything that is due is done, in whatever order.
    static List<Expected> due(Expected start, Look look, long now) {
        if (new Clockwork(start, now).dues(look).isEmpty()) {
            return List.of(start);
        }
        var ends = new LinkedHashMap<String, Expected>();
        var todo = new LinkedHashMap<String, Expected>();
        todo.put(start.text(), start);
        while (!todo.isEmpty()) {
            Expected one = todo.pollFirstEntry().getValue();
            int count = new Clockwork(one, now).dues(look).size();
            if (count == 0) {
                ends.put(one.text(), one);
            }
            for (int i = 0; i < count; i++) {
                Expected next = one.copy();
                var clock = new Clockwork(next, now);
                clock.dues(look).get(i).run();
                clock.acts.follow.plans().fill();
                todo.putIfAbsent(next.text(), next);
            }
        }
        return List.copyOf(ends.values());
    }

    private List<Runnable> dues(Look look) {
        var dues = new ArrayList<Runnable>();
        if (look == Look.LEASES) {
            for (Spot each : it.spots()) {
                Try open = each.step().open();
                if (open != null && open.status.equals("running") && open.leaseUntil <= now) {
                    String code = open.deadline <= now ? Rules.TIMEOUT : "lease_expired";
                    dues.add(() -> acts.ended(each, open, Failure.of(code), 0));
                }
            }
            return dues;
        }
        if (it.running()) {
            for (Agent agent : it.open()) {
                for (Task task : agent.tasks) {
                    if (task.status.equals("running") && task.watch.end(task.timeout) <= now) {
                        dues.add(() -> endTask(agent, task));
                    }
                }
                if (agent.status.equals("running")
                        && agent.watch.end(it.asked.times().agent()) <= now) {
                    dues.add(
                            () ->
                                    acts.follow.lose(
                                            agent, Failure.of(Rules.TIMEOUT), Follow.End.FINAL));
                }
            }
        }
        if (it.deadline <= now) {
            dues.add(this::endRun);
        }
        return dues;
    }

    private void endTask(Agent agent, Task task) {
        acts.follow.begin(agent);
        acts.follow.lose(agent, task, Failure.of(Rules.TIMEOUT), Follow.End.FINAL);
    }

    private void endRun() {
        if (it.paused()) {
            acts.follow.end("cancelled", null, null);
        } else {
            acts.follow.fail(Rules.TIMEOUT, Follow.End.FINAL, null);
        }
    }

    /// Nobody has driven it for too long.
    static void lost(Expected it, long now) {
        new Follow(it, now).fail("HeartbeatTimeoutError", Follow.End.FINAL, null);
    }
}
