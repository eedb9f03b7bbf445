package io.orchestrion.simulator.play;

import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.WorkKind;
import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Observed.Refusal;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/// What all clients of a run share.
final class Stage {
    /// How long a job may take to its end: two lost leases and a restart fit in.
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final int TRIES = 200;
    private static final Duration AGAIN = Duration.ofMillis(500);

    final List<Actor> actors;
    final ServerTime time;
    final Receivers receivers;
    final Progress progress;
    final int maxRetries;
    private final Map<String, WorkKind> catalogue = new HashMap<>();
    private final Queue<Tale> tales = new ConcurrentLinkedQueue<>();
    private final Queue<Refusal> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> troubles = new ConcurrentLinkedQueue<>();
    private final List<Downtime> downtimes = new CopyOnWriteArrayList<>();
    private volatile @Nullable Instant down;

    Stage(
            List<Actor> actors,
            ServerTime time,
            Receivers receivers,
            Progress progress,
            List<WorkKind> catalogue,
            int maxRetries) {
        this.actors = List.copyOf(actors);
        this.time = time;
        this.receivers = receivers;
        this.progress = progress;
        this.maxRetries = maxRetries;
        catalogue.forEach(kind -> this.catalogue.put(kind.name(), kind));
    }

    List<WorkKind> catalogue() {
        return List.copyOf(catalogue.values());
    }

    @Nullable WorkKind kind(String name) {
        return catalogue.get(name);
    }

    void begun(Tale tale) {
        tales.add(tale);
        progress.begun();
    }

    List<Tale> tales() {
        return List.copyOf(tales);
    }

    List<Refusal> refusals() {
        return List.copyOf(refusals);
    }

    /// Does what must be refused and notes how it was.
    void refused(String scenario, @Nullable UUID job, String what, String wanted, Runnable deed)
            throws InterruptedException {
        refusals.add(new Refusal(scenario, job, what, wanted, answerTo(deed)));
        progress.refused();
    }

    /// A server that is down or has no time is no answer.
    private static String answerTo(Runnable deed) throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                deed.run();
                return "no refusal";
            } catch (OrchestrionException e) {
                boolean answered = e.status() > 0 && e.status() < 500 && e.status() != 429;
                if (answered || tries == TRIES) {
                    return e.status() + " " + e.code();
                }
                Thread.sleep(AGAIN);
            }
        }
    }

    /// A scene could not be played to its end.
    void troubled(Throwable trouble) {
        troubles.add(trouble);
    }

    List<Throwable> troubles() {
        return List.copyOf(troubles);
    }

    void downFrom(Instant at) {
        down = at;
        progress.server(false);
    }

    void upAgain(Instant at) {
        Instant from = down;
        if (from != null) {
            downtimes.add(new Downtime(from, at));
        }
        down = null;
        progress.server(true);
    }

    List<Downtime> downtimes() {
        return List.copyOf(downtimes);
    }

    /// Whether a job that began then may have lost its runner.
    boolean killedSince(Instant at) {
        return down != null || downtimes.stream().anyMatch(each -> each.until().isAfter(at));
    }
}
