package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;
import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What may be asked of a new run, and what is refused before there is one.
class RunCreateTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final RunApi runs = RunApi.on(server);

    private void isRefused(String body, String pointer, String message) {
        Reply reply = runs.asked(body);
        refused(reply, 400, "invalid_request");
        assertThat(pointers(reply)).as(reply.text()).contains(pointer);
        assertThat(reply.text()).contains(message);
        assertThat(runs.api().get(RunApi.RUNS).at("/items")).isEmpty();
    }

    private static List<String> pointers(Reply reply) {
        return reply.at("/details").values().stream()
                .map(each -> each.path("pointer").asString(""))
                .toList();
    }

    /// ..R-020.
    @Test
    void a_new_run_has_nothing_but_what_it_was_asked_for() {
        Reply made = runs.asked(planned(one("later")));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String run = made.text("/id");
        assertThat(run).startsWith("run_").isEqualTo(made.text("/run_id"));
        assertThat(made.text("/status")).isEqualTo("created");
        assertThat(made.text("/org_id")).isEqualTo(runs.tasks().accountId());
        assertThat(made.at("/created_at").isString()).isTrue();
        for (String none : List.of("started_at", "running_at", "completed_at", "last_error")) {
            assertThat(made.at("/" + none).isNull()).as(none).isTrue();
        }
        for (String none :
                List.of(
                        "credits_reserved",
                        "credits_charged",
                        "agent_count",
                        "task_count",
                        "steps_in_flight")) {
            assertThat(made.number("/" + none)).as(none).isZero();
        }
        for (String table : List.of("run_agent", "run_task", "run_step", "run_message")) {
            assertThat(runs.rows(table, run)).as(table).isZero();
        }
        long items =
                server.database()
                        .value("select count(*) from work where payload like ?", "%" + run + "%");
        assertThat(items).isZero();
        assertThat(runs.ledger(run)).isEmpty();
        assertThat(runs.credits("reserved")).isEqualByComparingTo("0");
        assertThat(runs.get(run).at("/created_at")).isEqualTo(made.at("/created_at"));
    }

    /// nothing starts or ends it but somebody who asks.
    @Test
    void a_run_that_nobody_starts_stays_as_it_is() {
        RunApi own = RunApi.on(server);
        String run =
                own.create(
                        body(
                                ",\"timeouts\":{\"pending_ms\":1000,\"running_ms\":1000},\"plan\":"
                                        + one("x")));
        server.clock().advance(Duration.ofDays(4000));
        for (String duty : List.of("run-drivers", "run-clocks", "run-heartbeats", "due-promoter")) {
            server.kernel().kernel().sweepOnce(duty);
        }
        assertThat(own.status(run)).isEqualTo("created");
        assertThat(own.transitions(run)).containsExactly("created");
        assertThat(own.done(run, "start").text("/status")).isEqualTo("pending");
    }

    ///
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                        | /name | name is required",
                "{\"name\":\"a\"}          | /task | task is required",
                "{\"task\":\"a\"}          | /name | name is required",
                "{\"name\":\"\",\"task\":\"a\"} | /name | name must",
                "{\"name\":\"a\",\"task\":\"\"} | /task | task must",
                "{\"name\":null,\"task\":\"a\"} | /name | name is required",
                "{\"name\":7,\"task\":\"a\"}    | /name | name must"
            })
    void a_run_needs_a_name_and_a_task(String body, String pointer, String message) {
        isRefused(body, pointer, message);
    }

    /// Both ends of every range, and what is beyond them.
    @ParameterizedTest
    @CsvSource({
        "max_tokens, 1, 1000000000",
        "max_agents, 1, 100",
        "max_attempts, 1, 20",
        "max_replans, 0, 100",
        "limits/max_concurrent_tasks, 1, 100",
        "limits/max_concurrent_steps, 1, 100",
        "timeouts/pending_ms, 1, 31622400000",
        "timeouts/running_ms, 1, 31622400000",
        "timeouts/paused_ms, 1, 31622400000",
        "timeouts/resuming_ms, 1, 31622400000",
        "timeouts/retrying_ms, 1, 31622400000",
        "timeouts/agent_ms, 1, 31622400000",
        "timeouts/task_ms, 1, 31622400000",
        "timeouts/step_ms, 1, 21600000",
        "timeouts/planning_ms, 1, 21600000"
    })
    void every_figure_has_its_range(String field, long least, long most) {
        for (long wrong : List.of(least - 1, most + 1)) {
            isRefused(body(with(field, wrong)), "/" + field, least + " to " + most);
        }
        isRefused(body(with(field, "\"many\"")), "/" + field, least + " to " + most);
        isRefused(body(with(field, "1.5")), "/" + field, least + " to " + most);
        for (long right : List.of(least, most)) {
            Reply reply = runs.asked(body(with(field, right)));
            // The most tokens are more than the account can pay for.
            assertThat(reply.status()).as(reply.text()).isIn(201, 402);
        }
    }

    private static String with(String field, Object value) {
        int at = field.indexOf('/');
        return at < 0
                ? ",\"%s\":%s".formatted(field, value)
                : ",\"%s\":{\"%s\":%s}"
                        .formatted(field.substring(0, at), field.substring(at + 1), value);
    }

    @Test
    void what_was_asked_for_is_kept() {
        String run =
                runs.create(
                        body(
                                ",\"max_tokens\":7,\"max_agents\":8,\"max_attempts\":9,\"max_replans\":4,"
                                    + "\"failure_mode\":\"continue\",\"priority\":\"high\","
                                    + "\"limits\":{\"max_concurrent_tasks\":2},\"timeouts\":{\"step_ms\":5},"
                                    + "\"context\":{\"goal\":[1]},\"planner\":{\"mode\":\"claim\"}"));
        Reply seen = runs.get(run);
        assertThat(seen.number("/max_tokens")).isEqualTo(7);
        assertThat(seen.number("/max_agents")).isEqualTo(8);
        assertThat(seen.number("/max_attempts")).isEqualTo(9);
        assertThat(seen.number("/max_replans")).isEqualTo(4);
        assertThat(seen.text("/failure_mode")).isEqualTo("continue");
        assertThat(seen.text("/priority")).isEqualTo("high");
        assertThat(seen.text("/planner_mode")).isEqualTo("claim");
        assertThat(seen.at("/context").toString())
                .isEqualTo("{\"goal\":[1],\"decomposition\":null,\"replan_count\":0}");
        var row =
                server.database()
                        .rows(
                                "select max_concurrent_tasks, max_concurrent_steps,"
                                        + " step_timeout_ms, task_timeout_ms from run where id = ?",
                                RunApi.uuid(run))
                        .getFirst();
        assertThat(row)
                .containsEntry("max_concurrent_tasks", 2)
                .containsEntry("max_concurrent_steps", 3)
                .containsEntry("step_timeout_ms", 5L)
                .containsEntry("task_timeout_ms", Duration.ofHours(1).toMillis());
    }

    /// the defaults.
    @Test
    void what_was_not_asked_for_is_usual() {
        Reply seen = runs.get(runs.create(body("")));
        assertThat(seen.text("/failure_mode")).isEqualTo("fail-fast");
        assertThat(seen.text("/priority")).isEqualTo("normal");
        assertThat(seen.text("/planner_mode")).isEqualTo("claim");
        assertThat(seen.number("/max_tokens")).isEqualTo(100_000);
        assertThat(seen.number("/max_agents")).isEqualTo(10);
        assertThat(seen.number("/max_attempts")).isEqualTo(3);
        assertThat(seen.number("/max_replans")).isEqualTo(3);
        assertThat(runs.get(runs.create(planned(one("x")))).text("/planner_mode"))
                .isEqualTo("static");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                ",\"failure_mode\":\"ignore\"                  | /failure_mode | fail-fast",
                ",\"priority\":\"low\"                         | /priority     | normal",
                ",\"planner\":{\"mode\":\"magic\"}             | /planner/mode | static",
                ",\"planner\":{}                               | /planner/mode | is required",
                ",\"planner\":{\"mode\":\"static\"}            | /plan         | plan is required",
                ",\"context\":[]                               | /context      | JSON object",
                ",\"context\":{\"decomposition\":{}}           | /context/decomposition | set by"
                        + " the server",
                ",\"context\":{\"replan_count\":9}             | /context/replan_count | set by the"
                        + " server",
                ",\"tool_policies\":{\"a b\":\"allow\"}        | /tool_policies | no tool can have",
                ",\"tool_policies\":{\"rm\":\"perhaps\"}       | /tool_policies/rm | allow,"
                        + " confirm, block",
                ",\"tool_policies\":{\"rm\":7}                 | /tool_policies/rm | allow,"
                        + " confirm, block",
                ",\"tool_policies\":[\"rm\"]                   | /tool_policies | JSON object",
                ",\"plan\":7                                   | /plan         | JSON object",
                ",\"bogus\":7                                  | /bogus        | not a known field",
                ",\"limits\":{\"bogus\":7}                     | /limits/bogus | not a known field",
                ",\"timeouts\":{\"bogus\":7}                   | /timeouts/bogus | not a known"
                        + " field"
            })
    void what_cannot_be_asked_for_is_named(String more, String pointer, String message) {
        isRefused(body(more), pointer, message);
    }

    @Test
    void all_that_is_wrong_is_said_at_once() {
        Reply reply =
                runs.asked(
                        body(
                                ",\"planner\":{\"mode\":\"static\"},\"tool_policies\":{\"x\":1},"
                                        + "\"context\":{\"decomposition\":1}"));
        refused(reply, 400, "invalid_request");
        assertThat(pointers(reply))
                .containsExactly("/plan", "/tool_policies/x", "/context/decomposition");
    }

    @Test
    void a_plan_is_for_the_static_planner() {
        isRefused(
                body(",\"planner\":{\"mode\":\"claim\"},\"plan\":" + one("x")),
                "/planner/mode",
                "must be static");
    }

    @Test
    void texts_and_documents_have_their_bounds() {
        isRefused("{\"name\":\"" + "n".repeat(201) + "\",\"task\":\"t\"}", "/name", "200");
        isRefused("{\"name\":\"a\\nb\",\"task\":\"t\"}", "/name", "name must");
        isRefused("{\"name\":\"n\",\"task\":\"" + "t".repeat(10_001) + "\"}", "/task", "10000");
        isRefused(body(",\"context\":{\"x\":\"" + "y".repeat(65_536) + "\"}"), "/context", "65536");
        isRefused(
                body(",\"context\":" + "{\"x\":".repeat(33) + "1" + "}".repeat(33)),
                "/context",
                "32 levels");
        String tools =
                IntStream.range(0, 201)
                        .mapToObj(each -> "\"t" + each + "\":\"block\"")
                        .collect(Collectors.joining(","));
        isRefused(body(",\"tool_policies\":{" + tools + "}"), "/tool_policies", "at most 200");
        assertThat(
                        runs.asked(
                                        "{\"name\":\""
                                                + "n".repeat(200)
                                                + "\",\"task\":\""
                                                + "t".repeat(10_000)
                                                + "\"}")
                                .status())
                .isEqualTo(201);
    }

    /// The faults of a plan are named where they are in the body.
    @Test
    void the_faults_of_a_plan_are_named_by_pointer() {
        Reply reply =
                runs.asked(
                        planned(
                                plan(
                                        "{\"subtask\":\"a\",\"dependencies\":[\"b\"]}",
                                        agent("b", "", "{\"name\":\"s\"}", step("s", "")))));
        refused(reply, 400, "invalid_request");
        assertThat(pointers(reply))
                .contains("/plan/agents/0/dependencies", "/plan/agents/1/tasks/0/steps/0/tool")
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(reply.text("/details/0/code")).isNotEmpty();
        assertThat(reply.text("/details/0/hint")).isNotEmpty();
        assertThat(runs.api().get(RunApi.RUNS).at("/items")).isEmpty();
    }

    /// a plan has no more agents than the run may have.
    @ParameterizedTest
    @ValueSource(ints = {10, 11})
    void a_plan_has_at_most_max_agents(int agents) {
        var all = new ArrayList<String>();
        for (int i = 0; i < agents; i++) {
            all.add(agent("a" + i, "", step("x", "")));
        }
        Reply reply = runs.asked(planned(plan(all.toArray(String[]::new))));
        if (agents > 10) {
            refused(reply, 400, "invalid_request");
            assertThat(pointers(reply)).contains("/plan/agents");
        } else {
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        }
    }

    @Test
    void a_plan_that_calls_a_blocked_tool_is_refused() {
        isRefused(
                body(",\"tool_policies\":{\"rm\":\"block\"},\"plan\":" + one("rm")),
                "/plan",
                "calls rm");
        assertThat(
                        runs.asked(
                                        body(
                                                ",\"tool_policies\":{\"rm\":\"block\",\"ls\":\"allow\"},\"plan\":"
                                                        + one("ls")))
                                .status())
                .isEqualTo(201);
    }

    /// an account with 1000 credits, and a run that needs 1500.
    @Test
    void a_run_that_cannot_be_paid_for_is_not_made() {
        assertThat(runs.credits("available")).isEqualByComparingTo("1000");
        Reply reply = runs.asked(body(",\"max_tokens\":1500000"));
        refused(reply, 402, "insufficient_credits");
        assertThat(reply.number("/needed")).isEqualTo(1500);
        assertThat(reply.number("/available")).isEqualTo(1000);
        assertThat(reply.text("/agent_contract/next_actions/0/action")).isEqualTo("check_credits");
        assertThat(runs.api().get(RunApi.RUNS).at("/items")).isEmpty();
        assertThat(runs.credits("available")).isEqualByComparingTo("1000");
    }

    /// what was there at the create is spent at the start.
    @Test
    void a_start_that_cannot_be_paid_for_leaves_the_run_created() {
        String first = runs.create(body(",\"max_tokens\":600000"));
        String second = runs.create(body(",\"max_tokens\":600000"));
        runs.done(first, "start");
        Reply poor = runs.verb(second, "start");
        refused(poor, 402, "insufficient_credits");
        assertThat(poor.number("/needed")).isEqualTo(600);
        assertThat(poor.number("/available")).isEqualTo(400);
        assertThat(runs.status(second)).isEqualTo("created");
        assertThat(runs.ledger(second)).isEmpty();
        runs.done(first, "cancel");
        assertThat(runs.done(second, "start").text("/status")).isEqualTo("pending");
    }
}
