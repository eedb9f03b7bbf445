package io.orchestrion.runs.model;

import io.orchestrion.runs.model.Parts.Agent;
import io.orchestrion.runs.model.Parts.Spot;
import io.orchestrion.runs.model.Parts.Step;
import io.orchestrion.runs.model.Parts.Task;
import io.orchestrion.runs.model.Parts.Ticket;
import io.orchestrion.runs.model.Parts.Try;
import io.orchestrion.runs.model.Parts.Watch;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One run as the model has it. It knows what there is; [Follow] knows what follows from what.
final class Expected {
    /// What every account begins with.
    static final long INITIAL = 1_000_000_000L;

    final Plot.Asked asked;
    String status = "created";
    boolean deleted;
    int attempt = 1;
    int version;
    int replans;

    /// The planner that makes another plan while the agents of the old one go on.
    @Nullable String replanner;

    long reserved;
    long charged;
    long refunded;
    long over;
    boolean shortOf;
    @Nullable String error;
    String pauseReason = "";
    long windowFrom;
    long deadline = Long.MAX_VALUE;

    /// When its driver has something to do; the end of time where it has not.
    long driverAt = Long.MAX_VALUE;

    Watch watch = new Watch();
    int made;
    List<Agent> agents = new ArrayList<>();
    List<Ticket> tickets = new ArrayList<>();
    List<String> chain = new ArrayList<>(List.of("created"));
    List<String> ledger = new ArrayList<>();

    Expected(Plot.Asked asked) {
        this.asked = asked;
    }

    Expected copy() {
        var copy = new Expected(asked);
        copy.status = status;
        copy.deleted = deleted;
        copy.attempt = attempt;
        copy.version = version;
        copy.replans = replans;
        copy.replanner = replanner;
        copy.reserved = reserved;
        copy.charged = charged;
        copy.refunded = refunded;
        copy.over = over;
        copy.shortOf = shortOf;
        copy.error = error;
        copy.pauseReason = pauseReason;
        copy.windowFrom = windowFrom;
        copy.deadline = deadline;
        copy.driverAt = driverAt;
        copy.watch = watch.copy();
        copy.made = made;
        agents.forEach(each -> copy.agents.add(each.copy()));
        copy.tickets.addAll(tickets);
        copy.chain = new ArrayList<>(chain);
        copy.ledger = new ArrayList<>(ledger);
        return copy;
    }

    boolean running() {
        return status.equals("running");
    }

    boolean paused() {
        return status.equals("paused");
    }

    boolean over() {
        return Rules.over(status);
    }

    boolean escalated() {
        return tickets.stream().anyMatch(Ticket::open);
    }

    /// Agents of this attempt.
    List<Agent> current() {
        return agents.stream().filter(each -> each.ofRun == attempt).toList();
    }

    List<Agent> open() {
        return current().stream().filter(Agent::live).toList();
    }

    /// Workers of the newest plan.
    List<Agent> workers() {
        return current().stream().filter(each -> !each.planner && each.version == version).toList();
    }

    long left() {
        return reserved - charged;
    }

    long held() {
        return spots().stream()
                .map(each -> each.step().open())
                .filter(Objects::nonNull)
                .mapToLong(each -> each.held)
                .sum();
    }

    boolean anyInFlight() {
        return spots().stream().anyMatch(each -> each.step().open() != null);
    }

    /// What its account could pay another attempt with, when this one is settled.
    long available() {
        if (!asked.poor()) {
            return Long.MAX_VALUE;
        }
        long spent = 0;
        for (String line : ledger) {
            if (line.startsWith("charge ")) {
                spent += Long.parseLong(line.substring("charge ".length()));
            }
        }
        return INITIAL - spent - (over() ? 0 : charged);
    }

    long reservation() {
        return asked.tokens() * Rules.TOKEN;
    }

    /// All steps of all attempts.
    List<Spot> spots() {
        var all = new ArrayList<Spot>();
        for (Agent agent : agents) {
            for (Task task : agent.tasks) {
                for (Step step : task.steps) {
                    all.add(new Spot(agent, task, step));
                }
            }
        }
        return all;
    }

    @Nullable Spot spot(String name) {
        for (Spot each : spots()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    @Nullable Agent agent(String name) {
        for (Agent each : agents) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    /// The open step that makes a plan of the run.
    @Nullable Spot planning() {
        for (Spot each : spots()) {
            if (each.agent().ofRun == attempt && each.agent().planner && each.agent().live()) {
                return each;
            }
        }
        return null;
    }

    void become(String next, long now) {
        if (running()) {
            watch.halt(now);
        }
        status = next;
        chain.add(next);
        driverAt = Long.MAX_VALUE;
        Plot.Times times = asked.times();
        switch (next) {
            case "pending" -> {
                deadline = now + times.pending();
                driverAt = now;
            }
            case "running" -> {
                watch.run(now);
                deadline = watch.end(times.running());
            }
            case "paused" -> deadline = now + times.paused();
            case "resuming" -> {
                deadline = now + times.resuming();
                driverAt = now;
            }
            case "retrying" -> deadline = now + times.retrying();
            default -> deadline = Long.MAX_VALUE;
        }
    }

    /// All that is compared with the storage.
    String text() {
        var out = new StringBuilder("run " + status);
        out.append(deleted ? " deleted" : "")
                .append(" attempt=" + attempt + " version=" + version + " replans=" + replans)
                .append(" error=" + error)
                .append(paused() ? " why=" + pauseReason : "")
                .append(" reserved=" + reserved + " charged=" + charged + " refunded=" + refunded)
                .append(" held=" + (over() ? 0 : held()))
                .append(" agents=" + current().size())
                .append(" tasks=" + current().stream().mapToInt(each -> each.tasks.size()).sum())
                .append(deadline == Long.MAX_VALUE ? "" : " until=" + deadline)
                .append('\n')
                .append(String.join(">", chain))
                .append('\n')
                .append(String.join(", ", ledger));
        tickets.forEach(each -> out.append('\n').append(each.text()));
        for (Agent agent : agents) {
            out.append("\nagent " + agent.name() + " " + agent.status + " x" + agent.attempt)
                    .append(agent.superseded ? " superseded" : "");
            if (agent.status.equals("running")) {
                out.append(" until=" + agent.watch.end(asked.times().agent()));
            }
            for (int i = 0; i < agent.tasks.size(); i++) {
                Task task = agent.tasks.get(i);
                out.append("\n task " + i + " " + task.status + " x" + task.attempt);
                if (task.watch.since >= 0 && task.status.equals("running")) {
                    out.append(" until=" + task.watch.end(task.timeout));
                }
                for (int n = 0; n < task.steps.size(); n++) {
                    out.append("\n  ").append(text(n, task.steps.get(n)));
                }
            }
        }
        return out.toString();
    }

    private static String text(int place, Step step) {
        var out = new StringBuilder("step " + place + " " + step.status + " n=" + step.number);
        out.append(step.code == null ? "" : " " + step.code).append(step.asking ? " asks" : "");
        step.tries.forEach((Try each) -> out.append(' ').append(each.text()));
        return out.toString();
    }
}
