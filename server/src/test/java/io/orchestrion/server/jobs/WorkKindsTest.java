package io.orchestrion.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.catalogue.Expected;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.jobs.runner.Handlers;
import io.orchestrion.jobs.runner.RunnerListener;
import io.orchestrion.jobs.runner.RunnerOptions;
import io.orchestrion.jobs.runner.RunnerPool;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Backoff;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.JobsPlug;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every row of the catalogue ends as it says, over HTTP, with a runner whose time goes a thousand
/// times as fast.
@Timeout(180)
class WorkKindsTest {
    private static final int KIB = 1024;
    private static final double SCALE = 0.001;

    private static TestServer server;
    private static RunnerPool pool;

    private final JobsApi jobs = JobsApi.of(server);

    @BeforeAll
    static void start() {
        server = new TestServer();
        server.kernel().kernel().start();
        pool = JobsFixture.runner(server, 8);
    }

    @AfterAll
    static void stop() {
        pool.close();
        server.close();
    }

    /// The table as the contract prints it; a duration of 121000 is one second above the limit.
    private static final String ROWS =
            """
            SUCCESS_FAST 1000 false 4
            SUCCESS_NORMAL 10000 false 16
            SUCCESS_SLOW 90000 false 32
            FAIL_IMMEDIATE 500 true 1
            FAIL_AFTER_PROGRESS 20000 true 8
            FAIL_AFTER_RETRYABLE 5000 true 8
            RUNS_LONG 110000 false 32
            RUNS_OVER_TIMEOUT 121000 true 8
            CPU_BURST 8000 false 4
            MEMORY_SPIKE 12000 false 64
            IO_HEAVY 15000 false 32
            MANY_SMALL_OUTPUTS 9000 false 16
            LARGE_OUTPUT 9000 false 256
            CANCEL_BEFORE_START 5000 false 4
            CANCEL_DURING_RUN 10000 false 4
            RETRY_ON_FAIL 3000 true 4
            RETRY_LIMIT_REACHED 3000 true 4
            DUPLICATE_SUBMIT_SAME_KEY 2000 false 4
            DUPLICATE_SUBMIT_DIFFERENT_KEY 2000 false 4
            WEBHOOK_SUCCESS 2000 false 4
            WEBHOOK_TIMEOUT 2000 false 4
            WEBHOOK_5XX 2000 false 4
            WEBHOOK_RETRIES_EXHAUSTED 2000 false 4
            WEBHOOK_SLOW_RECEIVER 2000 false 4
            SCHEDULED_ON_TIME 2000 false 4
            SCHEDULED_LATE_RECOVERY 2000 false 4
            SCHEDULED_FAR_FUTURE 2000 false 4
            PAYLOAD_SMALL 2000 false 1
            PAYLOAD_MEDIUM 2000 false 16
            PAYLOAD_LARGE 2000 false 256
            PAYLOAD_INVALID 0 false 0
            """;

    /// J-023..J-053: the numbers of every row, as they are served.
    @Test
    void the_catalogue_is_the_contracts() {
        Reply reply = jobs.keyed().get(JobsApi.JOBS + "/catalogue");
        String served =
                reply.at("/work_kinds")
                        .valueStream()
                        .map(
                                kind ->
                                        "%s %d %s %d\n"
                                                .formatted(
                                                        kind.get("name").asString(),
                                                        kind.get("duration_ms").asInt(),
                                                        kind.get("should_fail").asBoolean(),
                                                        kind.get("payload_size").asInt() / KIB))
                        .collect(Collectors.joining());
        assertThat(served).isEqualTo(ROWS);
    }

    static Stream<WorkKind> plain() {
        return Arrays.stream(WorkKind.values())
                .filter(
                        kind ->
                                kind.expected() == Expected.SUCCEEDED
                                        || kind.expected().need() == Expected.Need.RECEIVER);
    }

    private static long scaled(WorkKind kind) {
        return (long) (kind.durationMs(120_000) * SCALE);
    }

