package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.documentWith;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;

/// Looking at executions over HTTP, and what people ask of them.
@Timeout(180)
class ExecutionVerbsTest {
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

    private static final String TWO = document(task("a", ",\"on_success\":\"b\""), task("b", ""));

    private static final String WHY = "{\"reason\":\"because\"}";

    private List<String> texts(Reply reply, String list, String field) {
        return reply.at(list).values().stream().map(each -> each.path(field).asString("")).toList();
    }

    /// E-028, E-042, E-052, E-053, E-057, E-188, E-190, E-213.
    @Test
    void one_call_shows_the_status_and_every_attempt() {
        String id = mine.started(mine.published(TWO));
        mine.failed("do_a", "unavailable");
        mine.complete(mine.claimed("do_a"), "{\"x\":1}");
        mine.complete(mine.claimed("do_b"), "{\"y\":2}");
        Reply seen = mine.get(id);
        assertThat(seen.text("/status")).isEqualTo("succeeded");
        assertThat(seen.at("/output").toString()).isEqualTo("{\"y\":2}");
        assertThat(seen.text("/completed_at")).isNotEmpty();
        assertThat(seen.at("/blocked_on").size()).isZero();
        assertThat(texts(seen, "/steps", "step_id")).containsExactly("a", "a", "b");
        assertThat(texts(seen, "/steps", "status"))
                .containsExactly("failed", "succeeded", "succeeded");
        assertThat(texts(seen, "/steps", "name")).containsExactly("Step a", "Step a", "Step b");
        JsonNode failed = seen.at("/steps/0");
        assertThat(failed.get("attempt_number").asInt()).isEqualTo(1);
        assertThat(failed.get("error_class").asString()).isEqualTo("TRANSIENT");
        assertThat(failed.get("error_code").asString()).isEqualTo("unavailable");
        assertThat(failed.get("started_at").isString()).isTrue();
        assertThat(failed.get("finished_at").isString()).isTrue();
        assertThat(seen.at("/steps/1/attempt_number").asInt()).isEqualTo(2);
        assertThat(seen.at("/steps/1/result").toString()).isEqualTo("{\"x\":1}");
        assertThat(seen.at("/steps/1/idempotency_key").asString())
                .isEqualTo(failed.get("idempotency_key").asString());
        assertThat(texts(seen, "/transitions", "to")).containsExactly("running", "succeeded");
    }

    /// E-057, E-058: who did it and why, in order, also page by page.
    @Test
    void transitions_say_who_and_why() {
        String id = mine.started(mine.published(TWO));
        mine.verb(id, "pause", "{\"reason\":\"lunch\"}");
        mine.verb(id, "resume");
        mine.verb(id, "cancel", "{\"reason\":\"enough\"}");
        Reply seen = mine.get(id);
        assertThat(texts(seen, "/transitions", "event"))
                .containsExactly("started", "paused", "resumed", "canceled");
        assertThat(seen.at("/transitions/0/actor").asString()).isEqualTo("engine");
        assertThat(seen.at("/transitions/1/actor").asString()).startsWith("key:");
        assertThat(seen.at("/transitions/1/reason").asString()).isEqualTo("lunch");
        assertThat(seen.at("/transitions/3/reason").asString()).isEqualTo("enough");
        Reply first = mine.api().get(EXECUTIONS + "/" + id + "/transitions?limit=3");
        Reply rest =
                mine.api()
                        .get(
                                EXECUTIONS
                                        + "/"
                                        + id
                                        + "/transitions?cursor="
                                        + first.text("/next_cursor"));
        assertThat(texts(rest, "/items", "event")).containsExactly("canceled");
        assertThat(rest.at("/next_cursor").isNull()).isTrue();
    }

    /// E-191.
    @Test
    void it_is_shown_what_an_execution_waits_for() {
        String id = mine.started(mine.published(TWO));
        Reply unclaimed = mine.get(id);
        assertThat(texts(unclaimed, "/blocked_on", "on")).containsExactly("unclaimed_work");
        String item = mine.claimed("do_a");
        Reply leased = mine.get(id);
        assertThat(leased.at("/blocked_on/0/on").asString()).isEqualTo("leased_work");
        assertThat(leased.at("/blocked_on/0/id").asString()).isEqualTo(item);
        assertThat(leased.at("/blocked_on/0/step_id").asString()).isEqualTo("a");
        mine.verb(id, "pause");
        assertThat(texts(mine.get(id), "/blocked_on", "on")).contains("paused");
    }

