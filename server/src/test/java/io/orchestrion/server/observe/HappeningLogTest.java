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
import io.orchestrion.server.jobs.JobsApi;
import io.orchestrion.server.ops.LogLines;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

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
import java.util.stream.Collectors;

/// What the log says of requests, state changes, deliveries and strangers, as JSON lines.
class HappeningLogTest {
    private static final ListAppender<ILoggingEvent> LINES = new ListAppender<>();
    private static final Logger LOG = (Logger) LoggerFactory.getLogger("orchestrion");
    private static TestServer server;
    private static TaskApi tasks;
    private static Observer observer;
    private static Level levelBefore;

    @BeforeAll
    static void start() {
        observer = new Observer(new ObserveOptions(ObserveOptions.Detail.ALL, null, 0), "test");
        LINES.start();
        levelBefore = LOG.getLevel();
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
        LOG.setLevel(levelBefore);
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

    private static void logged(Reply reply, String action, String client, String job) {
        JsonNode line = lines("requests").getLast();
        assertThat(line.at("/request_id").asString()).isEqualTo(reply.header("X-Request-Id"));
        assertThat(line.at("/action").asString()).isEqualTo(action);
        assertThat(line.at("/client_id").asString()).isEqualTo(client);
        assertThat(line.at("/job_id").asString("")).as(action).isEqualTo(job);
        assertThat(line.at("/status").asInt()).isEqualTo(reply.status());
    }

    /// J-338, J-339, J-340, J-341: the five words of the contract, and those of later verbs.
    @Test
    void each_verb_of_the_jobs_door_is_logged_by_its_word() {
        JobsApi jobs = JobsApi.of(server);
        String me = jobs.client();
        Reply submitted = jobs.submit("\"type\":\"EXECUTE\"");
        String id = submitted.text("/job_id");
        assertThat(id).isNotEmpty();
        logged(submitted, "submit", me, id);
        logged(jobs.get(id), "get", me, id);
        logged(jobs.verb(id, "retry"), "retry", me, id);
        logged(jobs.verb(id, "cancel"), "cancel", me, id);
        logged(jobs.report(id), "report", me, id);
        logged(jobs.keyed().get(JobsApi.JOBS), "list", me, "");
        logged(jobs.keyed().send("DELETE", JobsApi.JOBS + "/" + id, null), "delete", me, id);
    }

    /// The same of another door.
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
        Fence fence = Fence.of(item.lease().token());
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
        assertThat(failure.at("/error_code").asString()).isEqualTo("FAILED");
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

    /// J-347: at each door, and whoever is known is named.
    @Test
    void somebody_who_is_not_let_in_is_logged_with_the_reason_and_never_with_the_key() {
        String key = "orch_live_" + "ab".repeat(32);
        Api unknown = server.anonymous().withKey(key);
        notLetIn(unknown.get("/v1/tasks"), "invalid_api_key", "");
        notLetIn(unknown.get("/v1/jobs"), "RFA_AUTH_INVALID_CREDENTIALS", "");
        notLetIn(unknown.get("/api/queue/jobs"), "queue_invalid_credential", "");
        notLetIn(server.anonymous().get("/v1/tasks"), "missing_api_key", "");
        notLetIn(server.anonymous().get("/v1/jobs"), "RFA_AUTH_INVALID_CREDENTIALS", "");
        Reply made = tasks.api().post("/v1/keys", "{\"name\":\"w\",\"scopes\":[\"worker\"]}");
        Api worker = server.anonymous().withKey(made.text("/apiKey"));
        String me = tasks.accountId();
        notLetIn(
                worker.post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}"),
                "insufficient_scope",
                me);
        notLetIn(worker.post("/v1/jobs", "{\"type\":\"EXECUTE\"}"), "RFA_AUTH_FORBIDDEN", me);
        tasks.api().get("/metrics");
        assertThat(lines("requests").getLast().at("/client_id").asString()).isEqualTo(me);
        String all = LINES.list.stream().map(LogLines::json).collect(Collectors.joining());
        assertThat(all)
                .doesNotContain("ab".repeat(8))
                .doesNotContain(made.text("/apiKey").substring(10, 30))
                .doesNotContain(tasks.key().substring(10, 30));
    }

    private static void notLetIn(Reply reply, String reason, String client) {
        JsonNode line = lines("requests").getLast();
        assertThat(reply.status()).isIn(401, 403);
        assertThat(line.at("/request_id").asString()).isEqualTo(reply.header("X-Request-Id"));
        assertThat(line.at("/level").asString()).isEqualTo("WARN");
        assertThat(line.at("/reason").asString()).isEqualTo(reason);
        assertThat(line.at("/client_id").asString("")).as(reason).isEqualTo(client);
    }

    @Test
    void by_default_only_the_jobs_door_is_told_of() {
        var quiet = new Observer(ObserveOptions.DEFAULT, "test");
        assertThat(quiet.follows("jobs")).isTrue();
        assertThat(quiet.follows("tasks")).isFalse();
        assertThat(quiet.follows("queue")).isFalse();
    }
}
