package io.orchestrion.simulator.play;

import io.orchestrion.sdk.ClientKey;
import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobSearch;
import io.orchestrion.sdk.JobSubmission;
import io.orchestrion.sdk.Jobs;
import io.orchestrion.sdk.NewWebhook;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.SubmittedJob;
import io.orchestrion.sdk.WebhookSecret;
import io.orchestrion.sdk.WorkKind;
import io.orchestrion.simulator.history.Observed;
import io.orchestrion.simulator.history.Observed.Owned;
import io.orchestrion.simulator.history.Observed.Receiver;
import io.orchestrion.simulator.play.Plan.Scene;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A whole run: makes the clients, lets them play their scenes, kills and restarts the server in
/// between, waits for what is still on its way, and gathers what everybody saw.
public final class Simulation implements AutoCloseable {
    private static final int LISTENERS = 6;
    private static final int SCENES_A_CLIENT = 8;
    private static final int MAX_RETRIES = 3;
    private static final int LATE_JOBS = 10;
    private static final Duration SETTLE = Duration.ofMinutes(2);
    private static final List<String> ENDS = List.of("job.succeeded", "job.failed", "job.canceled");
    private static final List<String> EVERYTHING =
            List.of(
                    "job.created",
                    "job.queued",
                    "job.assigned",
                    "job.lease_expired",
                    "job.running",
                    "job.succeeded",
                    "job.failed",
                    "job.timed_out",
                    "job.canceled",
                    "job.retried",
                    "job.emitted");

    /// A server that can be killed and started again.
    public interface Killable {
        void kill();

        /// Returns when it is ready.
        void startAgain() throws IOException;
    }

    /// @param restarts how often the server is killed on the way
    public record Options(
            List<Scenario> scenarios, int jobs, int clients, long seed, int restarts) {
        public Options {
            scenarios = List.copyOf(scenarios);
        }
    }

    private final URI server;
    private final @Nullable Killable killable;
    private final Options options;
    private final Progress progress;
    private final List<Actor> actors = new ArrayList<>();
    private @Nullable Receivers receivers;

    /// @param killable null for a server that is somebody else's
    public Simulation(URI server, @Nullable Killable killable, Options options, Progress progress) {
        this.server = server;
        this.killable = killable;
        this.options = options;
        this.progress = progress;
    }

    public Observed run() throws Exception {
        progress.phase("makes clients");
        Instant told = hire();
        var time = new ServerTime(told);
        var hooks = new Receivers(time);
        receivers = hooks;
        List<WorkKind> catalogue = actors.getFirst().jobs().catalogue();
        var stage = new Stage(actors, time, hooks, progress, catalogue, MAX_RETRIES);
        Instant began = time.instant();
        int listeners =
                options.scenarios().contains(Scenario.WEBHOOKS)
                        ? Math.min(LISTENERS, options.clients() / 2)
                        : 0;
        for (int i = 0; i < listeners; i++) {
            register(stage, actors.get(i), Behaviour.values()[i]);
        }
        Plan plan =
                Plan.of(
                        options.scenarios(),
                        options.jobs(),
                        options.clients(),
                        listeners,
                        catalogue,
                        options.seed());
        play(stage, plan);
        progress.phase("waits for deliveries");
        settle(stage);
        progress.phase("reads lists");
        var owned = new ArrayList<Owned>();
        for (Actor actor : actors) {
            owned.add(new Owned(actor.number, listed(actor)));
        }
        var run =
                new Observed.Run(
                        server.toString(),
                        options.scenarios().stream().map(Scenario::word).toList(),
                        options.seed(),
                        options.clients(),
                        MAX_RETRIES,
                        began,
                        time.instant());
        return new Observed(
                run,
                catalogue,
                stage.downtimes(),
                stage.tales().stream().map(Tale::story).toList(),
                stage.refusals(),
                owned,
                hooks.all(),
                hooks.receipts());
    }

    /// Each client makes itself, as a newcomer does.
    ///
    /// @return the server's time at the end
    private Instant hire() {
        Instant told = Instant.EPOCH;
        try (var nobody = OrchestrionClient.builder(server).build()) {
            for (int i = 0; i < options.clients(); i++) {
                UUID client = nobody.clients().create();
                ClientKey key = nobody.clients().key(client);
                if (key.apiKey() == null) {
                    throw new IllegalStateException("the server gave a new client no key");
                }
                actors.add(new Actor(i, server, key.apiKey()));
                told = key.createdAt();
            }
        }
        return told;
    }

    private static void register(Stage stage, Actor actor, Behaviour behaviour) {
        String name = "webhook-" + behaviour.name().toLowerCase(Locale.ROOT);
        List<String> events = actor.number % 2 == 0 ? EVERYTHING : ENDS;
        URI to = stage.receivers.add(name, actor.number, behaviour, events);
        WebhookSecret made = actor.client.webhooks().create(NewWebhook.to(to, events));
        if (made.secret() == null) {
            throw new IllegalStateException("the server told no secret for a new webhook");
        }
        stage.receivers.secret(name, made.secret());
    }

