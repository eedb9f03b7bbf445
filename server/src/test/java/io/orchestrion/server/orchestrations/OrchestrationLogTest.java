package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.ROOT;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.ops.LogLines;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.UUID;

/// What the log says of executions and their steps, as JSON lines.
@Timeout(180)
class OrchestrationLogTest {
    private static final ListAppender<ILoggingEvent> LINES = new ListAppender<>();

    /// What happens, and what the program says besides.
    private static final List<Logger> LOGGERS =
            List.of(
                    (Logger) LoggerFactory.getLogger("orchestrion"),
                    (Logger) LoggerFactory.getLogger("io.orchestrion"));

    private static List<Level> levelsBefore;
    private static TestServer server;
    private static Observer observer;
    private final OrchestrationApi mine = OrchestrationApi.on(server);

    @BeforeAll
    static void start() {
        observer =
                new Observer(
                        new ObserveOptions(ObserveOptions.Detail.ALL, null, 0), "test", Doors.ALL);
        LINES.start();
        levelsBefore = LOGGERS.stream().map(Logger::getEffectiveLevel).toList();
        for (Logger each : LOGGERS) {
            each.setLevel(Level.INFO);
            each.setAdditive(false);
            each.addAppender(LINES);
        }
        server = new TestServer(options -> options.withSignals(observer));
    }

    @AfterAll
    static void close() {
        for (int i = 0; i < LOGGERS.size(); i++) {
            LOGGERS.get(i).detachAppender(LINES);
            LOGGERS.get(i).setAdditive(true);
            LOGGERS.get(i).setLevel(levelsBefore.get(i));
        }
        server.close();
        observer.close();
    }

    @BeforeEach
    void forget() {
        synchronized (LINES.list) {
            LINES.list.clear();
        }
    }

    private static List<ILoggingEvent> all() {
        synchronized (LINES.list) {
            return List.copyOf(LINES.list);
        }
    }

    private static List<JsonNode> lines(String logger) {
        return all().stream()
                .filter(event -> event.getLoggerName().equals("orchestrion." + logger))
                .map(event -> (JsonNode) JsonMapper.shared().readTree(LogLines.json(event)))
                .toList();
    }

    /// The lines of one kind of subject of an execution.
    private static List<JsonNode> of(String subject, String execution) {
        return lines("transitions").stream()
                .filter(line -> line.path("subject").asString("").equals(subject))
                .filter(line -> line.path("execution_id").asString("").equals(execution))
                .toList();
    }

    private static List<String> states(List<JsonNode> lines) {
        return lines.stream()
                .map(
                        line ->
                                line.path("current_state").asString("-")
                                        + ">"
                                        + line.path("next_state").asString("-"))
                .toList();
    }

    /// E-202, E-204: one line for each change, under the key and the name that its creator gave.
    @Test
    void each_change_of_an_execution_is_logged_with_its_ids_and_its_key() {
        String definition = mine.published(document(task("a", "")));
        String execution =
                mine.started(
                        definition,
                        ",\"idempotency_key\":\"order 17\",\"correlation_id\":\"basket-17\"");
        mine.verb(execution, "pause", "{\"reason\":\"lunch\"}");
        mine.verb(execution, "resume");
        mine.done("do_a");
        List<JsonNode> lines = of("execution", execution);
        assertThat(states(lines))
                .containsExactly(
                        "->running", "running>paused", "paused>running", "running>succeeded");
        assertThat(lines)
                .allMatch(line -> line.path("correlation_id").asString("").equals("basket-17"))
                .allMatch(line -> line.path("idempotency_key").asString("").equals("order 17"))
                .allMatch(line -> line.path("definition_id").asString("").equals(definition))
                .allMatch(line -> line.path("door").asString("").equals("orchestrations"))
                .allMatch(line -> line.path("level").asString("").equals("INFO"))
                .allMatch(
                        line ->
                                line.path("client_id")
                                        .asString("")
                                        .equals(mine.tasks().accountId()));
        assertThat(lines.get(1).path("reason").asString("")).isEqualTo("lunch");
        assertThat(lines)
                .extracting(line -> line.path("action").asString(""))
                .containsExactly("started", "paused", "resumed", "succeeded");
    }

