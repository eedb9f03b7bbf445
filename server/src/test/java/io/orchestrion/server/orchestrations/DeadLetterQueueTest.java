package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.ROOT;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.documentWith;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.someId;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;

/// Dead letters and what people have to look at, over HTTP.
@Timeout(180)
class DeadLetterQueueTest {
    private static final String DLQ = ROOT + "/dlq";
    private static final String REVIEW = ROOT + "/review";
    private static final String REASON = "{\"reason\":\"mended\"}";
    private static final String NOTE = "{\"note\":\"seen\"}";
    private static final String NOT_SAFE = ",\"idempotency_strategy\":\"NOT_SAFE_TO_RETRY\"";
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

    /// An execution of one step that has failed for good.
    private String failed(String code) {
        String execution = mine.started(mine.published(document(task("a", ""))));
        mine.failed("do_a", code);
        assertThat(mine.status(execution)).isEqualTo("failed");
        return execution;
    }

    /// One whose step is half done.
    private String halfDone(String more) {
        String execution = mine.started(mine.published(document(task("a", NOT_SAFE + more))));
        mine.tasks()
                .verb(
                        mine.claimed("do_a"),
                        "fail",
                        "{\"reason\":\"no\",\"error\":{\"code\":\"c\",\"message\":\"half\","
                                + "\"partial_side_effect\":true}}");
        return execution;
    }

    private Reply letters(String query) {
        Reply page = mine.api().get(DLQ + query);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return page;
    }

    private String letter(String execution) {
        Reply page = letters("?execution_id=" + execution);
        assertThat(page.at("/items")).hasSize(1);
        return page.text("/items/0/dlq_id");
    }

    private List<String> entries(String query) {
        Reply page = mine.api().get(REVIEW + query);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return page.at("/items").values().stream()
                .map(item -> item.get("kind").asString() + " " + item.get("actions"))
                .toList();
    }

    private Api with(String scope) {
        Reply made =
                mine.api()
                        .post(
                                "/v1/keys",
                                "{\"name\":\"%s\",\"scopes\":[\"%s\"]}".formatted(scope, scope));
        return server.anonymous().withKey(made.text("/apiKey"));
    }

    /// E-134, E-135.
    @Test
    void a_dead_letter_says_what_failed_and_what_can_be_done() {
        String execution = failed("validation_failed");
        Reply seen = mine.api().get(DLQ + "/" + letter(execution));
        assertThat(seen.text("/execution_id")).isEqualTo(execution);
        assertThat(seen.text("/step_id")).isEqualTo("a");
        assertThat(seen.text("/step_execution_id"))
                .isEqualTo(mine.get(execution).text("/steps/0/step_execution_id"));
        assertThat(seen.text("/status")).isEqualTo("open");
        assertThat(seen.text("/reason")).isEqualTo("non_retryable");
        assertThat(seen.text("/error_class")).isEqualTo("NON_RETRYABLE");
        assertThat(seen.text("/error_code")).isEqualTo("validation_failed");
        assertThat(seen.text("/error_summary")).isEqualTo("no");
        assertThat(seen.text("/correlation_id"))
                .isEqualTo(mine.get(execution).text("/correlation_id"));
        assertThat(seen.text("/created_at")).isNotEmpty();
        assertThat(seen.at("/actions").toString()).isEqualTo("[\"reprocess\",\"resolve\"]");
    }

    /// E-135: another step took over, so that nobody has to do anything.
    @Test
    void what_another_step_takes_over_is_handled() {
        String definition =
                mine.published(document(task("a", ",\"on_failure\":\"b\""), task("b", "")));
        String execution = mine.started(definition);
        mine.failed("do_a", "validation_failed");
        assertThat(mine.status(execution)).isEqualTo("running");
        Reply page = letters("?definition_id=" + definition);
        assertThat(page.text("/items/0/status")).isEqualTo("handled");
        assertThat(page.at("/items/0/actions")).isEmpty();
        mine.done("do_b");
    }