    private void play(Stage stage, Plan plan) throws Exception {
        List<Scene> scenes = plan.scenes();
        progress.of(scenes.size());
        progress.phase("plays");
        var room = new Semaphore(options.clients() * SCENES_A_CLIENT);
        Thread restarter = Thread.ofVirtual().start(() -> restart(stage, scenes.size()));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Scene scene : scenes) {
                room.acquire();
                threads.execute(
                        () -> {
                            perform(stage, scene);
                            room.release();
                        });
            }
            threads.shutdown();
            while (!threads.awaitTermination(1, TimeUnit.SECONDS)) {
                if (stage.troubles().size() > 20) {
                    threads.shutdownNow();
                }
            }
        }
        restarter.join();
        if (!stage.troubles().isEmpty()) {
            Throwable first = stage.troubles().getFirst();
            throw new IllegalStateException(
                    stage.troubles().size()
                            + " scenes could not be played, the first: "
                            + first.getMessage(),
                    first);
        }
    }

    private static void perform(Stage stage, Scene scene) {
        try {
            new Performance(stage, scene).play();
        } catch (Exception e) {
            stage.troubled(new IllegalStateException(scene + ": " + e, e));
        } finally {
            stage.progress.scenePlayed();
        }
    }

    /// At even parts of the run: jobs for a time at which the server is down, the kill, the start.
    private void restart(Stage stage, int scenes) {
        Killable killed = killable;
        if (killed == null) {
            return;
        }
        try {
            for (int i = 1; i <= options.restarts(); i++) {
                while (progress.played() < (long) scenes * i / (options.restarts() + 1)) {
                    Thread.sleep(Duration.ofMillis(20));
                }
                Instant due =
                        Instant.ofEpochMilli(stage.time.instant().toEpochMilli()).plusMillis(1500);
                var late = new ArrayList<Tale>();
                Actor actor = stage.actors.getLast();
                for (int job = 0; job < LATE_JOBS; job++) {
                    var submission =
                            JobSubmission.deferred(due).withWorkKind("SCHEDULED_LATE_RECOVERY");
                    SubmittedJob made = actor.submit(submission);
                    late.add(new Tale("restarts", actor.number, submission, made, null));
                }
                late.forEach(stage::begun);
                stage.downFrom(stage.time.instant());
                killed.kill();
                progress.say("The server was killed.");
                while (stage.time.instant().isBefore(due.plusMillis(500))) {
                    Thread.sleep(Duration.ofMillis(20));
                }
                killed.startAgain();
                stage.upAgain(stage.time.instant());
                progress.say("The server is back.");
                for (Tale tale : late) {
                    new Performance(stage, lateScene(actor.number)).follow(tale);
                }
            }
        } catch (Exception e) {
            stage.troubled(e);
        }
    }

    private Scene lateScene(int client) {
        return new Scene(Scenario.SCHEDULES, client, List.of(), options.seed());
    }

    /// Until everything arrived that has to, or it has had time enough.
    private void settle(Stage stage) throws InterruptedException {
        long end = System.nanoTime() + SETTLE.toNanos();
        Map<String, Receiver> byName =
                stage.receivers.all().stream()
                        .collect(Collectors.toMap(Receiver::name, Function.identity()));
        List<Receiver> hooks =
                byName.values().stream().filter(each -> each.events() != null).toList();
        for (Tale tale : stage.tales()) {
            while (!arrived(stage, tale, hooks) && System.nanoTime() < end) {
                Thread.sleep(Duration.ofMillis(100));
            }
        }
        for (Tale tale : stage.tales()) {
            Receiver receiver = tale.receiver() == null ? null : byName.get(tale.receiver());
            if (receiver != null) {
                String wanted = receiver.accepts() ? "delivered" : "failed";
                List<Delivery> log = log(stage, tale);
                while (System.nanoTime() < end
                        && (receiver.accepts()
                                ? !log.stream().allMatch(each -> each.state().equals(wanted))
                                : log.stream().noneMatch(each -> each.state().equals(wanted)))) {
                    Thread.sleep(Duration.ofMillis(250));
                    log = log(stage, tale);
                }
                tale.sent(log);
            }
        }
    }

    private static List<Delivery> log(Stage stage, Tale tale) {
        return stage.actors.get(tale.client()).jobs().deliveries(tale.id());
    }

    private static boolean arrived(Stage stage, Tale tale, List<Receiver> hooks) {
        for (JobReport.Event event : tale.events()) {
            String callback = tale.receiver();
            if (callback != null && !stage.receivers.taken(callback, event.id())) {
                return false;
            }
            for (Receiver hook : hooks) {
                if (hook.client() == tale.client()
                        && hook.asks(event.name())
                        && !stage.receivers.taken(hook.name(), event.id())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<UUID> listed(Actor actor) {
        var ids = new ArrayList<UUID>();
        JobSearch search = JobSearch.ALL.withLimit(100);
        Jobs.Page page = actor.jobs().list(search);
        page.jobs().forEach(job -> ids.add(job.id()));
        while (page.nextCursor() != null) {
            page = actor.jobs().list(search.after(page.nextCursor()));
            page.jobs().forEach(job -> ids.add(job.id()));
        }
        return ids;
    }

    @Override
    public void close() {
        actors.forEach(Actor::close);
        if (receivers != null) {
            receivers.close();
        }
    }
}
