package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;

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

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;

/// What the log says of runs, as JSON lines.
@Timeout(180)
class RunLogTest {
    private static final ListAppender<ILoggingEvent> LINES = new ListAppender<>();
    private static final List<Logger> LOGGERS =
            List.of(
                    (Logger) LoggerFactory.getLogger("orchestrion"),
                    (Logger) LoggerFactory.getLogger("io.orchestrion"));

    private static List<Level> levelsBefore;
    private static TestServer server;
    private static Observer observer;
    private final RunApi mine = RunApi.on(server);

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

    /// Each as it stands in the file.
    private static List<String> lines() {
        synchronized (LINES.list) {
            return LINES.list.stream().map(LogLines::json).toList();
        }
    }

    private static List<JsonNode> read() {
        return lines().stream().map(each -> JsonMapper.shared().readTree(each)).toList();
    }

    /// Those of a level whose message begins so.
    private static List<JsonNode> said(String level, String message) {
        return read().stream()
                .filter(line -> line.path("level").asString("").equals(level))
                .filter(line -> line.path("message").asString("").startsWith(message))
                .toList();
    }

    ///
    @Test
    void each_retry_is_logged_with_its_attempt_its_error_and_its_delay() {
        String run = mine.running(planned(one("a")));
        mine.fail("a", "ConnectionError");
        server.clock().advance(Duration.ofSeconds(1));
        mine.fail("a", "TimeoutError");

        List<JsonNode> lines = said("INFO", "attempt ");

        assertThat(lines).hasSize(2);
        assertThat(lines)
                .extracting(line -> line.path("attempt_number").asInt())
                .containsExactly(1, 2);
        assertThat(lines)
                .extracting(line -> line.path("error_code").asString())
                .containsExactly("ConnectionError", "TimeoutError");
        assertThat(lines.get(0).path("delay_ms").asLong()).isBetween(90L, 110L);
        assertThat(lines.get(1).path("delay_ms").asLong()).isBetween(180L, 220L);
        assertThat(lines)
                .allMatch(line -> line.path("run_id").asString("").equals(run))
                .allMatch(line -> line.path("step_id").asString("").startsWith("step_"));
    }

    /// the run, the count or the rate, and the window.
    @Test
    void an_escalation_is_an_error_with_the_count_and_the_window() {
        String run =
                mine.running(planned(plan(agent("all", "", step("a", ",\"max_attempts\":20")))));
        for (int i = 0; i < 6 && !mine.status(run).equals("paused"); i++) {
            mine.fail("a", "ConnectionError");
            server.clock().advance(Duration.ofSeconds(6));
        }

        JsonNode line = said("ERROR", "the run needs people").getFirst();

        assertThat(line.path("run_id").asString("")).isEqualTo(run);
        assertThat(line.path("trigger").asString("")).isIn("error_rate", "error_count");
        assertThat(line.path("errors").asInt()).isEqualTo(5);
        assertThat(line.path("outcomes").asInt()).isEqualTo(5);
        assertThat(line.path("window_seconds").asInt()).isEqualTo(300);
    }

    ///
    @Test
    void an_abort_is_an_error_with_the_run_and_the_reason() {
        String run = mine.running(planned(one("a")));
        mine.fail("a", "ValueError");

        JsonNode line = said("ERROR", "the run is given up").getFirst();

        assertThat(line.path("run_id").asString("")).isEqualTo(run);
        assertThat(line.path("reason").asString("")).isEqualTo("non_retryable");
        assertThat(line.path("error_code").asString("")).isEqualTo("ValueError");
    }

    ///
    @Test
    void another_plan_is_a_warning_with_the_counts() {
        String run = mine.running(body(",\"failure_mode\":\"continue\""));
        String first = plan(agent("one", "", step("a", "")), agent("two", "", step("b", "")));
        mine.tasks().verb(mine.claim("run_plan"), "complete", "{\"result\":" + first + "}");
        mine.fail("a", "ValueError");
        mine.fail("b", "ValueError");

        JsonNode line = said("WARN", "the run is planned anew").getFirst();

        assertThat(line.path("run_id").asString("")).isEqualTo(run);
        assertThat(line.path("trigger").asString("")).isEqualTo("agents_failed");
        assertThat(line.path("agents_failed").asInt(-1)).isGreaterThanOrEqualTo(1);
        assertThat(line.path("agents").asInt()).isEqualTo(2);
        assertThat(line.path("tasks_failed").asInt(-1)).isGreaterThanOrEqualTo(1);
    }

