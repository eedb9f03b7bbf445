package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.path;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;
import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What each verb does in each status of a run, over HTTP.
class RunTransitionsTest {
    /// What becomes of the run; `-` where the verb does nothing and is answered all the same, and
    /// `no` where it is refused with 409 `invalid_transition`, `wait` where that will soon change.
    private static final String TABLE =
            """
            status    | start   | pause  | resume   | cancel    | retry    | delete
            created   | pending | no     | no       | cancelled | no       | gone
            pending   | -       | no     | no       | cancelled | no       | no
            running   | -       | paused | -        | cancelled | no       | no
            paused    | no      | -      | resuming | cancelled | no       | no
            resuming  | no      | no     | -        | wait      | no       | no
            completed | no      | no     | no       | no        | no       | no
            failed    | no      | no     | no       | no        | retrying | no
            cancelled | no      | no     | no       | -         | no       | no
            retrying  | no      | no     | no       | wait      | -        | no
            skipped   | no      | no     | no       | no        | no       | no
            """;

    private static final List<String> MAY_CHANGE = List.of("last_heartbeat", "agent_contract");

    private static TestServer server;
    private static final Map<String, Map<String, String>> EXPECTED = expected();

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final RunApi runs = RunApi.on(server);

    private static Map<String, Map<String, String>> expected() {
        List<List<String>> rows =
                TABLE.lines().map(line -> List.of(line.strip().split("\\s*\\|\\s*"))).toList();
        var table = new HashMap<String, Map<String, String>>();
        for (List<String> row : rows.subList(1, rows.size())) {
            var ofStatus = new HashMap<String, String>();
            for (int i = 1; i < row.size(); i++) {
                ofStatus.put(rows.getFirst().get(i), row.get(i));
            }
            table.put(row.getFirst(), ofStatus);
        }
        return table;
    }

    @Test
    void the_table_has_every_status() {
        assertThat(EXPECTED.keySet()).containsExactlyInAnyOrderElementsOf(RunStatus.words());
    }

    /// A run in that status, reached by its account's calls and its workers' alone.
    private String in(RunStatus status) {
        String work = "w-" + status.word();
        String run =
                switch (status) {
                    case CREATED -> runs.create(planned(one(work)));
                    case PENDING -> {
                        String started = runs.create(planned(one(work)));
                        runs.done(started, "start");
                        yield started;
                    }
                    case SKIPPED ->
                            runs.running(
                                    body(
                                            ",\"failure_mode\":\"continue\",\"plan\":"
                                                    + plan(agent("a", "", step(work, "")))));
                    default -> runs.running(planned(one(work)));
                };
        switch (status) {
            case PAUSED -> runs.done(run, "pause");
            case RESUMING -> {
                runs.done(run, "pause");
                runs.done(run, "resume");
            }
            case COMPLETED -> runs.complete(work);
            case FAILED, SKIPPED -> runs.fail(work, "ValueError");
            case CANCELLED -> runs.done(run, "cancel");
            case RETRYING -> {
                runs.fail(work, "ValueError");
                runs.done(run, "retry");
            }
            default -> {}
        }
        assertThat(runs.status(run)).isEqualTo(status.word());
        return run;
    }

    /// All that is to be seen of a run, of its changes, its ledger and its items.
    private List<Object> seen(String run) {
        Map<String, Object> fields = new HashMap<>();
        runs.get(run)
                .body()
                .properties()
                .forEach(each -> fields.put(each.getKey(), each.getValue().toString()));
        MAY_CHANGE.forEach(fields::remove);
        var seen = new ArrayList<Object>();
        seen.add(fields);
        seen.add(runs.transitions(run));
        seen.add(runs.ledger(run));
        seen.add(runs.rows("run_attempt", run));
        seen.add(runs.rows("run_message", run));
        seen.add(runs.rows("run_agent", run));
        return seen;
    }

    private Reply say(String run, String verb) {
        return verb.equals("delete") ? runs.delete(run) : runs.verb(run, verb);
    }

    /// ..R-095, R-097, R-102..R-109. What is refused, and
    /// what was done before, changes nothing: no status, no row, no credit.
    @ParameterizedTest
    @EnumSource(RunStatus.class)
    void each_verb_does_in_each_status_what_the_table_says(RunStatus status) {
        String run = in(status);
        Map<String, String> row = EXPECTED.get(status.word());
        for (String verb : List.of("start", "pause", "resume", "cancel", "retry", "delete")) {
            List<Object> before = seen(run);
            String expected = row.get(verb);
            switch (expected) {
                case "-" -> {
                    Reply again = say(run, verb);
                    assertThat(again.status()).as(verb + again.text()).isEqualTo(200);
                    assertThat(again.text("/id")).isEqualTo(run);
                    assertThat(again.text("/status")).isEqualTo(status.word());
                }
                case "no", "wait" -> {
                    Reply no = say(run, verb);
                    assertThat(no.status()).as(verb + no.text()).isEqualTo(409);
                    assertThat(no.error()).as(verb).isEqualTo("invalid_transition");
                    assertThat(no.text("/message")).contains("is " + status.word());
                    assertThat(no.at("/agent_contract/retryable").asBoolean())
                            .as(verb)
                            .isEqualTo(expected.equals("wait"));
                }
                default -> {
                    continue;
                }
            }
            assertThat(seen(run)).as(verb).isEqualTo(before);
        }
    }

