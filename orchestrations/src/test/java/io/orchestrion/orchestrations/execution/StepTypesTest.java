package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.orchestrations.execution.OrchestrationFixture.Node;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/// Tasks, decisions and waits, and the ways between steps.
class StepTypesTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final Acts acts = new Acts(fixture);

    @AfterEach
    void close() {
        fixture.close();
    }

    private JsonNode payload(WorkItem item) {
        return JSON.readTree(
                fixture.test
                        .database()
                        .<String>value("select payload::text from work where id = ?", item.id()));
    }

    private String errorCode(UUID id, String stepId) {
        return Objects.requireNonNull(fixture.step(id, stepId, 1).ended().error()).code();
    }

    /// E-030, E-145, E-235: the envelope, with the mapped input.
    @Test
    void a_worker_gets_all_it_needs_to_know() {
        Execution execution =
                fixture.start(
                        Documents.of(
                                Documents.task(
                                        "a", ",\"input\":{\"twice\":{\"$cel\":\"input.n * 2\"}}")));
        WorkItem item = fixture.claim("do_a");
        JsonNode envelope = payload(item);
        StepAttempt attempt = fixture.step(execution.id(), "a", 1);
        assertThat(item.id()).isEqualTo(attempt.id());
        assertThat(envelope.get("tenant_id").asString()).isEqualTo(fixture.account.toString());
        assertThat(envelope.get("execution_id").asString()).isEqualTo(execution.id().toString());
        assertThat(envelope.get("step_id").asString()).isEqualTo("a");
        assertThat(envelope.get("attempt_number").asInt()).isEqualTo(1);
        assertThat(envelope.get("idempotency_key").asString()).isEqualTo(attempt.key().value());
        assertThat(envelope.get("correlation_id").asString()).isEqualTo("order-7");
        assertThat(envelope.get("input").toString()).isEqualTo("{\"twice\":2}");
        assertThat(item.trail().correlationId()).isEqualTo("order-7");
    }

    /// Branches, input, and the step that is taken; `-` for a failure with that code.
    private static final String DECISIONS =
            """
            {"path":"$.input.n","op":"gt","value":10}        20   big
            {"path":"$.input.n","op":"gt","value":10}        10   small
            {"$cel":"input.n % 2 == 0"}                      4    big
            {"$cel":"input.n % 2 == 0"}                      5    small
            {"all":[{"path":"$.input.n","op":"ge","value":1},{"not":{"$cel":"input.n>3"}}]} 3 big
            {"any":[{"path":"$.input.m","op":"exists"},{"path":"$.input.n","op":"in","value":[1,2]}]} 2 big
            {"path":"$.execution.correlation_id","op":"eq","value":"order-7"} 1 big
            """;

    /// E-031: JSON conditions and CEL.
    @TestFactory
    Stream<DynamicTest> the_first_true_branch_is_taken_and_else_the_default() {
        return DECISIONS
                .lines()
                .map(line -> line.trim().split("\\s+(?=\\S+\\s+\\S+$)|\\s+(?=\\S+$)"))
                .map(
                        row ->
                                DynamicTest.dynamicTest(
                                        row[0] + " " + row[1],
                                        () -> {
                                            UUID id = decide(row[0], row[1]);
                                            assertThat(fixture.history(id))
                                                    .containsExactly(
                                                            "d#1 succeeded", row[2] + "#1 pending");
                                            assertThat(fixture.step(id, "d", 1).ended().result())
                                                    .contains("\"next\":\"" + row[2] + "\"");
                                        }));
    }

    private UUID decide(String condition, String n) {
        UUID definition =
                fixture.published(
                        Documents.of(
                                Acts.decision("d", Acts.branch(condition, "big"), "small"),
                                Documents.task("big", ""),
                                Documents.task("small", "")));
        return fixture.start(definition, "{\"n\":" + n + "}").id();
    }

    /// E-031: the order of the branches counts.
    @Test
    void of_two_true_branches_the_first_is_taken() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.decision(
                                                "d",
                                                Acts.cel("true", "x") + "," + Acts.cel("true", "y"),
                                                "y"),
                                        Documents.task("x", ""),
                                        Documents.task("y", "")))
                        .id();
        assertThat(fixture.history(id)).containsExactly("d#1 succeeded", "x#1 pending");
    }

    /// E-032.
    @Test
    void a_decision_without_a_true_branch_and_a_default_fails_its_step() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.step(
                                                "d",
                                                "decision",
                                                ",\"branches\":["
                                                        + Acts.cel("input.n > 5", "a")
                                                        + "]"),
                                        Documents.task("a", "")))
                        .id();
        assertThat(fixture.history(id)).containsExactly("d#1 failed");
        assertThat(errorCode(id, "d")).isEqualTo("no_branch_matched");
        assertThat(fixture.step(id, "d", 1).ended().error().errorClass().name())
                .isEqualTo("NON_RETRYABLE");
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.FAILED);
    }

    /// E-042: a branch may end the execution.
    @Test
    void a_branch_to_the_end_ends_the_execution() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Acts.decision("d", Acts.cel("true", "terminal"), "a"),
                                        Documents.task("a", "")))
                        .id();
        assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-123: an expression that does not come to an end fails its step, once and for good, and
    /// nothing else.
    @Test
    void an_expression_beyond_its_budget_fails_its_step_for_good() {
        String endless =
                "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b,"
                        + " [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d,"
                        + " [1,2,3,4,5,6,7,8,9,10].all(e, a+b+c+d+e > 0)))))";
        UUID decided =
                fixture.start(
                                Documents.of(
                                        Acts.decision("d", Acts.cel(endless, "a"), "a"),
                                        Documents.task("a", "")))
                        .id();
        UUID mapped =
                fixture.start(
                                Documents.of(
                                        Documents.task(
                                                "a",
                                                ",\"input\":{\"x\":{\"$cel\":\""
                                                        + endless
                                                        + "\"}}")))
                        .id();
        UUID afterwards =
                fixture.start(
                                Documents.of(
                                        Documents.task("first", Acts.next("a")),
                                        Documents.task(
                                                "a",
                                                ",\"input\":{\"x\":{\"$cel\":\""
                                                        + endless
                                                        + "\"}}")))
                        .id();
        acts.succeed("do_first");

        assertThat(fixture.history(decided)).containsExactly("d#1 failed");
        assertThat(errorCode(decided, "d")).isEqualTo("condition_failed");
        assertThat(fixture.history(mapped)).containsExactly("a#1 failed");
        assertThat(fixture.history(afterwards)).containsExactly("first#1 succeeded", "a#1 failed");
        assertThat(errorCode(afterwards, "a")).isEqualTo("mapping_failed");
        assertThat(acts.onlyLetter(afterwards).reason().word()).isEqualTo("non_retryable");
    }

    /// E-033.
    @Test
    void a_wait_is_over_when_its_time_has_come_and_not_before() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.within(
                                                100_000_000,
                                                Acts.await("w", 3_600_000, Acts.next("a"))),
                                        Documents.task("a", "")))
                        .id();
        assertThat(fixture.history(id)).containsExactly("w#1 running");
        fixture.later(Duration.ofMinutes(30));
        assertThat(fixture.history(id)).containsExactly("w#1 running");
        fixture.later(Duration.ofMinutes(31));
        assertThat(fixture.history(id)).containsExactly("w#1 succeeded", "a#1 pending");
        fixture.later(Duration.ofSeconds(10));
        assertThat(fixture.history(id)).containsExactly("w#1 succeeded", "a#1 pending");
    }

    /// E-033: until a moment that the data names.
    @Test
    void a_wait_can_be_until_a_moment() {
        UUID definition =
                fixture.published(
                        Documents.of(
                                Documents.within(
                                        100_000_000,
                                        Documents.step(
                                                "w",
                                                "wait",
                                                ",\"until\":{\"$ref\":\"$.input.at\"}"))));
        Instant now =
                Instant.ofEpochMilli(
                        fixture.execution(fixture.start(Documents.of(Documents.task("a", ""))).id())
                                .times()
                                .startedMs());
        UUID later = fixture.start(definition, "{\"at\":\"" + now.plusSeconds(3_600) + "\"}").id();
        UUID past = fixture.start(definition, "{\"at\":\"2001-01-01T00:00:00Z\"}").id();
        UUID broken = fixture.start(definition, "{\"at\":\"soon\"}").id();
        UUID none = fixture.start(definition, "{}").id();

        assertThat(fixture.status(past)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(errorCode(broken, "w")).isEqualTo("mapping_failed");
        assertThat(errorCode(none, "w")).isEqualTo("mapping_failed");
        fixture.later(Duration.ofMinutes(30));
        assertThat(fixture.status(later)).isEqualTo(ExecutionStatus.RUNNING);
        fixture.later(Duration.ofMinutes(31));
        assertThat(fixture.status(later)).isEqualTo(ExecutionStatus.SUCCEEDED);
    }

    /// E-033, E-192: nothing of a wait is in memory.
    @Test
    void a_wait_goes_on_after_the_server_was_started_anew() {
        UUID id = fixture.start(Documents.of(Acts.await("w", 5_000, ""))).id();
        fixture.test.kernel().close();
        fixture.test.clock().advance(Duration.ofSeconds(6));
        try (Node after = fixture.secondNode()) {
            sweep(after.kernel());
            assertThat(after.engine().reads().get(fixture.account, id, 10).execution().status())
                    .isEqualTo(ExecutionStatus.SUCCEEDED);
        }
    }

    /// E-033, E-184: two nodes find the same wait over.
    @Test
    void a_wait_that_two_nodes_end_at_once_is_over_once() {
        try (Node second = fixture.secondNode()) {
            List<UUID> all =
                    Stream.generate(
                                    () ->
                                            fixture.start(
                                                            Documents.of(
                                                                    Acts.await(
                                                                            "w",
                                                                            1_000,
                                                                            Acts.next("a")),
                                                                    Documents.task("a", "")))
                                                    .id())
                            .limit(10)
                            .toList();
            fixture.test.clock().advance(Duration.ofSeconds(2));
            Parallel.run(
                    4,
                    i ->
                            () -> {
                                sweep(i % 2 == 0 ? fixture.test.kernel() : second.kernel());
                                return i;
                            });
            sweep(fixture.test.kernel());
            assertThat(all)
                    .allSatisfy(
                            id ->
                                    assertThat(fixture.history(id))
                                            .containsExactly("w#1 succeeded", "a#1 pending"));
        }
    }

    private static void sweep(Kernel kernel) {
        kernel.sweepOnce("due-promoter");
    }

    /// The step's end, then the step that follows with `on_success`, `on_failure` and `on_timeout`
    /// all given, and without `on_timeout`.
    private static final String ROUTES =
            """
            succeeds  good  good
            fails     bad   bad
            times_out late  bad
            """;

    /// E-042, E-043, E-044, E-045.
    @TestFactory
    Stream<DynamicTest> an_end_of_a_step_takes_its_own_way() {
        return ROUTES.lines()
                .map(line -> line.trim().split("\\s+"))
                .flatMap(
                        row ->
                                Stream.of(
                                        route(row[0], true, row[1]), route(row[0], false, row[2])));
    }

    private DynamicTest route(String how, boolean withTimeout, String taken) {
        return DynamicTest.dynamicTest(
                how + (withTimeout ? "" : " without on_timeout"),
                () -> {
                    String ways =
                            ",\"on_success\":\"good\",\"on_failure\":\"bad\""
                                    + (withTimeout ? ",\"on_timeout\":\"late\"" : "")
                                    + Documents.retry(1, "fixed", 0, 0, 60_000);
                    var steps =
                            new ArrayList<>(
                                    List.of(
                                            Documents.task("a", ways),
                                            Documents.task("good", ""),
                                            Documents.task("bad", "")));
                    if (withTimeout) {
                        steps.add(Documents.task("late", ""));
                    }
                    UUID id = fixture.start(Documents.of(steps.toArray(String[]::new))).id();
                    WorkItem held = fixture.claim("do_a");
                    switch (how) {
                        case "succeeds" -> fixture.complete(held, "{}");
                        case "fails" -> fixture.fail(held, "validation_failed");
                        default -> fixture.later(Duration.ofSeconds(61));
                    }
                    assertThat(fixture.history(id)).hasSize(2);
                    assertThat(fixture.history(id).getLast()).isEqualTo(taken + "#1 pending");
                });
    }

    /// E-042, E-043: without a way on, the execution ends as the step did.
    @Test
    void a_step_that_leads_nowhere_ends_the_execution() {
        UUID good = fixture.start(Documents.of(Documents.task("a", ""))).id();
        acts.succeed("do_a");
        UUID bad =
                fixture.start(Documents.of(Documents.task("a", ",\"on_failure\":\"terminal\"")))
                        .id();
        acts.failForGood("a");
        assertThat(fixture.status(good)).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(fixture.status(bad)).isEqualTo(ExecutionStatus.FAILED);
    }
}
