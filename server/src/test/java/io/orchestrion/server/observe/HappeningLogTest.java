package io.orchestrion.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.orchestrion.kernel.signals.DeliverySeen;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.ops.LogLines;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// What the log says of requests, state changes, deliveries and strangers, as JSON lines.
class HappeningLogTest {
    private static final ListAppender<ILoggingEvent> LINES = new ListAppender<>();
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("orchestrion");
    private static TestServer server;
    private static TaskApi tasks;
    private static Observer observer;

    @BeforeAll
    static void start() {
        observer = new Observer(new ObserveOptions(ObserveOptions.Detail.ALL, null, 0), "test");
        LINES.start();
        LOG.setLevel(Level.INFO);
        LOG.setAdditive(false);
        LOG.addAppender(LINES);
        server = new TestServer(options -> options.withSignals(observer));
        tasks = server.account();
    }

    @AfterAll
    static void close() {
        LOG.detachAppender(LINES);
        LOG.setAdditive(true);
        LOG.setLevel(null);
        server.close();
    }

    @BeforeEach
    void forget() {
        synchronized (LINES.list) {
            LINES.list.clear();
        }
    }

    private static List<JsonNode> lines(String logger) {
        return List.copyOf(LINES.list).stream()
                .filter(event -> event.getLoggerName().equals("orchestrion." + logger))
                .map(event -> (JsonNode) JsonMapper.shared().readTree(LogLines.json(event)))
                .toList();
    }

    /// J-338..J-341.
    @Test
    void a_request_is_logged_with_who_asked_for_what_and_about_which_item() {
        String id = tasks.create("logged");
        var reply =
                tasks.api()
                        .with(
                                "traceparent",
                                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
                        .get("/v1/tasks/" + id);
        JsonNode line = lines("requests").getLast();
        assertThat(line.at("/request_id").asString())
                .isEqualTo(reply.headers().firstValue("X-Request-Id").orElseThrow());
        assertThat(line.at("/client_id").asString()).isEqualTo(tasks.accountId());
        assertThat(line.at("/job_id").asString()).isEqualTo(id);
        assertThat(line.at("/action").asString()).isEqualTo("getTask");
        assertThat(line.at("/door").asString()).isEqualTo("tasks");
        assertThat(line.at("/status").asInt()).isEqualTo(200);
        assertThat(line.at("/timestamp").asString()).endsWith("Z");
    }

    /// J-343.
    @Test
    void what_was_refused_says_with_which_error() {
        tasks.api().post("/v1/tasks", "{\"type\":7}");
        JsonNode line = lines("requests").getLast();
        assertThat(line.at("/error_code").asString()).isEqualTo("invalid_request");
        assertThat(line.at("/error_message").asString()).contains("type");
    }

    /// J-342, J-344, J-345: of the jobs door in its own words.
    @Test
    void every_change_of_state_is_logged_and_a_failure_with_its_reason() {
        UUID account = UUID.fromString(tasks.accountId());
        var work = server.kernel().kernel().work();
        work.submit(Submission.of(NewWork.of(account, Profiles.JOBS, "ALWAYS_FAIL", "{}")));
        WorkItem item =
                work.claim(
                                new io.orchestrion.kernel.work.ClaimRequest(
                                        account, "jobs", "ALWAYS_FAIL", 1, "runner-1", null),
                                Duration.ZERO)
                        .items()
                        .getFirst()
                        .item();
        Fence fence = Fence.of(item.leaseToken());
        for (Command command :
                List.of(
                        new Command.Start(fence),
                        new Command.Fail(fence, "as told\nforged=\"line\"", null, false))) {
            work.command(new Order(account, Profiles.JOBS, item.id(), command, false));
        }
        List<JsonNode> lines = lines("transitions");
        assertThat(lines)
                .extracting(
                        line ->
                                line.path("current_state").asString("-")
                                        + ">"
                                        + line.at("/next_state").asString())
                .containsExactly(
                        "->CREATED",
                        "CREATED>QUEUED",
                        "QUEUED>ASSIGNED",
                        "ASSIGNED>RUNNING",
                        "RUNNING>FAILED");
        assertThat(lines)
                .allMatch(line -> line.at("/job_id").asString().equals(item.id().toString()))
                .allMatch(line -> line.at("/client_id").asString().equals(tasks.accountId()))
                .allMatch(line -> line.at("/scenario").asString().equals("ALWAYS_FAIL"));
        JsonNode failure = lines.getLast();
        assertThat(failure.at("/level").asString()).isEqualTo("WARN");
        assertThat(failure.at("/error_code").asString()).isEqualTo("fail");
        assertThat(failure.at("/error_message").asString()).isEqualTo("as told forged=\"line\"");
    }

    /// J-346.
    @Test
    void an_attempt_to_deliver_is_logged_with_how_it_ended() {
        observer.delivery(
                new DeliverySeen(
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        UUID.randomUUID(),
                        "job.failed",
                        3,
                        "failed",
                        503,
                        0,
                        21,
                        "answered 503",
                        null));
        JsonNode line = lines("deliveries").getLast();
        assertThat(line.at("/status").asInt()).isEqualTo(503);
        assertThat(line.at("/outcome").asString()).isEqualTo("failed");
        assertThat(line.at("/action").asString()).isEqualTo("deliver");
    }

    /// J-347.
    @Test
    void somebody_who_is_not_let_in_is_logged_with_the_reason_and_never_with_the_key() {
        String key = "orch_live_" + "ab".repeat(32);
        server.anonymous().withKey(key).get("/v1/tasks");
        JsonNode line = lines("requests").getLast();
        assertThat(line.at("/level").asString()).isEqualTo("WARN");
        assertThat(line.at("/reason").asString()).isEqualTo("invalid_api_key");
        assertThat(lines("requests").toString()).doesNotContain("ab".repeat(32));
        tasks.api().get("/metrics");
        assertThat(lines("requests").getLast().at("/client_id").asString())
                .isEqualTo(tasks.accountId());
    }

    @Test
    void by_default_only_the_jobs_door_is_told_of() {
        var quiet = new Observer(ObserveOptions.DEFAULT, "test");
        assertThat(quiet.follows("jobs")).isTrue();
        assertThat(quiet.follows("tasks")).isFalse();
        assertThat(quiet.follows("queue")).isFalse();
    }
}
