package io.orchestrion.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;
import io.orchestrion.testkit.Scrape;

import org.hawkular.agent.prometheus.types.Histogram;
import org.hawkular.agent.prometheus.types.MetricFamily;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/// What a scraper reads of a server that has done something.
class MetricsTest {
    private static final List<String> THE_ELEVEN =
            List.of(
                    "jobs_submitted_total",
                    "jobs_queued_total",
                    "jobs_running_total",
                    "jobs_succeeded_total",
                    "jobs_failed_total",
                    "jobs_canceled_total",
                    "job_queue_depth",
                    "job_queue_wait_seconds",
                    "job_execution_seconds",
                    "webhook_deliveries_total",
                    "webhook_failures_total");
    private static final String MACHINE = "(jvm|process|system)_.*";

    private static final Observer OBSERVER = new Observer(ObserveOptions.DEFAULT, "test");
    private static TestServer server;
    private static TaskApi tasks;
    private static String operator;

    @BeforeAll
    static void work() {
        server =
                new TestServer(
                        options ->
                                options.withSignals(OBSERVER)
                                        .withSubjects(SubjectMetricsTest.KINDS));
        tasks = server.account();
        operator = server.kernel().kernel().identity().registerLocal("local").key().reveal();
        String done = tasks.create("build");
        tasks.api()
                .with("Idempotency-Key", "one")
                .post("/v1/tasks", "{\"type\":\"x\",\"payload\":{}}");
        tasks.api()
                .with("Idempotency-Key", "one")
                .post("/v1/tasks", "{\"type\":\"x\",\"payload\":{}}");
        tasks.claim("build");
        tasks.verb(done, "heartbeat");
        tasks.verb(done, "complete", "{\"result\":{}}");
        String failed = tasks.create("build");
        tasks.claim("build");
        tasks.verb(failed, "fail", "{\"reason\":\"no\"}");
        tasks.claim("build");
        tasks.verb(failed, "complete", "{\"result\":{}}");
        tasks.verb(tasks.create("other"), "cancel");
        Reply enqueued = tasks.api().post("/api/queue/jobs", "{\"type\":\"codex\",\"payload\":{}}");
        assertThat(enqueued.status()).as(enqueued.text()).isEqualTo(201);
        server.anonymous().withKey("orch_live_" + "0".repeat(64)).get("/v1/tasks");
        server.anonymous().get("/nowhere/" + UUID.randomUUID());
        // A key in every place that might become a label.
        tasks.api().get("/v1/tasks/" + tasks.key());
        tasks.api().get("/v1/tasks?token=" + tasks.key());
        tasks.api().get("/" + tasks.key());
        jobs(server.kernel().kernel(), UUID.fromString(tasks.accountId()));
        deliveries(server.kernel().kernel(), UUID.fromString(tasks.accountId()));
        new Runners(server.kernel().kernel().database()).beat(UUID.randomUUID(), "r", 5, 2);
        // What the database itself refuses.
        assertThatThrownBy(
                        () ->
                                server.kernel()
                                        .kernel()
                                        .database()
                                        .transaction(
                                                tx ->
                                                        tx.connection()
                                                                .createStatement()
                                                                .execute("select 1 / 0")))
                .isInstanceOf(StoreException.class);
        OBSERVER.delivery(
                new DeliverySeen(
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        null,
                        "job.failed",
                        1,
                        "failed",
                        500,
                        0,
                        12,
                        "answered 500",
                        null));
    }