    @Test
    void steps_are_paged_and_filtered() {
        String id = mine.started(mine.published(TWO));
        mine.failed("do_a", "unavailable");
        mine.done("do_a");
        String path = EXECUTIONS + "/" + id + "/steps";
        Reply first = mine.api().get(path + "?limit=2");
        assertThat(texts(first, "/items", "step_id")).containsExactly("a", "a");
        Reply rest = mine.api().get(path + "?limit=2&cursor=" + first.text("/next_cursor"));
        assertThat(texts(rest, "/items", "step_id")).containsExactly("b");
        assertThat(rest.at("/next_cursor").isNull()).isTrue();
        assertThat(texts(mine.api().get(path + "?step_id=b"), "/items", "status"))
                .containsExactly("pending");
        assertThat(texts(mine.api().get(path + "?status=failed"), "/items", "attempt_number"))
                .hasSize(1);
        Reply page = mine.api().get(EXECUTIONS + "/" + id + "?limit=1");
        assertThat(page.at("/steps").size()).isEqualTo(1);
        assertThat(page.text("/steps_next_cursor")).isNotEmpty();
        assertThat(
                        mine.api()
                                .get(path + "?cursor=" + page.text("/steps_next_cursor"))
                                .at("/items")
                                .size())
                .isEqualTo(2);
        for (String query : List.of("status=good", "cursor=x", "step_id=%00", "limit=0")) {
            refused(mine.api().get(path + "?" + query), 400, "invalid_request");
        }
    }

    /// E-047, E-049.
    @Test
    void lists_are_filtered_by_what_executions_are_about() {
        String definition = mine.published(TWO);
        String one = mine.started(definition, ",\"target_object_id\":\"1\"");
        String two =
                mine.started(
                        definition, ",\"target_object_type\":\"order\",\"target_object_id\":\"2\"");
        mine.verb(one, "cancel");
        for (String query :
                List.of("status=running", "target_object_type=order", "target_object_id=2")) {
            assertThat(texts(mine.api().get(EXECUTIONS + "?" + query), "/items", "execution_id"))
                    .as(query)
                    .containsExactly(two);
        }
        Reply all = mine.api().get(EXECUTIONS + "?definition_id=" + definition + "&limit=1");
        assertThat(texts(all, "/items", "execution_id")).containsExactly(two);
        Reply rest = mine.api().get(EXECUTIONS + "?cursor=" + all.text("/next_cursor"));
        assertThat(texts(rest, "/items", "execution_id")).containsExactly(one);
        for (String query :
                List.of(
                        "status=cancelled",
                        "definition_id=x",
                        "target_object_id=",
                        "target_object_type=" + "t".repeat(101),
                        "limit=101",
                        "cursor=x")) {
            refused(mine.api().get(EXECUTIONS + "?" + query), 400, "invalid_request");
        }
    }

    /// E-078, E-079, E-091, E-092.
    @Test
    void a_paused_execution_gives_out_no_work_until_it_is_resumed() {
        String id = mine.started(mine.published(TWO));
        Reply paused = mine.verb(id, "pause");
        assertThat(paused.text("/status")).isEqualTo("paused");
        assertThat(mine.verb(id, "pause").status()).isEqualTo(200);
        assertThat(mine.tasks().claim("do_a").at("/task").isObject()).isFalse();
        assertThat(mine.verb(id, "resume").text("/status")).isEqualTo("running");
        assertThat(mine.verb(id, "resume").status()).isEqualTo(200);
        mine.done("do_a");
        mine.done("do_b");
        assertThat(texts(mine.get(id), "/transitions", "event"))
                .containsExactly("started", "paused", "resumed", "succeeded");
    }

