package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Two servers on one database are killed with -9 in turns while ten workers do the steps of runs
/// and hand in artifacts. The servers are killed more often with `-Dorchestrion.crash.rounds=20`.
class RunKillTest {
    private static final int ROUNDS = Integer.getInteger("orchestrion.crash.rounds", 1);
    private static final Duration PATIENCE = Duration.ofMinutes(2L + ROUNDS);

    private static final int WORKERS = 10;
    private static final String TYPE = "work";
    private static final String CONTENT = "x".repeat(200_000);

    /// The windows of the contract.
    private static final int AGENTS = 10;
    private static final int TASKS = 5;
    private static final int STEPS = 3;

    /// What is done of a round when the one server is killed, and the other.
    private static final double[] KILLED_AT = {0.25, 0.6};

    @TempDir Path oneData;
    @TempDir Path otherData;
    @TempDir Path artifacts;

    private final TestDatabase database = TestPostgres.get().newDatabase();
    private final AtomicReferenceArray<ServerProcess> servers = new AtomicReferenceArray<>(2);
    private final AtomicReferenceArray<Api> apis = new AtomicReferenceArray<>(2);
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicBoolean gone = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();
    private final ConcurrentHashMap<String, Held> held = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();
    private String key = "";

    /// What a worker has in hand.
    private record Held(String run, String agent, String task, String item) {}