    private void defined(Reply job, WorkKind kind) {
        assertThat(job.text("/definition/work_kind")).isEqualTo(kind.name());
        assertThat(job.at("/definition/duration_ms").asLong()).isEqualTo(kind.durationMs(120_000));
        assertThat(job.at("/definition/should_fail").asBoolean()).isEqualTo(kind.shouldFail());
        assertThat(job.number("/definition/payload_size")).isEqualTo(kind.payloadSizeBytes());
    }

    /// J-022..J-025, J-029, J-031..J-035, J-050..J-052: those that succeed. The kinds about
    /// webhooks are here without a receiver; what becomes of their deliveries is tested with
    /// these.
    @ParameterizedTest
    @MethodSource("plain")
    void a_kind_that_succeeds(WorkKind kind) {
        String id = jobs.execute(kind.name());
        jobs.await(id, "SUCCEEDED");
        Reply job = jobs.get(id);
        defined(job, kind);
        assertThat(job.text("/outcome")).isEqualTo("SUCCESS");
        Reply report = jobs.report(id);
        assertThat(report.number("/output/size_bytes")).isEqualTo(kind.payloadSizeBytes());
        assertThat(report.text("/output/sha256")).matches("[0-9a-f]{64}");
        assertThat(report.at("/duration_ms").asLong()).isGreaterThanOrEqualTo(scaled(kind));
        assertThat(jobs.events(id))
                .containsExactly(
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.succeeded");
    }

    /// J-026, J-027, J-028: those that fail, once they have run for as long as they say.
    @ParameterizedTest
    @EnumSource(
            value = WorkKind.class,
            names = {"FAIL_IMMEDIATE", "FAIL_AFTER_PROGRESS", "FAIL_AFTER_RETRYABLE"})
    void a_kind_that_fails(WorkKind kind) {
        String id = jobs.execute(kind.name());
        jobs.await(id, "FAILED");
        Reply job = jobs.get(id);
        defined(job, kind);
        assertThat(job.text("/outcome")).isEqualTo("FAILED");
        assertThat(job.at("/failure/retryable").asBoolean())
                .isEqualTo(kind == WorkKind.FAIL_AFTER_RETRYABLE);
        Reply report = jobs.report(id);
        assertThat(report.text("/reason")).isEqualTo("SIMULATED_FAILURE");
        assertThat(report.at("/duration_ms").asLong()).isGreaterThanOrEqualTo(scaled(kind));
        Reply retry = jobs.verb(id, "retry");
        assertThat(retry.status()).isEqualTo(200);
        assertThat(retry.number("/attempt")).isEqualTo(2);
    }

    /// J-030, J-256, J-282: stopped at the limit, and that is the reason.
    @Test
    void a_kind_that_runs_over_its_time() {
        String id = jobs.execute("RUNS_OVER_TIMEOUT");
        jobs.await(id, "FAILED");
        defined(jobs.get(id), WorkKind.RUNS_OVER_TIMEOUT);
        assertThat(jobs.report(id).text("/reason")).isEqualTo("RFA_EXEC_TIMEOUT");
        assertThat(jobs.events(id)).endsWith("job.timed_out");
    }

    /// J-036: before a runner has it.
    @Test
    void a_kind_that_is_canceled_before_it_starts() {
        try (var idle = new TestServer()) {
            JobsApi api = JobsApi.of(idle);
            String id = api.execute("CANCEL_BEFORE_START");
            assertThat(api.state(id)).isEqualTo("QUEUED");
            assertThat(api.verb(id, "cancel").text("/state")).isEqualTo("CANCELED");
            assertThat(api.report(id).text("/outcome")).isEqualTo("CANCELED");
            assertThat(api.report(id).number("/duration_ms")).isZero();
            // J-037, J-104, with a runner that takes the work's own time for it: it stops.
            String running = api.execute("CANCEL_DURING_RUN");
            var kernel = idle.kernel().kernel();
            try (var slow =
                    new RunnerPool(
                            kernel,
                            idle.jobs(),
                            new Runners(kernel.database()),
                            RunnerOptions.named("slow")
                                    .withPace(
                                            Duration.ofMillis(200),
                                            Duration.ofMillis(20),
                                            Duration.ofMillis(20)),
                            Handlers.onClassPath(),
                            RunnerListener.NONE)) {
                slow.start();
                api.await(running, "RUNNING");
                assertThat(api.verb(running, "cancel").text("/state")).isEqualTo("CANCELED");
                Until.isTrue("the runner stopped", Duration.ofSeconds(5), () -> slow.busy() == 0);
                assertThat(api.events(running)).endsWith("job.running", "job.canceled");
            }
        }
    }

    /// J-038.
    @Test
    void a_kind_that_fails_and_succeeds_when_tried_again() {
        String id = jobs.execute("RETRY_ON_FAIL");
        jobs.await(id, "FAILED");
        assertThat(jobs.verb(id, "retry").number("/attempt")).isEqualTo(2);
        jobs.await(id, "SUCCEEDED");
        assertThat(jobs.events(id)).contains("job.failed", "job.retried").endsWith("job.succeeded");
    }

    /// J-039, J-196, J-201, L-029: on every attempt, until no retry is left; here by itself.
    @Test
    void a_kind_that_fails_until_no_retry_is_left() {
        try (var quick = quickRetries()) {
            quick.kernel().kernel().start();
            try (var runner = JobsFixture.runner(quick, 2)) {
                JobsApi api = JobsApi.of(quick);
                String byItself =
                        api.submitted(
                                "\"type\":\"EXECUTE\",\"work_kind\":\"RETRY_LIMIT_REACHED\","
                                        + "\"auto_retry\":true");
                String asked = api.execute("RETRY_LIMIT_REACHED");
                for (int attempt = 1; attempt <= 3; attempt++) {
                    failedIn(api, asked, attempt);
                    assertThat(api.verb(asked, "retry").status()).isEqualTo(200);
                }
                failedIn(api, asked, 4);
                assertThat(api.verb(asked, "retry").status()).isEqualTo(409);
                failedIn(api, byItself, 4);
                for (String id : List.of(asked, byItself)) {
                    JsonNode events = api.report(id).at("/events");
                    assertThat(events.get(events.size() - 1).at("/payload/final").asBoolean())
                            .isTrue();
                }
                assertThat(runner.name()).isEqualTo("test");
            }
        }
    }

    private static void failedIn(JobsApi api, String id, int attempt) {
        Until.isTrue(
                "failed in attempt " + attempt,
                Duration.ofSeconds(30),
                () -> {
                    Reply job = api.get(id);
                    return job.number("/attempt") == attempt && job.text("/state").equals("FAILED");
                });
    }

    private static TestServer quickRetries() {
        var own = JobsOptions.DEFAULT;
        return JobsFixture.with(
                JobsSettings.DEFAULT.withEngine(
                        new JobsOptions(
                                own.types(),
                                own.maxRetries(),
                                new Backoff(Duration.ofMillis(5), Duration.ofMillis(20), 0.2),
                                own.maxRuntime(),
                                own.maxActive(),
                                own.maxWaiting(),
                                own.maxPayloadBytes(),
                                own.fairShare(),
                                own.rejectWithoutRunners(),
                                own.failureProbability(),
                                own.timeScale())));
    }

    /// J-040, J-041.
    @Test
    void kinds_that_are_submitted_twice() {
        String same =
                "\"type\":\"EXECUTE\",\"work_kind\":\"DUPLICATE_SUBMIT_SAME_KEY\","
                        + "\"idempotency_key\":\"one\"";
        String first = jobs.submitted(same);
        assertThat(jobs.submitted(same)).isEqualTo(first);
        jobs.await(first, "SUCCEEDED");
        String other =
                "\"type\":\"EXECUTE\",\"work_kind\":\"DUPLICATE_SUBMIT_DIFFERENT_KEY\","
                        + "\"idempotency_key\":\"%s\"";
        String a = jobs.submitted(other.formatted("a"));
        String b = jobs.submitted(other.formatted("b"));
        assertThat(a).isNotEqualTo(b);
        jobs.await(a, "SUCCEEDED");
        jobs.await(b, "SUCCEEDED");
    }

    private static Instant now(Kernel kernel) {
        return Instant.ofEpochMilli(kernel.database().transaction(tx -> tx.nowMillis()));
    }

    private static String deferred(JobsApi api, String kind, Instant at) {
        return api.submitted(
                "\"type\":\"DEFERRED\",\"work_kind\":\"%s\",\"execution_at\":\"%s\""
                        .formatted(kind, at));
    }

    /// J-047, J-189, J-193: never early, and within a second.
    @Test
    void a_kind_that_is_scheduled() {
        Instant at = now(server.kernel().kernel()).plusMillis(1200);
        String id = deferred(jobs, "SCHEDULED_ON_TIME", at);
        assertThat(jobs.state(id)).isEqualTo("CREATED");
        jobs.await(id, "SUCCEEDED");
        assertThat(jobs.events(id))
                .containsExactly(
                        "job.created",
                        "job.queued",
                        "job.assigned",
                        "job.running",
                        "job.succeeded");
        for (JsonNode event : jobs.report(id).at("/events")) {
            Instant when = Instant.parse(event.get("timestamp").asString());
            switch (event.get("event_name").asString()) {
                case "job.queued" ->
                        assertThat(when)
                                .isBetween(at.truncatedTo(ChronoUnit.MILLIS), at.plusSeconds(1));
                case "job.running" -> assertThat(when).isAfter(at.minusMillis(1));
                default -> {}
            }
        }
    }

    /// J-048, J-049, J-191, J-192, J-396: nothing runs at its time, and a server that starts later
    /// finds it; until then it waits.
    @Test
    void a_kind_whose_time_comes_while_nothing_runs() {
        try (var before = new TestServer()) {
            JobsApi api = JobsApi.of(before);
            Instant hour = now(before.kernel().kernel()).plusSeconds(3600);
            String late = deferred(api, "SCHEDULED_LATE_RECOVERY", hour);
            String far = deferred(api, "SCHEDULED_FAR_FUTURE", hour.plus(Duration.ofDays(60)));
            before.clock().advance(Duration.ofHours(2));
            assertThat(api.state(late)).isEqualTo("CREATED");
            Kernel kernel =
                    before.kernel()
                            .anotherNode(options -> options.withOwners(List.of(Jobs.owner())));
            try (var after = OrchestrionServer.start(kernel, TestServer.options())) {
                kernel.start();
                try (var runner =
                        new RunnerPool(
                                kernel,
                                after.door(JobsPlug.Open.class).jobs(),
                                new Runners(kernel.database()),
                                RunnerOptions.named("after").withTimeScale(SCALE),
                                Handlers.onClassPath(),
                                RunnerListener.NONE)) {
                    runner.start();
                    api.await(late, "SUCCEEDED");
                    assertThat(api.events(late).stream().filter("job.queued"::equals)).hasSize(1);
                    assertThat(api.state(far)).isEqualTo("CREATED");
                    before.clock().advance(Duration.ofDays(59));
                    assertThat(api.state(far)).isEqualTo("CREATED");
                    before.clock().advance(Duration.ofDays(2));
                    api.await(far, "SUCCEEDED");
                }
            }
        }
    }

    /// J-053: it never becomes a job.
    @Test
    void a_kind_that_is_rejected() {
        Reply reply = jobs.submit("\"type\":\"EXECUTE\",\"work_kind\":\"PAYLOAD_INVALID\"");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/code")).isEqualTo(JobsError.JOB_VALIDATION_FAILED.code());
        assertThat(jobs.keyed().get(JobsApi.JOBS).at("/jobs")).isEmpty();
    }

    /// J-088, J-113: its success is told under a name of its own.
    @Test
    void a_job_that_emits_an_event() {
        String id = jobs.submitted("\"type\":\"EMIT_EVENT\",\"work_kind\":\"SUCCESS_FAST\"");
        jobs.await(id, "SUCCEEDED");
        assertThat(jobs.get(id).text("/type")).isEqualTo("EMIT_EVENT");
        assertThat(jobs.events(id)).endsWith("job.running", "job.emitted");
    }
}