    /// E-222, E-178.
    @Test
    void the_list_is_filtered_paged_and_of_one_account() {
        String first = failed("validation_failed");
        String second = halfDone("");
        assertThat(letters("").at("/items")).hasSize(2);
        assertThat(letters("?reason=compensation_required").text("/items/0/execution_id"))
                .isEqualTo(second);
        assertThat(letters("?status=resolved").at("/items")).isEmpty();
        assertThat(letters("?status=open&reason=non_retryable").text("/items/0/execution_id"))
                .isEqualTo(first);
        String at = letters("?execution_id=" + second).text("/items/0/created_at");
        assertThat(letters("?to=" + at).at("/items").values())
                .noneMatch(item -> item.get("execution_id").asString().equals(second));
        assertThat(letters("?from=" + at).at("/items").values())
                .anyMatch(item -> item.get("execution_id").asString().equals(second));
        Reply page = letters("?limit=1");
        assertThat(page.text("/items/0/execution_id")).isEqualTo(second);
        Reply next = letters("?limit=1&cursor=" + page.text("/next_cursor"));
        assertThat(next.text("/items/0/execution_id")).isEqualTo(first);
        assertThat(next.at("/next_cursor").isNull()).isTrue();
        OrchestrationApi other = OrchestrationApi.on(server);
        assertThat(other.api().get(DLQ).at("/items")).isEmpty();
        assertThat(other.api().get(REVIEW).at("/items")).isEmpty();
        String id = letter(first);
        refused(other.api().get(DLQ + "/" + id), 404, "dlq_item_not_found");
        refused(other.api().post(DLQ + "/" + id + "/reprocess", REASON), 404, "dlq_item_not_found");
        refused(
                other.api().post(REVIEW + "/" + id + "/resolve", NOTE),
                404,
                "review_entry_not_found");
        refused(mine.api().get(DLQ + "/" + someId()), 404, "dlq_item_not_found");
    }

    /// E-223.
    @Test
    void reprocessing_begins_a_new_attempt_once() {
        String execution = failed("validation_failed");
        String id = letter(execution);
        Reply done = mine.api().post(DLQ + "/" + id + "/reprocess", REASON);
        assertThat(done.status()).as(done.text()).isEqualTo(200);
        assertThat(done.text("/status")).isEqualTo("reprocessed");
        assertThat(done.text("/execution_status")).isEqualTo("running");
        assertThat(done.number("/step_execution/attempt_number")).isEqualTo(2);
        refused(mine.api().post(DLQ + "/" + id + "/reprocess", REASON), 409, "invalid_transition");
        mine.done("do_a");
        assertThat(mine.status(execution)).isEqualTo("succeeded");
        assertThat(audited(execution, "orchestration.dlq.reprocess").at("/detail/note").asString())
                .isEqualTo("mended");
    }

    private JsonNode audited(String subject, String event) {
        Reply page = mine.api().get("/v1/audit-events?subject=" + subject + "&event=" + event);
        assertThat(page.at("/items")).as(page.text()).hasSize(1);
        assertThat(page.text("/items/0/actor/type")).isEqualTo("key");
        return page.at("/items/0");
    }

    /// E-224.
    @Test
    void what_is_over_is_not_reprocessed() {
        String execution = failed("validation_failed");
        String id = letter(execution);
        assertThat(mine.verb(execution, "retry", REASON).status()).isEqualTo(200);
        assertThat(mine.verb(execution, "cancel").status()).isEqualTo(200);
        refused(mine.api().post(DLQ + "/" + id + "/reprocess", REASON), 409, "invalid_transition");
        assertThat(mine.status(execution)).isEqualTo("canceled");
        assertThat(mine.get(execution).at("/steps")).hasSize(2);
    }

    /// E-161, E-223.
    @Test
    void a_step_that_is_not_safe_is_reprocessed_only_on_purpose() {
        String execution = halfDone("");
        String id = letter(execution);
        refused(mine.api().post(DLQ + "/" + id + "/reprocess", REASON), 409, "unsafe_retry");
        assertThat(letters("?execution_id=" + execution).text("/items/0/status")).isEqualTo("open");
        Reply done =
                mine.api()
                        .post(
                                DLQ + "/" + id + "/reprocess",
                                "{\"reason\":\"sure\",\"confirm_unsafe\":true}");
        assertThat(done.status()).as(done.text()).isEqualTo(200);
        refused(mine.api().post(DLQ + "/" + id + "/reprocess", "{}"), 400, "invalid_request");
    }

    /// E-223: each for itself.
    @Test
    void several_are_reprocessed_at_once() {
        String good = letter(failed("validation_failed"));
        String unsafe = letter(halfDone(""));
        Reply many =
                mine.api()
                        .post(
                                DLQ + "/reprocess",
                                "{\"ids\":[\"%s\",\"%s\",\"%s\"],\"reason\":\"mended\"}"
                                        .formatted(good, unsafe, someId()));
        assertThat(many.status()).as(many.text()).isEqualTo(200);
        assertThat(many.at("/items").values())
                .extracting(item -> item.get("result").asString())
                .containsExactly("reprocessed", "unsafe_retry", "dlq_item_not_found");
        refused(
                mine.api().post(DLQ + "/reprocess", "{\"ids\":[],\"reason\":\"r\"}"),
                400,
                "invalid_request");
    }