    /// Four jobs through the kernel: one succeeds, one fails and is retried, one is cancelled, one
    /// waits.
    private static void jobs(Kernel kernel, UUID account) {
        for (String kind :
                List.of("QUICK_SUCCESS", "QUICK_SUCCESS", "ALWAYS_FAIL", "CANCEL_BEFORE_START")) {
            Submitted made =
                    kernel.work()
                            .submit(Submission.of(NewWork.of(account, Profiles.JOBS, kind, "{}")));
            assertThat(made).isInstanceOf(Submitted.Created.class);
            if (kind.startsWith("CANCEL")) {
                UUID id = ((Submitted.Created) made).view().item().id();
                kernel.work()
                        .command(
                                new Order(account, Profiles.JOBS, id, new Command.Cancel(), false));
            }
        }
        run(kernel, account, "QUICK_SUCCESS", true);
        UUID failed = run(kernel, account, "ALWAYS_FAIL", false);
        kernel.work()
                .command(new Order(account, Profiles.JOBS, failed, new Command.Retry(), false));
        server.clock().advance(Duration.ofMinutes(2));
        assertThat(run(kernel, account, "ALWAYS_FAIL", true)).isEqualTo(failed);
    }

    private static UUID run(Kernel kernel, UUID account, String kind, boolean succeeds) {
        WorkItem item =
                kernel.work()
                        .claim(
                                new ClaimRequest(account, "jobs", kind, 1, "runner", null),
                                Duration.ZERO)
                        .items()
                        .getFirst()
                        .item();
        Fence fence = Fence.of(item.lease().token());
        Command end =
                succeeds
                        ? new Command.Complete(fence, "{}", null)
                        : new Command.Fail(fence, "as told", null, false);
        for (Command command : List.of(new Command.Start(fence), end)) {
            kernel.work().command(new Order(account, Profiles.JOBS, item.id(), command, false));
        }
        return item.id();
    }

    /// Two deliveries as their deliverer ends them: one is taken, one is given up after a retry.
    private static void deliveries(Kernel kernel, UUID account) {
        for (String kind : List.of("taken", "lost")) {
            NewWork delivery = NewWork.of(account, Profiles.DELIVERIES, kind, "{}");
            assertThat(kernel.work().submit(Submission.of(delivery)))
                    .isInstanceOf(Submitted.Created.class);
            for (int attempt = 0; attempt < (kind.equals("taken") ? 1 : 2); attempt++) {
                WorkItem item =
                        kernel.work()
                                .claim(
                                        new ClaimRequest(
                                                account, "deliveries", kind, 1, "node", null),
                                        Duration.ZERO)
                                .items()
                                .getFirst()
                                .item();
                Fence fence = Fence.of(item.lease().token());
                Command end =
                        kind.equals("taken")
                                ? new Command.Complete(fence, null, null)
                                : new Command.Fail(fence, "answered 500", 0L, attempt == 0);
                kernel.work()
                        .command(new Order(account, Profiles.DELIVERIES, item.id(), end, false));
            }
        }
    }

    /// J-357, J-358, J-362: deliveries as their rows have them.
    @Test
    void deliveries_are_counted_as_their_rows_say() {
        Scrape scrape = scrape();
        assertThat(scrape.value("webhook_deliveries_total", Map.of()))
                .isEqualTo(ended("succeeded"));
        assertThat(scrape.value("webhook_failures_total", Map.of()))
                .isEqualTo(ended("failed") + ended("dead"))
                .isEqualTo(1);
        assertThat(scrape.value("webhook_retries_total", Map.of())).isEqualTo(1);
        assertThat(scrape.value("webhooks_pending", Map.of())).isZero();
    }