    /// the verbs that change a run, each
    /// from where it may.
    @ParameterizedTest
    @EnumSource(RunStatus.class)
    void a_verb_that_may_change_the_run_does_so(RunStatus status) {
        EXPECTED.get(status.word())
                .forEach(
                        (verb, expected) -> {
                            if (List.of("-", "no", "wait").contains(expected)) {
                                return;
                            }
                            String run = in(status);
                            Reply done = say(run, verb);
                            if (expected.equals("gone")) {
                                assertThat(done.status()).isEqualTo(204);
                                refused(runs.get(run), 404, "run_not_found");
                            } else {
                                assertThat(done.status()).as(done.text()).isEqualTo(200);
                                assertThat(done.text("/status")).isEqualTo(expected);
                                assertThat(runs.transitions(run).getLast())
                                        .isEqualTo(status.word() + " -> " + expected);
                            }
                        });
    }

    /// nothing was reserved, so nothing is written.
    @Test
    void the_cancel_of_a_run_that_was_never_started_costs_nothing() {
        String run = in(RunStatus.CREATED);
        Reply cancelled = runs.done(run, "cancel");
        assertThat(cancelled.number("/duration_ms")).isZero();
        assertThat(runs.ledger(run)).isEmpty();
        assertThat(runs.credits("reserved")).isEqualByComparingTo("0");
    }

    /// one reservation and one item, however often it is asked for.
    @Test
    void a_run_is_started_once() {
        String run = in(RunStatus.CREATED);
        for (int i = 0; i < 3; i++) {
            assertThat(runs.done(run, "start").text("/run_id")).isEqualTo(run);
        }
        assertThat(runs.ledger(run)).containsExactly("reserve 100");
        assertThat(runs.rows("run_message", run)).isOne();
        runs.drive(run, "running");
        assertThat(runs.done(run, "start").text("/status")).isEqualTo("running");
        assertThat(runs.ledger(run)).containsExactly("reserve 100");
        assertThat(runs.rows("run_message", run)).isOne();
    }

    ///
    @ParameterizedTest
    @CsvSource({"PENDING", "RUNNING"})
    void a_retry_of_what_is_under_way_names_the_attempt(RunStatus status) {
        String run = in(status);
        Reply no = runs.verb(run, "retry");
        refused(no, 409, "invalid_transition");
        assertThat(no.number("/attempt_number")).isOne();
        assertThat(no.text("/message")).contains("Its attempt is 1.");
    }

    ///
    @Test
    void a_run_has_no_more_attempts_than_it_was_given() {
        String run = runs.running(body(",\"max_attempts\":2,\"plan\":" + one("last")));
        runs.fail("last", "ValueError");
        Reply second = runs.done(run, "retry");
        assertThat(second.number("/attempt_number")).isEqualTo(2);
        assertThat(runs.done(run, "retry").number("/attempt_number")).isEqualTo(2);
        runs.drive(run, "running");
        runs.fail("last", "ValueError");
        List<Object> before = seen(run);
        Reply no = runs.verb(run, "retry");
        refused(no, 409, "max_attempts_exceeded");
        assertThat(no.number("/attempt_number")).isEqualTo(2);
        assertThat(seen(run)).isEqualTo(before);
    }

    /// what comes later does not become the error of the run.
    @Test
    void a_failed_run_keeps_its_first_error() {
        String run = in(RunStatus.FAILED);
        List<Object> before = seen(run);
        Api operator = RunApi.operator(server);
        refused(
                operator.post(
                        "/api/v1/admin/runs/" + run + "/force-fail", "{\"reason\":\"later\"}"),
                409,
                "invalid_transition");
        assertThat(runs.get(run).text("/last_error")).doesNotContain("later");
        assertThat(seen(run)).isEqualTo(before);
    }

    /// whoever is second is refused, and the run is wholly the one or the other.
    @Test
    void of_two_ends_at_the_same_time_one_wins() {
        Api operator = RunApi.operator(server);
        for (int i = 0; i < 8; i++) {
            String run = runs.running(planned(one("raced")));
            String item = runs.claim("raced");
            List<Reply> both =
                    Parallel.run(
                            2,
                            n ->
                                    () ->
                                            n == 0
                                                    ? runs.tasks().verb(item, "complete", "{}")
                                                    : operator.post(
                                                            "/api/v1/admin/runs/"
                                                                    + run
                                                                    + "/force-fail",
                                                            "{\"reason\":\"too slow\"}"));
            Reply completed = both.getFirst();
            Reply failed = both.getLast();
            assertThat(List.of(completed.status(), failed.status()))
                    .as(completed.text() + failed.text())
                    .containsExactlyInAnyOrder(200, 409);
            Reply now = runs.get(run);
            if (completed.status() == 200) {
                refused(failed, 409, "invalid_transition");
                assertThat(now.text("/status")).isEqualTo("completed");
                assertThat(now.at("/last_error").isNull()).isTrue();
                assertThat(now.at("/credits_charged").decimalValue()).isPositive();
            } else {
                assertThat(now.text("/status")).isEqualTo("failed");
                assertThat(now.text("/last_error")).isEqualTo("too slow");
                assertThat(now.at("/credits_charged").decimalValue()).isZero();
            }
            assertThat(
                            now.at("/credits_charged")
                                    .decimalValue()
                                    .add(now.at("/credits_refunded").decimalValue()))
                    .isEqualByComparingTo("100");
            assertThat(runs.transitions(run)).hasSize(4);
            assertThat(runs.api().get(path(run) + "/attempts").text("/items/0/outcome"))
                    .isEqualTo(now.text("/status"));
        }
    }
}
