package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.DEFINITIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.body;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.documentWith;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;
import static io.orchestrion.server.orchestrations.OrchestrationApi.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// Starting executions over HTTP.
@Timeout(180)
class ExecutionStartTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final OrchestrationApi mine = OrchestrationApi.on(server);

    private String plain() {
        return mine.published(document(task("a", "")));
    }

    private int executions() {
        return mine.api().get(EXECUTIONS).at("/items").size();
    }

    /// E-046, E-047, E-048, E-052, E-053, E-054, E-055, E-056, E-212, E-242.
    @Test
    void an_execution_is_shown_with_all_its_fields() {
        String definition = plain();
        Reply made = mine.start(definition, ",\"input\":{\"n\":1}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String id = made.text("/execution_id");
        assertThat(made.header("Location")).isEqualTo(EXECUTIONS + "/" + id);
        assertThat(made.text("/tenant_id")).isEqualTo(mine.tasks().accountId());
        assertThat(made.text("/definition_id")).isEqualTo(definition);
        assertThat(made.text("/status")).isEqualTo("running");
        assertThat(made.text("/target_object_type")).isEqualTo("invoice");
        assertThat(made.text("/target_object_id")).isEqualTo("17");
        assertThat(made.at("/input").toString()).isEqualTo("{\"n\":1}");
        assertThat(made.at("/output").isNull()).isTrue();
        assertThat(made.text("/started_at")).isNotEmpty();
        assertThat(made.at("/completed_at").isNull()).isTrue();
        assertThat(made.text("/correlation_id")).isNotEmpty();
        assertThat(made.header("X-Correlation-Id")).isEqualTo(made.text("/correlation_id"));
        assertThat(made.text("/idempotency_key")).isNotEmpty();
        assertThat(made.number("/attempt_count")).isEqualTo(1);
        assertThat(made.body().propertyNames()).allMatch(name -> name.matches("[a-z_]+"));
        assertThat(mine.started(definition)).isNotEqualTo(id);
    }

    /// E-048.
    @Test
    void the_tenant_is_that_of_the_key() {
        String definition = plain();
        String own = mine.tasks().accountId();
        assertThat(mine.start(definition, ",\"tenant_id\":\"" + own + "\"").status())
                .isEqualTo(201);
        refused(
                mine.start(definition, ",\"tenant_id\":\"" + OrchestrationApi.someId() + "\""),
                400,
                "invalid_request",
                "tenant_id");
        refused(mine.start(definition, ",\"tenant_id\":\"x\""), 400, "invalid_request");
        assertThat(executions()).isEqualTo(1);
    }

    /// E-049, with both edges of every field.
    @Test
    void fields_have_bounds() {
        String definition = plain();
        for (String more :
                List.of(
                        ",\"target_object_type\":\"\"",
                        ",\"target_object_type\":\"" + "t".repeat(101) + "\"",
                        ",\"target_object_type\":null",
                        ",\"target_object_id\":\"\"",
                        ",\"target_object_id\":\"" + "t".repeat(201) + "\"",
                        ",\"target_object_id\":\"a\\u0000b\"",
                        ",\"target_object_id\":7",
                        ",\"input\":null",
                        ",\"input\":{\"t\":\"" + "t".repeat(65_536 - 7) + "\"}",
                        ",\"input\":" + "[".repeat(33) + "]".repeat(33),
                        ",\"definition_version\":0",
                        ",\"definition_version\":2147483648",
                        ",\"definition_version\":1.0",
                        ",\"correlation_id\":\"\"",
                        ",\"correlation_id\":\"" + "c".repeat(201) + "\"",
                        ",\"correlation_id\":\"é\"",
                        ",\"idempotency_key\":\"\"",
                        ",\"idempotency_key\":\"" + "k".repeat(256) + "\"",
                        ",\"idempotency_key\":\"é\"",
                        ",\"status\":\"succeeded\"")) {
            refused(mine.start(definition, more), 400, "invalid_request");
        }
        refused(mine.api().post(EXECUTIONS, "{}"), 400, "invalid_request", "definition_id");
        refused(mine.start("x", ""), 400, "invalid_request", "definition_id");
        assertThat(executions()).isZero();
        for (String more :
                List.of(
                        ",\"target_object_type\":\"t\"",
                        ",\"target_object_type\":\"" + "t".repeat(100) + "\"",
                        ",\"target_object_id\":\"t\"",
                        ",\"target_object_id\":\"" + "t".repeat(200) + "\"",
                        ",\"input\":{\"t\":\"" + "t".repeat(65_536 - 8) + "\"}",
                        ",\"definition_version\":1",
                        ",\"correlation_id\":\"c\"",
                        ",\"correlation_id\":\"" + "c".repeat(200) + "\"",
                        ",\"idempotency_key\":\"k\"",
                        ",\"idempotency_key\":\"" + "k".repeat(255) + "\"")) {
            assertThat(mine.start(definition, more).status()).as(more).isEqualTo(201);
        }
    }

    /// E-050.
    @Test
    void an_input_that_does_not_fit_is_refused_with_its_places() {
        String definition =
                mine.published(
                        documentWith(
                                "\"input_schema\":{\"type\":\"object\",\"required\":[\"n\"],"
                                        + "\"properties\":{\"n\":{\"type\":\"integer\"},"
                                        + "\"m\":{\"type\":\"string\"}}},",
                                task("a", "")));
        Reply refusal = mine.start(definition, ",\"input\":{\"n\":\"x\",\"m\":1}");
        refused(refusal, 400, "invalid_request");
        assertThat(refusal.at("/details").size()).isEqualTo(2);
        assertThat(refusal.at("/details").toString()).contains("input.n", "input.m");
        assertThat(executions()).isZero();
        assertThat(mine.start(definition, ",\"input\":{\"n\":1}").status()).isEqualTo(201);
    }

    /// E-017, E-018, E-019.
    @Test
    void an_execution_follows_the_newest_published_version() {
        String id = mine.draft(document(task("a", "")));
        refused(mine.start(id, ""), 409, "definition_not_published");
        refused(mine.start(id, ",\"definition_version\":1"), 409, "definition_not_published");
        mine.publish(id, 1);
        assertThat(mine.start(id, "").number("/definition_version")).isEqualTo(1);
        mine.api().post(DEFINITIONS + "/" + id + "/versions", document(task("b", "")));
        assertThat(mine.start(id, "").number("/definition_version")).isEqualTo(1);
        refused(mine.start(id, ",\"definition_version\":2"), 409, "definition_not_published");
        refused(mine.start(id, ",\"definition_version\":3"), 404, "definition_not_found");
        mine.publish(id, 2);
        assertThat(mine.start(id, "").number("/definition_version")).isEqualTo(2);
        Reply old = mine.start(id, ",\"definition_version\":1");
        assertThat(old.number("/definition_version")).isEqualTo(1);
        mine.api().post(version(id, 1) + "/deprecate");
        refused(mine.start(id, ",\"definition_version\":1"), 409, "definition_deprecated");
        mine.api().post(version(id, 2) + "/deprecate");
        refused(mine.start(id, ",\"definition_version\":2"), 409, "definition_deprecated");
        assertThat(mine.start(id, "").status()).isEqualTo(409);
        for (int i = 0; i < 3; i++) {
            mine.done("do_a");
        }
        assertThat(mine.status(old.text("/execution_id")))
                .as("those that run go on")
                .isEqualTo("succeeded");
    }

    /// E-020, E-051.
    @Test
    void a_newer_version_changes_nothing_of_what_runs() {
        String id = mine.published(document(task("a", ",\"on_success\":\"b\""), task("b", "")));
        String execution = mine.started(id, ",\"input\":{\"n\":1}");
        mine.api().post(DEFINITIONS + "/" + id + "/versions", document(task("c", "")));
        mine.publish(id, 2);
        mine.done("do_a");
        mine.done("do_b");
        Reply seen = mine.get(execution);
        assertThat(seen.text("/status")).isEqualTo("succeeded");
        assertThat(seen.number("/definition_version")).isEqualTo(1);
        assertThat(seen.at("/input").toString()).isEqualTo("{\"n\":1}");
    }

    /// E-137, E-138.
    @Test
    void a_key_makes_one_execution_whichever_way_it_comes() {
        String definition = plain();
        Reply first =
                mine.api().with("Idempotency-Key", "k-1").post(EXECUTIONS, body(definition, ""));
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(first.text("/idempotency_key")).isEqualTo("k-1");
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        String id = first.text("/execution_id");
        mine.done("do_a");
        Reply again = mine.start(definition, ",\"idempotency_key\":\"k-1\"");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text("/execution_id")).isEqualTo(id);
        assertThat(again.text("/status")).as("as it stands now").isEqualTo("succeeded");
        Reply both =
                mine.api()
                        .with("Idempotency-Key", "k-1")
                        .post(EXECUTIONS, body(definition, ",\"idempotency_key\":\"k-1\""));
        assertThat(both.status()).isEqualTo(200);
        refused(
                mine.api()
                        .with("Idempotency-Key", "k-1")
                        .post(EXECUTIONS, body(definition, ",\"idempotency_key\":\"k-2\"")),
                400,
                "invalid_request",
                "idempotency_key");
        refused(
                mine.api()
                        .with("Idempotency-Key", "k".repeat(256))
                        .post(EXECUTIONS, body(definition, "")),
                400,
                "invalid_request",
                "Idempotency-Key");
        assertThat(executions()).isEqualTo(1);
    }

    /// E-054.
    @Test
    void a_correlation_id_comes_in_the_header_or_the_body() {
        String definition = plain();
        Reply header =
                mine.api().with("X-Correlation-Id", "c-1").post(EXECUTIONS, body(definition, ""));
        assertThat(header.text("/correlation_id")).isEqualTo("c-1");
        assertThat(header.header("X-Correlation-Id")).isEqualTo("c-1");
        Reply inBody = mine.start(definition, ",\"correlation_id\":\"c-1\"");
        assertThat(inBody.text("/correlation_id")).isEqualTo("c-1");
        refused(
                mine.api()
                        .with("X-Correlation-Id", "c-1")
                        .post(EXECUTIONS, body(definition, ",\"correlation_id\":\"c-2\"")),
                400,
                "invalid_request",
                "correlation_id");
        assertThat(mine.api().get(EXECUTIONS + "?correlation_id=c-1").at("/items").size())
                .isEqualTo(2);
        String item = mine.claimed("do_a");
        assertThat(mine.tasks().get(item).text()).contains("c-1");
    }

    /// E-139.
    @Test
    void a_key_is_known_for_ever() {
        String definition = plain();
        String id = mine.started(definition, ",\"idempotency_key\":\"old\"");
        server.clock().advance(Duration.ofDays(8));
        Reply again = mine.start(definition, ",\"idempotency_key\":\"old\"");
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("/execution_id")).isEqualTo(id);
    }

    /// E-140.
    @Test
    void a_key_of_another_request_is_refused() {
        String definition = plain();
        mine.started(definition, ",\"idempotency_key\":\"k\",\"input\":{\"n\":1}");
        for (String more :
                List.of(
                        ",\"input\":{\"n\":2}",
                        ",\"input\":{\"n\":1},\"target_object_type\":\"order\"",
                        ",\"input\":{\"n\":1},\"target_object_id\":\"18\"")) {
            refused(
                    mine.start(definition, ",\"idempotency_key\":\"k\"" + more),
                    409,
                    "idempotency_conflict");
        }
        refused(
                mine.start(plain(), ",\"idempotency_key\":\"k\",\"input\":{\"n\":1}"),
                409,
                "idempotency_conflict");
        assertThat(executions()).isEqualTo(1);
    }

    /// E-141.
    @Test
    void many_at_once_with_one_key_make_one() throws Exception {
        String definition = plain();
        Callable<String> call =
                () -> {
                    Reply reply = mine.start(definition, ",\"idempotency_key\":\"same\"");
                    while (reply.status() == 503) {
                        assertThat(reply.error()).isEqualTo("idempotency_in_flight");
                        assertThat(reply.header("Retry-After")).isNotEmpty();
                        reply = mine.start(definition, ",\"idempotency_key\":\"same\"");
                    }
                    assertThat(reply.status()).as(reply.text()).isIn(200, 201);
                    return reply.text("/execution_id");
                };
        Set<String> ids = new HashSet<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : threads.invokeAll(Collections.nCopies(20, call))) {
                ids.add(each.get());
            }
        }
        assertThat(ids).hasSize(1);
        assertThat(executions()).isEqualTo(1);
    }

    /// E-142.
    @Test
    void two_accounts_may_use_the_same_key() {
        OrchestrationApi other = OrchestrationApi.on(server);
        String id = mine.started(plain(), ",\"idempotency_key\":\"shared\"");
        String theirs =
                other.started(
                        other.published(document(task("a", ""))),
                        ",\"idempotency_key\":\"shared\"");
        assertThat(theirs).isNotEqualTo(id);
        refused(other.get(id), 404, "execution_not_found");
    }

    /// E-095.
    @Test
    void a_target_has_as_many_at_once_as_its_definition_allows() {
        String definition =
                mine.published(
                        documentWith(
                                "\"policies\":{\"retry\":"
                                        + OrchestrationApi.RETRY
                                        + ",\"concurrency\":{\"max_running_per_target\":2}},",
                                task("a", "")));
        mine.started(definition);
        String second = mine.started(definition);
        Reply refusal = mine.start(definition, "");
        refused(refusal, 409, "concurrency_limit", "max_running_per_target");
        mine.started(definition, ",\"target_object_id\":\"18\"");
        mine.verb(second, "cancel");
        mine.started(definition);
    }

    /// E-212.
    @Test
    void who_may_not_is_told_so() {
        String definition = plain();
        Reply nobody = server.anonymous().post(EXECUTIONS, body(definition, ""));
        refused(nobody, 401, "missing_api_key");
        refused(
                server.anonymous().withKey("wrong").post(EXECUTIONS, body(definition, "")),
                401,
                "invalid_api_key");
        refused(mine.start(OrchestrationApi.someId(), ""), 404, "definition_not_found");
        assertThat(executions()).isZero();
    }
}
