package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// `orchestrion runner` as a process of its own, with a server that runs nothing itself.
@Timeout(180)
class RunnerProgramTest {
    private static final Duration SOON = Duration.ofSeconds(40);
    private static final Path DATA = Folders.temporary("orchestrion-runner-");
    private static final TestDatabase DATABASE = TestPostgres.get().newDatabase();
    private static ServerProcess server;
    private static Api api;

    @BeforeAll
    static void start() {
        server = ServerProcess.startOn(DATABASE.options(), DATA, "--jobs-runners", "0");
        api = server.api();
    }

    @AfterAll
    static void stop() {
        server.close();
        DATABASE.close();
        Folders.delete(DATA);
    }

    private static WorkerProcess runner(List<String> javaOptions, String... more) {
        var words =
                new ArrayList<>(
                        List.of(
                                "--database-url",
                                DATABASE.options().jdbcUrl(),
                                "--database-user",
                                DATABASE.options().user(),
                                "--data",
                                DATA.toString()));
        words.addAll(List.of(more));
        return WorkerProcess.start(
                "runner",
                Map.of("ORCHESTRION_DATABASE_PASSWORD", DATABASE.options().password()),
                javaOptions,
                words.toArray(String[]::new));
    }

    private static String submit(Api to, String kind) {
        Reply made =
                to.post(
                        "/v1/jobs",
                        "{\"type\":\"EXECUTE\",\"work_kind\":\"%s\"}".formatted(kind));
        assertThat(made.status()).as(made.text()).isEqualTo(202);
        return made.text("/job_id");
    }

    private static String state(Api of, String id) {
        return of.get("/v1/jobs/" + id).text("/state");
    }

    private static void await(Api of, String id, String state) {
        Until.isTrue("job " + id + " is " + state, SOON, () -> state(of, id).equals(state));
    }

    /// The half minute of a lease is over for whoever holds the job.
    private static void age(String id) {
        assertThat(
                        DATABASE.execute(
                                "update work set lease_until_ms = lease_until_ms - 31000,"
                                        + " lease_check_ms = 0 where id = ?::uuid",
                                id))
                .isEqualTo(1);
    }

    /// J-246, J-209: and a signal ends it in good order.
    @Test
    void it_runs_the_jobs_that_waited_for_it_and_stops_at_a_signal() throws InterruptedException {
        var ids = new ArrayList<String>();
        for (int i = 0; i < 6; i++) {
            ids.add(submit(api, i % 3 == 0 ? "FAIL_IMMEDIATE" : "SUCCESS_FAST"));
        }
        assertThat(state(api, ids.getFirst())).isEqualTo("QUEUED");
        try (WorkerProcess runner =
                runner(List.of(), "--name", "rack-3", "--jobs-time-scale", "0.001")) {
            runner.awaitSaid("Ready.");
            ids.forEach(
                    id ->
                            await(
                                    api,
                                    id,
                                    ids.indexOf(id) % 3 == 0 ? "FAILED" : "SUCCEEDED"));
            // What it runs when the signal comes may end.
            String last = submit(api, "RUNS_LONG");
            await(api, last, "RUNNING");
            runner.signal();
            assertThat(runner.awaitEnd()).as(runner.said()).isZero();
            assertThat(state(api, last)).isEqualTo("SUCCEEDED");
            assertThat(runner.said())
                    .contains("rack-3", "1 at a time")
                    .contains("scenario=\"SUCCESS_FAST\"")
                    .contains("Stopped. Jobs: 5 succeeded, 2 failed, 0 let go.");
        }
    }

    /// J-206, J-248, J-251..J-253: killed for real.
    @Test
    void a_killed_runner_gives_back_what_it_had_not_begun_and_fails_what_it_had()
            throws InterruptedException {
        String unbegun = submit(api, "SUCCESS_FAST");
        try (WorkerProcess dying =
                runner(List.of("-Dorchestrion.failpoints=runner.before-start=halt"))) {
            assertThat(dying.awaitEnd()).as(dying.said()).isEqualTo(137);
        }
        assertThat(state(api, unbegun)).isEqualTo("ASSIGNED");
        age(unbegun);
        await(api, unbegun, "QUEUED");
        assertThat(api.get("/v1/jobs/" + unbegun).text("/attempt")).isEqualTo("1");
        assertThat(api.post("/v1/jobs/" + unbegun + "/cancel").status()).isEqualTo(200);

        String begun = submit(api, "RUNS_LONG");
        try (WorkerProcess killed = runner(List.of())) {
            await(api, begun, "RUNNING");
            killed.kill();
        }
        age(begun);
        await(api, begun, "FAILED");
        Reply report = api.get("/v1/jobs/" + begun + "/report");
        assertThat(report.text("/outcome")).as(report.text()).isEqualTo("FAILED");
        Reply retried = api.post("/v1/jobs/" + begun + "/retry");
        assertThat(retried.text("/state")).as(retried.text()).isEqualTo("QUEUED");
        assertThat(api.post("/v1/jobs/" + begun + "/cancel").status()).isEqualTo(200);
    }

    /// A server's own database is on another port after each start.
    @Test
    void it_finds_the_own_database_of_a_server_and_follows_it_over_a_restart()
            throws InterruptedException {
        Path data = Folders.temporary("orchestrion-runner-own-");
        ServerProcess first = ServerProcess.startWith(data, List.of("--jobs-runners", "0"));
        try (WorkerProcess runner =
                WorkerProcess.start(
                        "runner",
                        Map.of(),
                        List.of(),
                        "--data",
                        data.toString(),
                        "--jobs-time-scale",
                        "0.001")) {
            runner.awaitSaid("Ready.");
            await(first.api(), submit(first.api(), "SUCCESS_FAST"), "SUCCEEDED");
            first.kill();
            try (ServerProcess second =
                    ServerProcess.startWith(data, List.of("--jobs-runners", "0"))) {
                await(second.api(), submit(second.api(), "SUCCESS_FAST"), "SUCCEEDED");
                runner.signal();
                assertThat(runner.awaitEnd()).as(runner.said()).isZero();
            }
        } finally {
            first.kill();
            Folders.delete(data);
        }
    }

    @Test
    void it_says_what_is_missing(@TempDir Path empty) {
        ServerProcess.Ended nobody = ServerProcess.run("runner", "--data", empty.toString());
        assertThat(nobody.code()).isEqualTo(86);
        assertThat(nobody.said()).contains("no server runs on the data folder " + empty);
        ServerProcess.Ended many =
                ServerProcess.run(
                        "runner", "--data", empty.toString(), "--concurrency", "257");
        assertThat(many.code()).isEqualTo(64);
        assertThat(many.said()).contains("--concurrency must be from 1 to 256, not 257");
        ServerProcess.Ended scale =
                ServerProcess.run(
                        "runner", "--data", empty.toString(), "--jobs-time-scale", "2");
        assertThat(scale.code()).isNotZero();
    }
}