    /// E-087, E-093, E-217.
    @Test
    void a_canceled_execution_stays_so_and_its_worker_is_told() {
        String id = mine.started(mine.published(TWO));
        String item = mine.claimed("do_a");
        Reply canceled = mine.verb(id, "cancel", WHY);
        assertThat(canceled.status()).isEqualTo(200);
        assertThat(canceled.text("/status")).isEqualTo("canceled");
        assertThat(canceled.text("/completed_at")).isNotEmpty();
        refused(mine.complete(item, "{}"), 409, "lease_revoked");
        assertThat(mine.verb(id, "cancel").status()).isEqualTo(200);
        refused(mine.verb(id, "pause"), 409, "invalid_transition", "canceled");
        refused(mine.verb(id, "resume"), 409, "invalid_transition");
        refused(mine.verb(id, "retry", WHY), 409, "invalid_transition");
        assertThat(texts(mine.get(id), "/transitions", "event"))
                .containsExactly("started", "canceled");
    }

    /// E-086, E-216.
    @Test
    void nothing_can_be_done_with_one_that_has_succeeded() {
        String id = mine.started(mine.published(document(task("a", ""))));
        mine.done("do_a");
        for (String verb : List.of("pause", "resume", "cancel", "retry")) {
            refused(mine.verb(id, verb, WHY), 409, "invalid_transition", "succeeded");
        }
        refused(mine.verb(id, "steps/a/retry", WHY), 409, "invalid_transition");
        assertThat(mine.status(id)).isEqualTo("succeeded");
    }

    /// E-085, E-088, E-214.
    @Test
    void a_failed_execution_goes_on_from_the_step_that_failed() {
        String id = mine.started(mine.published(TWO));
        mine.done("do_a");
        mine.failed("do_b", "validation_failed");
        Reply failed = mine.get(id);
        assertThat(failed.text("/status")).isEqualTo("failed");
        assertThat(failed.text("/error/code")).isEqualTo("validation_failed");
        assertThat(failed.text("/error/error_class")).isEqualTo("NON_RETRYABLE");
        for (String verb : List.of("pause", "resume", "cancel")) {
            refused(mine.verb(id, verb, WHY), 409, "invalid_transition", "failed");
        }
        refused(mine.verb(id, "retry", "{}"), 400, "invalid_request", "reason");
        Reply retried = mine.verb(id, "retry", WHY);
        assertThat(retried.status()).as(retried.text()).isEqualTo(200);
        assertThat(retried.text("/status")).isEqualTo("running");
        assertThat(retried.number("/attempt_count")).isEqualTo(2);
        assertThat(retried.text("/step_execution/step_id")).isEqualTo("b");
        assertThat(retried.number("/step_execution/attempt_number")).isEqualTo(2);
        assertThat(mine.tasks().claim("do_a").at("/task").isObject()).isFalse();
        mine.done("do_b");
        Reply over = mine.get(id);
        assertThat(over.text("/status")).isEqualTo("succeeded");
        assertThat(over.at("/error").isNull()).isTrue();
        assertThat(mine.api().get("/v1/audit").text()).contains("orchestration.retry", "because");
    }

    /// E-161, E-215.
    @Test
    void a_failed_step_is_tried_again_and_an_unsafe_one_only_when_that_is_meant() {
        String id =
                mine.started(
                        mine.published(
                                document(
                                        task(
                                                "a",
                                                ",\"idempotency_strategy\":\"NOT_SAFE_TO_RETRY\""))));
        refused(mine.verb(id, "steps/a/retry", WHY), 409, "invalid_transition");
        mine.failed("do_a", "unavailable");
        assertThat(mine.status(id)).isEqualTo("failed");
        refused(mine.verb(id, "steps/a/retry", WHY), 409, "unsafe_retry", "confirm_unsafe");
        refused(
                mine.verb(id, "retry", "{\"reason\":\"r\",\"confirm_unsafe\":false}"),
                409,
                "unsafe_retry");
        refused(mine.verb(id, "steps/b/retry", WHY), 404, "step_not_found");
        Reply retried =
                mine.verb(id, "steps/a/retry", "{\"reason\":\"r\",\"confirm_unsafe\":true}");
        assertThat(retried.status()).as(retried.text()).isEqualTo(200);
        assertThat(retried.text("/step_id")).isEqualTo("a");
        assertThat(retried.number("/attempt_number")).isEqualTo(2);
        assertThat(retried.text("/execution_status")).isEqualTo("running");
        mine.done("do_a");
        assertThat(mine.status(id)).isEqualTo("succeeded");
    }