    private static double ended(String state) {
        return server.database()
                .<Long>value(
                        "select count(*) from work where queue = 'deliveries' and state = ?", state)
                .doubleValue();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Api scraper() {
        return Api.on(server.port(), ResponseCheck.NONE).withKey(operator);
    }

    private static Scrape scrape() {
        Reply reply = scraper().get("/metrics");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return new Scrape(reply.text());
    }

    /// J-348..J-358, J-370, J-395, L-034: the names as they are written, and a type each.
    @Test
    void the_names_and_types_are_those_of_the_contract_for_every_door() {
        Scrape scrape = scrape();
        assertThat(scrape.families()).containsKeys(THE_ELEVEN.toArray(String[]::new));
        assertThat(scrape.families().keySet())
                .noneMatch(
                        name -> name.contains("_total_total") || name.contains("_seconds_seconds"));
        for (Metric metric : Metric.values()) {
            MetricFamily family = scrape.family(metric.shown());
            assertThat(family.getType().name()).as(metric.shown()).isEqualTo(metric.type().name());
            assertThat(family.getHelp()).isEqualTo(metric.help());
            for (var each : family.getMetrics()) {
                assertThat(metric.labels())
                        .as(metric.shown())
                        .containsAll(each.getLabels().keySet());
            }
            if (metric.labels().contains("door") && metric.scope() == Metric.Scope.CLUSTER) {
                assertThat(family.getMetrics())
                        .as(metric.shown())
                        .extracting(each -> each.getLabels().get("door"))
                        .contains("tasks", "queue", "jobs");
            }
        }
        assertThat(scrape.families().keySet())
                .allMatch(
                        name ->
                                name.matches(MACHINE)
                                        || name.equals("http_server_requests_seconds_max")
                                        || name.equals("webhook_attempt_seconds_max")
                                        || java.util.Arrays.stream(Metric.values())
                                                .anyMatch(metric -> metric.shown().equals(name)));
    }

    /// J-348..J-354, J-360, J-361, J-366: what was done is what is shown.
    @Test
    void the_numbers_are_what_was_done() {
        Scrape scrape = scrape();
        assertThat(scrape.value("jobs_submitted_total", "tasks")).isEqualTo(4);
        assertThat(scrape.value("jobs_queued_total", "tasks")).isEqualTo(5);
        assertThat(scrape.value("jobs_running_total", "tasks")).isEqualTo(3);
        assertThat(scrape.value("jobs_succeeded_total", "tasks")).isEqualTo(2);
        assertThat(scrape.value("jobs_canceled_total", "tasks")).isEqualTo(1);
        assertThat(scrape.value("job_queue_depth", "tasks")).isEqualTo(1);
        assertThat(scrape.value("job_retries_total", "tasks")).isEqualTo(1);
        assertThat(scrape.value("job_retry_successes_total", "tasks")).isEqualTo(1);
        assertThat(scrape.value("job_queue_wait_seconds", "tasks")).isEqualTo(3);
        assertThat(scrape.value("job_execution_seconds", "tasks")).isEqualTo(2);
        assertThat(scrape.value("job_queue_depth", "queue")).isEqualTo(1);
        assertThat(scrape.value("jobs_submitted_total", "jobs")).isEqualTo(4);
        assertThat(scrape.value("jobs_queued_total", "jobs")).as("and a retry").isEqualTo(5);
        assertThat(scrape.value("jobs_running_total", "jobs")).isEqualTo(3);
        assertThat(scrape.value("jobs_succeeded_total", "jobs")).isEqualTo(2);
        assertThat(scrape.value("jobs_failed_total", "jobs")).isEqualTo(1);
        assertThat(scrape.value("jobs_canceled_total", "jobs")).isEqualTo(1);
        assertThat(scrape.value("job_queue_depth", "jobs")).isEqualTo(1);
        assertThat(scrape.value("job_retries_total", "jobs")).isEqualTo(1);
        assertThat(scrape.value("job_retry_successes_total", "jobs")).isEqualTo(1);
        assertThat(scrape.value("job_queue_wait_seconds", "jobs")).isEqualTo(3);
        assertThat(scrape.value("job_assigned_seconds", "jobs")).isEqualTo(3);
        assertThat(scrape.value("job_execution_seconds", "jobs")).isEqualTo(3);
        for (Map<String, Object> row :
                server.database()
                        .rows(
                                "select queue, count(*) as n from work where state = 'ready' group"
                                        + " by 1")) {
            assertThat(scrape.value("job_queue_depth", String.valueOf(row.get("queue"))))
                    .isEqualTo(((Long) row.get("n")).doubleValue());
        }
    }

    /// J-020: successes and failures by scenario.
    @Test
    void jobs_are_counted_by_their_scenario() {
        Scrape scrape = scrape();
        Map<String, String> quick = Map.of("door", "jobs", "work_kind", "QUICK_SUCCESS");
        Map<String, String> fails = Map.of("door", "jobs", "work_kind", "ALWAYS_FAIL");
        assertThat(scrape.value("jobs_submitted_total", quick)).isEqualTo(2);
        assertThat(scrape.value("jobs_succeeded_total", quick)).isEqualTo(1);
        assertThat(scrape.value("jobs_failed_total", fails)).isEqualTo(1);
        assertThat(scrape.value("jobs_failed_total", quick)).isZero();
    }

    /// J-363..J-365, J-367..J-369.
    @Test
    void requests_repeats_signs_of_life_runners_and_errors_of_the_database_are_counted() {
        Scrape scrape = scrape();
        Map<String, String> create =
                Map.of("door", "tasks", "route", "/v1/tasks", "method", "POST", "status", "201");
        assertThat(scrape.value("http_server_requests_seconds", create)).isEqualTo(5);
        for (String name :
                List.of(
                        "http_server_requests_seconds",
                        "job_execution_seconds",
                        "job_queue_wait_seconds")) {
            assertThat(scrape.family(name).getMetrics())
                    .allSatisfy(
                            metric ->
                                    assertThat(((Histogram) metric).getBuckets())
                                            .as("buckets to read a quantile from")
                                            .hasSizeGreaterThan(10));
        }
        assertThat(scrape.value("idempotency_hits_total", "tasks")).isEqualTo(1);
        assertThat(scrape.value("idempotency_new_total", "tasks")).isEqualTo(1);
        assertThat(scrape.value("worker_heartbeats_total", "tasks")).isEqualTo(1);
        assertThat(scrape.value("runners_available", Map.of())).isEqualTo(3);
        assertThat(scrape.value("runners_busy", Map.of())).isEqualTo(2);
        assertThat(scrape.value("runners_present", Map.of())).isEqualTo(1);
        assertThat(scrape.value("database_errors_total", Map.of("kind", "rejected"))).isEqualTo(1);
        assertThat(
                        scrape.value(
                                "auth_failures_total",
                                Map.of("door", "tasks", "reason", "invalid_api_key")))
                .isEqualTo(1);
    }

    /// J-371, T-005.
    @Test
    void no_label_has_an_id_a_key_or_an_address() {
        Pattern id = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}|orch_live|://|[0-9a-f]{16}");
        for (MetricFamily family : scrape().families().values()) {
            for (var metric : family.getMetrics()) {
                assertThat(metric.getLabels().values())
                        .as(family.getName())
                        .noneMatch(value -> id.matcher(value).find());
            }
        }
    }