    /// E-203, E-204: also of what is begun by a claim, and of a further attempt.
    @Test
    void each_change_of_a_step_is_logged_with_its_ids_its_attempt_and_its_key() {
        String execution =
                mine.started(
                        mine.published(document(task("a", ""))),
                        ",\"correlation_id\":\"basket-18\"");
        mine.failed("do_a", "connect_failed");
        mine.done("do_a");
        Reply seen = mine.get(execution);
        List<JsonNode> lines = of("execution_step", execution);
        assertThat(lines).hasSize(6);
        for (int attempt = 1; attempt <= 2; attempt++) {
            String id = seen.text("/steps/" + (attempt - 1) + "/step_execution_id");
            int number = attempt;
            List<JsonNode> ofAttempt =
                    lines.stream()
                            .filter(line -> line.path("attempt_number").asInt(0) == number)
                            .toList();
            assertThat(states(ofAttempt))
                    .containsExactlyElementsOf(
                            attempt == 1
                                    ? List.of("->pending", "pending>running", "running>failed")
                                    : List.of(
                                            "->retrying", "retrying>running", "running>succeeded"));
            assertThat(ofAttempt)
                    .allMatch(line -> line.path("step_execution_id").asString("").equals(id))
                    .allMatch(line -> line.path("step_id").asString("").equals("a"))
                    .allMatch(line -> line.path("correlation_id").asString("").equals("basket-18"))
                    .allMatch(
                            line ->
                                    line.path("idempotency_key")
                                            .asString("")
                                            .matches("[0-9a-f]{64}"));
        }
        assertThat(lines.stream().map(line -> line.path("idempotency_key").asString("")).distinct())
                .hasSize(1);
    }

    /// E-203: the lines of the item that a worker was given lead to the execution, too.
    @Test
    void the_lines_of_a_steps_item_name_its_execution() {
        String execution = mine.started(mine.published(document(task("a", ""))));
        String item = mine.claimed("do_a");
        mine.complete(item, "{}");
        List<JsonNode> lines =
                lines("transitions").stream()
                        .filter(line -> line.path("job_id").asString("").equals(item))
                        .toList();
        assertThat(lines)
                .isNotEmpty()
                .allMatch(line -> line.path("execution_id").asString("").equals(execution));
    }

    /// E-205.
    @Test
    void a_failure_is_a_warning_with_its_class_and_its_summary() {
        String execution = mine.started(mine.published(document(task("a", ""))));
        mine.tasks()
                .verb(
                        mine.claimed("do_a"),
                        "fail",
                        "{\"reason\":\"no\",\"error\":{\"code\":\"validation_failed\","
                                + "\"message\":\"line 7\\nforged=\\\"x\\\"\"}}");
        for (String subject : List.of("execution_step", "execution")) {
            JsonNode line = of(subject, execution).getLast();
            assertThat(line.path("level").asString("")).isEqualTo("WARN");
            assertThat(line.path("error_class").asString("")).isEqualTo("NON_RETRYABLE");
            assertThat(line.path("error_code").asString("")).isEqualTo("validation_failed");
            assertThat(line.path("error_summary").asString("")).isEqualTo("line 7 forged=\"x\"");
        }
        JsonNode letter = of("dead_letter", execution).getLast();
        assertThat(letter.path("action").asString("")).isEqualTo("opened");
        assertThat(letter.path("error_class").asString("")).isEqualTo("NON_RETRYABLE");
        assertThat(letter.path("error_summary").asString("")).startsWith("line 7");
        assertThat(letter.path("step_execution_id").asString("")).isNotEmpty();
    }