    /// E-173, E-174, E-175, E-176.
    @Test
    void the_review_shows_what_failed_and_what_can_be_done() {
        failed("validation_failed");
        String half =
                halfDone(
                        ",\"compensation_handler\":\"task:undo_a\",\"compensation_policy\":\"manual\"");
        assertThat(mine.status(half)).isEqualTo("waiting_approval");
        halfDone("");
        assertThat(entries(""))
                .containsExactly(
                        "compensation [\"reprocess\",\"mark_compensated\",\"resolve\"]",
                        "failed_execution [\"resolve\",\"retry\"]",
                        "compensation [\"approve\",\"reject\"]",
                        "dlq [\"reprocess\",\"resolve\"]",
                        "failed_execution [\"resolve\",\"retry\"]");
        assertThat(entries("?kind=failed_execution")).hasSize(2);
        assertThat(entries("?kind=compensation")).hasSize(2);
        assertThat(entries("?kind=dlq")).hasSize(3);
        Reply page = mine.api().get(REVIEW + "?limit=3");
        assertThat(
                        mine.api()
                                .get(REVIEW + "?limit=3&cursor=" + page.text("/next_cursor"))
                                .at("/items"))
                .hasSize(2);
    }

    /// E-165, E-176: whoever reviews is led to the question that holds the execution up.
    @Test
    void the_review_names_the_approval_that_a_compensation_waits_for() {
        String execution =
                halfDone(
                        ",\"compensation_handler\":\"task:undo_a\",\"compensation_policy\":\"manual\"");
        Reply entry = mine.api().get(REVIEW + "?kind=compensation");
        String approval = entry.text("/items/0/approval_id");
        Reply asked = mine.api().get(ROOT + "/approvals/" + approval);
        assertThat(asked.text("/kind")).isEqualTo("compensation");
        assertThat(asked.text("/execution_id")).isEqualTo(execution);
        Reply letter = mine.api().get(DLQ + "/" + letter(execution));
        assertThat(letter.text("/approval_id")).isEqualTo(approval);
        assertThat(letter.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo(ROOT + "/approvals/" + approval + "/approve");
        assertThat(
                        mine.api()
                                .post(letter.text("/agent_contract/next_actions/0/endpoint"), NOTE)
                                .status())
                .isEqualTo(200);
        assertThat(entries("?kind=compensation")).containsExactly("compensation []");
    }

    /// E-095, E-223: one more may not be under way.
    @Test
    void what_the_definition_leaves_no_room_for_is_not_reprocessed() {
        String definition =
                mine.published(
                        documentWith(
                                "\"policies\":{\"retry\":"
                                        + OrchestrationApi.RETRY
                                        + ",\"concurrency\":{\"max_running_per_target\":1}},",
                                task("a", "")));
        String failed = mine.started(definition);
        mine.failed("do_a", "validation_failed");
        mine.started(definition);
        String letter = letter(failed);
        for (Reply refusal :
                List.of(
                        mine.verb(failed, "retry", "{\"reason\":\"r\"}"),
                        mine.verb(failed, "steps/a/retry", "{\"reason\":\"r\"}"),
                        mine.api().post(DLQ + "/" + letter + "/reprocess", "{\"reason\":\"r\"}"))) {
            refused(refusal, 409, "concurrency_limit", "max_running_per_target");
        }
        Reply many =
                mine.api()
                        .post(
                                DLQ + "/reprocess",
                                "{\"ids\":[\"%s\"],\"reason\":\"r\"}".formatted(letter));
        assertThat(many.text("/items/0/result")).isEqualTo("concurrency_limit");
        assertThat(mine.status(failed)).isEqualTo("failed");
    }

    /// E-171: closed, and in the audit.
    @Test
    void what_was_undone_by_hand_is_marked() {
        String execution = halfDone("");
        String id = letter(execution);
        Reply seen = mine.api().get(DLQ + "/" + id);
        assertThat(seen.text("/action_required")).isEqualTo("manual_compensation");
        refused(
                mine.api().post(REVIEW + "/" + id + "/compensate", NOTE),
                409,
                "nothing_to_compensate");
        Reply marked = mine.api().post(REVIEW + "/" + id + "/mark-compensated", NOTE);
        assertThat(marked.status()).as(marked.text()).isEqualTo(200);
        assertThat(mine.api().get(DLQ + "/" + id).text("/status")).isEqualTo("resolved");
        assertThat(mine.get(execution).at("/compensated").asBoolean()).isTrue();
        assertThat(
                        audited(execution, "orchestration.compensation.mark")
                                .at("/detail/note")
                                .asString())
                .isEqualTo("seen");
        refused(
                mine.api().post(REVIEW + "/" + id + "/mark-compensated", NOTE),
                409,
                "invalid_transition");
    }

    /// E-165, E-166, E-230: nothing runs until somebody says so, and then the handler runs once.
    @Test
    void a_step_is_undone_when_somebody_approves_it() {
        String execution =
                halfDone(
                        ",\"compensation_handler\":\"task:undo_a\",\"compensation_policy\":\"manual\"");
        assertThat(mine.status(execution)).isEqualTo("waiting_approval");
        assertThat(mine.tasks().claim("undo_a").at("/task").isNull()).isTrue();
        Reply inbox =
                mine.api().get(ROOT + "/approvals?kind=compensation&execution_id=" + execution);
        String approval = inbox.text("/items/0/approval_id");
        assertThat(mine.api().post(ROOT + "/approvals/" + approval + "/approve", NOTE).status())
                .isEqualTo(200);
        mine.done("undo_a");
        assertThat(mine.tasks().claim("undo_a").at("/task").isNull()).isTrue();
        assertThat(mine.status(execution)).isEqualTo("failed");
        assertThat(mine.get(execution).at("/compensated").asBoolean()).isTrue();
        assertThat(
                        audited(execution, "orchestration.compensation.approve")
                                .at("/detail/note")
                                .asString())
                .isEqualTo("seen");
    }

    /// E-167, E-168, E-170: what nobody or nothing has undone stays open.
    @Test
    void what_is_not_undone_stays_to_be_looked_at() {
        String execution =
                halfDone(
                        ",\"compensation_handler\":\"task:undo_a\",\"compensation_policy\":\"manual\"");
        String approval =
                mine.api()
                        .get(ROOT + "/approvals?kind=compensation&execution_id=" + execution)
                        .text("/items/0/approval_id");
        assertThat(mine.api().post(ROOT + "/approvals/" + approval + "/reject").status())
                .isEqualTo(200);
        assertThat(mine.status(execution)).isEqualTo("failed");
        String id = letter(execution);
        Reply seen = mine.api().get(DLQ + "/" + id);
        assertThat(seen.at("/approval_id").isNull()).isTrue();
        assertThat(seen.text("/status")).isEqualTo("open");
        assertThat(seen.text("/action_required")).isEqualTo("manual_compensation");
        // Somebody else has it undone all the same, and that fails.
        Reply compensating = mine.api().post(REVIEW + "/" + id + "/compensate", NOTE);
        assertThat(compensating.status()).as(compensating.text()).isEqualTo(200);
        assertThat(compensating.text("/compensation")).isEqualTo("running");
        mine.failed("undo_a", "validation_failed");
        Reply after = mine.api().get(DLQ + "/" + id);
        assertThat(after.text("/reason")).isEqualTo("compensation_failed");
        assertThat(after.text("/status")).isEqualTo("open");
        assertThat(mine.status(execution)).isEqualTo("failed");
    }

    @Test
    void a_failed_execution_is_closed_by_its_id_and_so_is_a_dead_letter() {
        String execution = failed("validation_failed");
        String id = letter(execution);
        assertThat(mine.api().post(REVIEW + "/" + execution + "/resolve", NOTE).status())
                .isEqualTo(200);
        assertThat(entries("?kind=failed_execution")).isEmpty();
        assertThat(mine.api().post(DLQ + "/" + id + "/resolve", NOTE).status()).isEqualTo(200);
        assertThat(entries("")).isEmpty();
        refused(mine.api().post(DLQ + "/" + id + "/resolve", NOTE), 409, "invalid_transition");
        refused(mine.api().post(REVIEW + "/" + id + "/resolve", "{}"), 400, "invalid_request");
    }

    /// E-177: nothing is disclosed.
    @Test
    void looking_needs_its_scope() {
        String id = letter(failed("validation_failed"));
        List<String> enough = List.of("orchestration:review", "operator", "admin");
        List<String> others =
                Arrays.stream(Scope.values())
                        .map(Scope::word)
                        .filter(word -> !enough.contains(word))
                        .toList();
        assertThat(others).contains("read", "orchestration:write", "orchestration:approve");
        for (String scope : others) {
            Api other = with(scope);
            refused(other.get(DLQ), 403, "forbidden");
            refused(other.get(DLQ + "/" + id), 403, "forbidden");
            refused(other.get(REVIEW), 403, "forbidden");
            refused(other.post(DLQ + "/" + id + "/reprocess", REASON), 403, "forbidden");
            refused(other.post(REVIEW + "/" + id + "/compensate", NOTE), 403, "forbidden");
            refused(other.post(REVIEW + "/" + id + "/mark-compensated", NOTE), 403, "forbidden");
            refused(other.post(REVIEW + "/" + id + "/resolve", NOTE), 403, "forbidden");
        }
        assertThat(with("orchestration:review").get(REVIEW).at("/items")).hasSize(2);
        assertThat(with("orchestration:review").post(DLQ + "/" + id + "/resolve", NOTE).status())
                .isEqualTo(200);
    }
}