    /// no run is stuck, no window is passed, each run is paid for once.
    @Test
    @Timeout(3_600)
    void servers_that_are_killed_in_turns_leave_runs_as_they_were()
            throws InterruptedException, ExecutionException {
        try (database;
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                start(0);
                Reply registered = servers.get(0).api().post("/v1/keys/register", "{}");
                database.execute(
                        "update account set plan = 'unlimited' where account_id = ?::uuid",
                        registered.text("/accountId"));
                key = registered.text("/apiKey");
                apis.set(0, servers.get(0).api().withKey(key));
                start(1);
                var workers = new ArrayList<Future<?>>();
                for (int i = 0; i < WORKERS; i++) {
                    int number = i;
                    workers.add(threads.submit(() -> worked(number)));
                }
                var runs = new ArrayList<String>();
                for (int round = 0; round < ROUNDS; round++) {
                    runs.addAll(round());
                }
                over.set(true);
                for (Future<?> worker : workers) {
                    worker.get();
                }
                check(runs);
            } finally {
                over.set(true);
                for (int i = 0; i < 2; i++) {
                    if (servers.get(i) != null) {
                        servers.get(i).close();
                    }
                }
            }
        }
    }

    private void start(int number) {
        ServerProcess started =
                ServerProcess.startOn(
                        database.options(),
                        number == 0 ? oneData : otherData,
                        "--run-artifacts-folder",
                        artifacts.resolve("objects").toString(),
                        "--run-artifacts-key-file",
                        artifacts.resolve("key").toString());
        servers.set(number, started);
        apis.set(number, started.api().withKey(key));
    }

    /// Two runs, one wide and one narrow, during which each server is killed once.
    private List<String> round() {
        int before = done.get();
        var runs = new ArrayList<String>();
        int steps = 0;
        for (int[] shape : new int[][] {{1, 8, 5}, {AGENTS, 2, 1}}) {
            runs.add(begun(shape[0], shape[1], shape[2]));
            steps += shape[0] * shape[1] * shape[2];
        }
        for (int victim = 0; victim < 2; victim++) {
            int wanted = before + (int) (steps * KILLED_AT[victim]);
            Until.isTrue(
                    "workers are in the middle of it",
                    PATIENCE,
                    () -> isSound() && done.get() >= wanted);
            gone.set(true);
            servers.get(victim).kill();
            // Nobody wants to wait for the leases of its drivers.
            database.execute(
                    "update work set lease_until_ms = 1, lease_check_ms = 1 where kind ="
                            + " 'run_drive' and state in ('leased', 'running')");
            start(victim);
        }
        for (String run : runs) {
            Until.isTrue(
                    "the run has ended",
                    PATIENCE,
                    () ->
                            isSound()
                                    && !asked(0, api -> api.get(run))
                                            .text("/status")
                                            .equals("running"));
        }
        return runs;
    }

    /// The path of a run with so many agents, tasks each, and steps each, all at once.
    private String begun(int agents, int tasks, int steps) {
        String plan =
                "{\"agents\":["
                        + each(
                                agents,
                                "{\"subtask\":\"a%d\",\"parallelism_mode\":\"parallel\",\"tasks\":["
                                        + each(
                                                        tasks,
                                                        "{\"name\":\"t%d\",\"parallelism_mode\":\"parallel\",\"steps\":["
                                                                + each(
                                                                                steps,
                                                                                "{\"name\":\"s%d\",\"tool\":\""
                                                                                        + TYPE
                                                                                        + "\",\"max_attempts\":10,\"timeout_ms\":600000}")
                                                                        .replace("%", "%%")
                                                                + "]}")
                                                .replace("%", "%%")
                                        + "]}")
                        + "]}";
        String once = UUID.randomUUID().toString();
        Reply made =
                asked(
                        agents,
                        api ->
                                api.with("Idempotency-Key", once)
                                        .post(
                                                "/api/v1/runs",
                                                "{\"name\":\"killed\",\"task\":\"Go"
                                                        + " on.\",\"max_tokens\":5000,\"plan\":"
                                                        + plan
                                                        + "}"));
        assertThat(made.status()).as(made.text()).isIn(200, 201);
        String path = "/api/v1/runs/" + made.text("/run_id");
        Reply started = asked(agents + 1, api -> api.post(path + "/start", "{}"));
        assertThat(started.status()).as(started.text()).isEqualTo(200);
        return path;
    }

    private static String each(int count, String form) {
        return IntStream.range(0, count).mapToObj(form::formatted).collect(Collectors.joining(","));
    }

    /// What was asked of a server that is gone, or that cannot do it now, is asked of the other.
    private Reply asked(int at, Function<Api, Reply> what) {
        int number = at;
        while (true) {
            try {
                Reply reply = what.apply(apis.get(number % 2));
                if (reply.status() != 503) {
                    return reply;
                }
            } catch (Api.Unanswered e) {
                assertThat(gone.get()).as("somebody was killed").isTrue();
            }
            number++;
        }
    }

    /// What one worker saw is told at once, and by nobody later.
    private void worked(int number) {
        try {
            workUntilOver(number);
        } catch (Throwable e) {
            broken.compareAndSet(null, e);
            throw e;
        }
    }

    private boolean isSound() {
        assertThat(broken.get()).isNull();
        return true;
    }

    private void workUntilOver(int number) {
        for (int at = number; !over.get(); at++) {
            String claim =
                    "{\"type\":\"%s\",\"waitSeconds\":1,\"claimId\":\"%s\"}"
                            .formatted(TYPE, UUID.randomUUID());
            Reply claimed = asked(at, api -> api.post("/v1/tasks/claim", claim));
            String id = claimed.text("/task/id");
            if (!id.isEmpty()) {
                work(at, claimed, id);
            }
        }
    }

    private void work(int at, Reply claimed, String id) {
        String payload = "/task/payload/";
        String run = claimed.text(payload + "run_id");
        held.put(
                id,
                new Held(
                        run,
                        claimed.text(payload + "agent_id"),
                        claimed.text(payload + "task_id"),
                        id));
        watch();
        if (claimed.text(payload + "name").equals("s0")) {
            String name = claimed.text(payload + "step_id");
            Reply uploaded =
                    asked(
                            at,
                            api ->
                                    api.with("Content-Type", "text/plain")
                                            .with("Idempotency-Key", name)
                                            .post(
                                                    "/api/v1/runs/"
                                                            + run
                                                            + "/artifacts?name="
                                                            + name,
                                                    CONTENT));
            // What is left of an upload to a killed server keeps the name until its lease is over.
            assertThat(uploaded.status()).as(uploaded.text()).isIn(200, 201, 409);
        }
        // From here on the server may have its end, whether it says so or not.
        held.remove(id);
        String body =
                "{\"leaseToken\":\"%s\",\"result\":{}}".formatted(claimed.text("/leaseToken"));
        Reply completed = asked(at + 1, api -> api.post("/v1/tasks/" + id + "/complete", body));
        // On a slow machine its lease may be over, and another one does the step again.
        assertThat(completed.status()).as(completed.text()).isIn(200, 409);
        if (completed.status() == 200) {
            done.incrementAndGet();
        }
    }

    /// the windows as the workers see them, and as they are stored.
    private void watch() {
        List<Held> now = List.copyOf(held.values());
        assertThat(most(now, Held::task, Held::item)).isLessThanOrEqualTo(STEPS);
        assertThat(most(now, Held::agent, Held::task)).isLessThanOrEqualTo(TASKS);
        assertThat(most(now, Held::run, Held::agent)).isLessThanOrEqualTo(AGENTS);
        assertThat(stored("s.task_id", "a.id")).isLessThanOrEqualTo(STEPS);
        assertThat(stored("s.agent_id", "s.task_id")).isLessThanOrEqualTo(TASKS);
        assertThat(stored("s.run_id", "s.agent_id")).isLessThanOrEqualTo(AGENTS);
    }

    /// How many different parts of one whole are in hand.
    private static int most(
            List<Held> all, Function<Held, String> whole, Function<Held, String> part) {
        var parts = new HashMap<String, Set<String>>();
        for (Held each : all) {
            parts.computeIfAbsent(whole.apply(each), _ -> new HashSet<>()).add(part.apply(each));
        }
        return parts.values().stream().mapToInt(Set::size).max().orElse(0);
    }

    private long stored(String whole, String part) {
        return database.<Long>value(
                "select coalesce(max(n), 0) from (select count(distinct "
                        + part
                        + ") as n from run_step_attempt a join run_step s on s.account_id ="
                        + " a.account_id and s.id = a.step_id where a.status in ('pending',"
                        + " 'running') group by "
                        + whole
                        + ") c");
    }

    private void check(List<String> runs) {
        for (String path : runs) {
            Reply run = asked(0, api -> api.get(path));
            assertThat(run.text("/status")).as(run.text()).isEqualTo("completed");
            UUID id = UUID.fromString(path.substring(path.indexOf("run_") + 4));
            assertThat(
                            database.rows(
                                    "select transaction_type as kind from credit_entry where run_id"
                                            + " = ? order by seq",
                                    id))
                    .extracting(row -> row.get("kind"))
                    .containsExactly("reserve", "charge", "refund");
            assertThat(
                            database.<Long>value(
                                    "select count(*) from run_transition where run_id = ?", id))
                    .as("created, pending, running, completed")
                    .isEqualTo(4L);
        }
        assertThat(count("run_step where status <> 'completed'")).isZero();
        assertThat(count("run_step_attempt where status in ('pending', 'running')")).isZero();
        assertThat(count("run_step_attempt where status = 'completed'"))
                .isEqualTo(count("run_step"));
        assertThat(
                        count(
                                "work where owner_kind = 'run' and state not in ('succeeded',"
                                        + " 'failed', 'cancelled', 'dead')"))
                .isZero();
        assertThat(count("credit_balance where reserved <> 0")).isZero();
        assertThat(count("run_artifact where state = 'uploading'")).isZero();
        Until.isTrue(
                "no object is without its artifact",
                PATIENCE,
                () -> files() == count("run_artifact where state = 'ready'"));
        Reply violations = servers.get(0).api().get("/api/v1/admin/invariants");
        assertThat(violations.status()).as(violations.text()).isEqualTo(200);
        assertThat(violations.at("/violations").size()).as(violations.text()).isZero();
    }

    private long count(String from) {
        return database.value("select count(*) from " + from);
    }

    private long files() {
        try (Stream<Path> all = Files.walk(artifacts.resolve("objects"))) {
            return all.filter(Files::isRegularFile).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