    /// E-205: wherever a worker or a person puts it. The items of the steps are logged here, too.
    @Test
    void a_secret_in_an_error_is_in_no_line() {
        String secret = "hunter2hunter2";
        String said = "Authorization: Bearer " + secret + " refused, password=" + secret;
        String definition =
                mine.published(
                        document(
                                task(
                                        "a",
                                        ",\"compensation_handler\":\"task:undo_a\","
                                                + "\"compensation_policy\":\"auto\"")));
        String execution = mine.started(definition);
        for (String handler : List.of("do_a", "do_a", "undo_a")) {
            Reply reply =
                    mine.tasks()
                            .verb(
                                    mine.claimed(handler),
                                    "fail",
                                    "{\"reason\":\"%s\",\"error\":{\"code\":\"%s\",\"message\":\"%s\",\"partial_side_effect\":%s}}"
                                            .formatted(
                                                    said,
                                                    code(handler),
                                                    said,
                                                    handler.equals("do_a") && failures++ > 0));
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        }
        mine.verb(
                execution, "retry", "{\"reason\":\"%s\",\"confirm_unsafe\":true}".formatted(said));
        mine.verb(mine.started(definition), "cancel", "{\"reason\":\"%s\"}".formatted(said));
        assertThat(of("execution_step", execution))
                .anyMatch(line -> line.path("error_summary").asString("").contains("[redacted]"));
        assertThat(lines("transitions"))
                .as("the items")
                .anyMatch(line -> line.path("error_message").asString("").contains("[redacted]"));
        assertThat(all()).noneMatch(event -> LogLines.json(event).contains(secret));
    }

    private int failures;

    /// The first attempt is tried again; what partly happened is undone.
    private String code(String handler) {
        return handler.equals("do_a") && failures == 0 ? "connect_failed" : "validation_failed";
    }

    /// Approvals are found by the execution and the step.
    @Test
    void an_approval_is_logged_with_what_it_is_of() {
        String execution =
                mine.started(
                        mine.published(document(step("ask", "human_approval", ""))),
                        ",\"correlation_id\":\"basket-19\"");
        mine.api().post(EXECUTIONS + "/" + execution + "/steps/ask/approve");
        List<JsonNode> lines = of("approval", execution);
        assertThat(states(lines)).containsExactly("->pending", "pending>approved");
        assertThat(lines)
                .allMatch(line -> line.path("step_id").asString("").equals("ask"))
                .allMatch(line -> line.path("correlation_id").asString("").equals("basket-19"))
                .allMatch(line -> !line.path("step_execution_id").asString("").isEmpty());
    }

    /// Requests lead to the execution that they are about.
    @Test
    void a_request_is_logged_with_the_execution_that_it_names_or_makes() {
        String definition = mine.published(document(task("a", "")));
        assertThat(lines("requests").getLast().has("execution_id")).isFalse();
        String execution = mine.started(definition);
        named(execution, "createExecution");
        mine.get(execution);
        named(execution, "getExecution");
        mine.verb(execution, "cancel");
        named(execution, "cancelExecution");
        String nobodys = UUID.randomUUID().toString();
        mine.get(nobodys);
        named(nobodys, "getExecution");
        Api reader = mine.api();
        reader.get(ROOT + "/executions/no-id");
        assertThat(lines("requests").getLast().has("execution_id")).isFalse();
    }

    private static void named(String execution, String action) {
        JsonNode line = lines("requests").getLast();
        assertThat(line.path("action").asString("")).isEqualTo(action);
        assertThat(line.path("door").asString("")).isEqualTo("orchestrations");
        assertThat(line.path("execution_id").asString("")).isEqualTo(execution);
    }

    /// The contract asks for these lines, so nobody has to switch them on.
    @Test
    void executions_are_logged_unless_the_operator_says_otherwise() {
        var usual = new Observer(ObserveOptions.DEFAULT, "test", Doors.ALL);
        var quiet =
                new Observer(
                        new ObserveOptions(ObserveOptions.Detail.NONE, null, 0), "test", Doors.ALL);
        assertThat(usual.follows("orchestrations")).isTrue();
        assertThat(quiet.follows("orchestrations")).isFalse();
    }
}