    /// one object a line, with the ids of whatever the line is about.
    @Test
    void each_change_is_one_object_with_the_ids_of_its_run_agent_task_and_step() {
        String run = mine.running(planned(one("a")));
        mine.complete("a");

        assertThat(lines())
                .allMatch(line -> line.endsWith("}\n") && line.indexOf('\n') == line.length() - 1);
        List<JsonNode> changes = read().stream().filter(line -> line.has("subject")).toList();
        assertThat(changes)
                .extracting(line -> line.path("subject").asString(""))
                .contains("run", "run_agent", "run_task", "run_step", "credit");
        assertThat(changes).allMatch(line -> line.path("run_id").asString("").equals(run));
        for (JsonNode line : changes) {
            switch (line.path("subject").asString("")) {
                case "run_agent" -> has(line, "agent_id");
                case "run_task" -> has(line, "agent_id", "task_id");
                case "run_step" -> has(line, "agent_id", "task_id", "step_id");
                default -> {}
            }
        }
        String agent = id(mine, run, "/agents");
        assertThat(changes).anyMatch(line -> line.path("agent_id").asString("").equals(agent));
    }

    private static String id(RunApi of, String run, String part) {
        return of.api().get(RunApi.path(run) + part).text("/items/0/id");
    }

    private static void has(JsonNode line, String... names) {
        for (String name : names) {
            assertThat(line.path(name).asString("")).as(line.toString()).isNotEmpty();
        }
    }

    /// requests, changes, the items that workers are given, retries, tickets and artifacts.
    @Test
    void a_search_for_the_id_of_a_run_finds_all_its_lines() {
        String other = mine.running(planned(one("other")));
        forget();
        String run = mine.running(planned(plan(agent("all", "", step("a", ""), step("b", "")))));
        mine.fail("a", "ConnectionError");
        server.clock().advance(Duration.ofSeconds(1));
        mine.complete("a");
        mine.api()
                .with("Content-Type", "text/plain")
                .post(RunApi.path(run) + "/artifacts?name=x", "hello");
        mine.done(run, "pause");
        mine.done(run, "resume");
        mine.drive(run, "running");
        mine.fail("b", "ValueError");

        List<String> all = lines();
        List<String> missed =
                all.stream()
                        .filter(line -> !line.contains(run))
                        // A request that a worker sends names the item, whose lines name the run.
                        .filter(line -> !line.contains("\"door\":\"tasks\""))
                        // Registering is of no run.
                        .filter(line -> !line.contains("\"action\":\"listAgents\""))
                        .toList();
        assertThat(missed).isEmpty();
        assertThat(all)
                .anyMatch(line -> line.contains("\"action\":\"createRun\"") && line.contains(run))
                .anyMatch(line -> line.contains("\"door\":\"steps\"") && line.contains(run))
                .anyMatch(line -> line.contains("\"door\":\"drivers\"") && line.contains(run));
        assertThat(all).noneMatch(line -> line.contains(other));
    }

    /// What a worker says by mistake is in no line.
    @Test
    void a_secret_in_an_error_is_in_no_line() {
        String secret = "hunter2hunter2";
        mine.running(planned(one("a")));
        mine.tasks()
                .verb(
                        mine.claim("a"),
                        "fail",
                        "{\"reason\":\"password=%s\",\"error\":{\"code\":\"ValueError\",\"message\":\"Authorization: Bearer %s refused\"}}"
                                .formatted(secret, secret));

        assertThat(said("ERROR", "the run is given up"))
                .anyMatch(line -> line.path("error_message").asString("").contains("[redacted]"));
        assertThat(lines()).noneMatch(line -> line.contains(secret));
    }

    /// The contract asks for these lines, so nobody has to switch them on.
    @Test
    void runs_are_logged_unless_the_operator_says_otherwise() {
        var usual = new Observer(ObserveOptions.DEFAULT, "test", Doors.ALL);
        assertThat(usual.follows("runs")).isTrue();
    }
}