    @Test
    void a_step_that_did_not_fail_is_not_tried_again() {
        String id = mine.started(mine.published(TWO));
        mine.done("do_a");
        mine.failed("do_b", "validation_failed");
        refused(mine.verb(id, "steps/a/retry", WHY), 409, "step_not_failed");
        assertThat(mine.status(id)).isEqualTo("failed");
    }

    /// E-012.
    @Test
    void an_output_that_does_not_fit_fails_the_execution() {
        String id =
                mine.started(
                        mine.published(
                                documentWith(
                                        "\"output_schema\":{\"type\":\"object\",\"required\":[\"n\"]},",
                                        task("a", ""))));
        mine.done("do_a");
        Reply seen = mine.get(id);
        assertThat(seen.text("/status")).isEqualTo("failed");
        assertThat(seen.text("/error/code")).isEqualTo("output_schema_violation");
        assertThat(seen.text("/error/error_class")).isEqualTo("NON_RETRYABLE");
        assertThat(seen.at("/output").isNull()).isTrue();
    }

    /// E-094.
    @Test
    void an_execution_has_its_time_and_a_pause_does_not_count() {
        String definition =
                mine.published(
                        documentWith(
                                "\"policies\":{\"retry\":"
                                        + OrchestrationApi.RETRY
                                        + ",\"timeouts\":{\"execution_ms\":60000}},",
                                task("a", "")));
        String paused = mine.started(definition, ",\"target_object_id\":\"1\"");
        mine.verb(paused, "pause");
        String running = mine.started(definition, ",\"target_object_id\":\"2\"");
        server.clock().advance(Duration.ofSeconds(61));
        server.kernel().kernel().sweepOnce("due-promoter");
        Reply over = mine.get(running);
        assertThat(over.text("/status")).isEqualTo("failed");
        assertThat(over.text("/error/code")).isEqualTo("execution_timeout");
        assertThat(mine.status(paused)).isEqualTo("paused");
        assertThat(mine.verb(paused, "resume").text("/status")).isEqualTo("running");
    }

    @Test
    void the_graph_shows_where_each_step_is() {
        String id = mine.started(mine.published(TWO));
        mine.done("do_a");
        Reply graph = mine.api().get(EXECUTIONS + "/" + id + "/graph");
        assertThat(graph.text("/execution_status")).isEqualTo("running");
        assertThat(texts(graph, "/nodes", "status")).containsExactly("succeeded", "pending");
        Reply chart = mine.api().get(EXECUTIONS + "/" + id + "/graph?format=mermaid");
        assertThat(chart.text()).contains("classDef succeeded", "class s0 succeeded");
    }

    @Test
    void a_reason_has_bounds() {
        String id = mine.started(mine.published(TWO));
        for (String reason : List.of("\"\"", "\"" + "r".repeat(501) + "\"", "7", "{}")) {
            refused(mine.verb(id, "pause", "{\"reason\":" + reason + "}"), 400, "invalid_request");
        }
        assertThat(mine.status(id)).isEqualTo("running");
        String most = "{\"reason\":\"" + "é".repeat(500) + "\"}";
        assertThat(mine.verb(id, "pause", most).status()).isEqualTo(200);
        assertThat(mine.verb(id, "resume", "{\"reason\":\"r\"}").status()).isEqualTo(200);
        Reply odd = mine.verb(id, "pause", "{\"reason\":\"a\\u0000b\"}");
        assertThat(odd.status()).as(odd.text()).isLessThan(500);
    }

    @Test
    void what_can_be_no_id_is_not_found() {
        for (String id : List.of("nothing", OrchestrationApi.someId(), "a%20b")) {
            refused(mine.get(id), 404, "execution_not_found");
            for (String path : List.of("/steps", "/transitions", "/graph")) {
                refused(mine.get(id + path), 404, "execution_not_found");
            }
            for (String verb : List.of("pause", "resume", "cancel", "retry", "steps/a/retry")) {
                refused(mine.verb(id, verb, WHY), 404, "execution_not_found");
            }
        }
    }
}