    @Test
    void only_the_operator_reads_them_and_a_listener_of_its_own_needs_no_key() throws Exception {
        assertThat(server.anonymous().get("/metrics").status()).isEqualTo(401);
        assertThat(tasks.api().get("/metrics").status()).isEqualTo(403);
        assertThat(scraper().with("Accept", "application/openmetrics-text").get("/metrics"))
                .satisfies(reply -> assertThat(reply.status()).isEqualTo(200));
        try (var listener = MetricsListener.start("127.0.0.1", 0, OBSERVER.metrics());
                HttpClient client = HttpClient.newHttpClient()) {
            URI at = URI.create("http://127.0.0.1:" + listener.port());
            var found =
                    client.send(
                            HttpRequest.newBuilder(at.resolve("/metrics")).build(),
                            BodyHandlers.ofString());
            assertThat(found.statusCode()).isEqualTo(200);
            assertThat(new Scrape(found.body()).families()).containsKey("jobs_submitted_total");
            var other =
                    client.send(
                            HttpRequest.newBuilder(at.resolve("/v1/tasks")).build(),
                            BodyHandlers.ofString());
            assertThat(other.statusCode()).isEqualTo(404);
        }
        assertThat(Identity.LOCAL_ACCOUNT).isNotEqualTo(UUID.fromString(tasks.accountId()));
    }
}
