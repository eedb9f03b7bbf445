package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.ROOT;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.someId;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;

/// What people are asked over HTTP, and what they say.
@Timeout(180)
class ApprovalsTest {
    private static final String APPROVALS = ROOT + "/approvals";
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

    private String asking(String more) {
        return mine.published(
                document(
                        step(
                                "ask",
                                "human_approval",
                                ",\"on_success\":\"after\",\"on_failure\":\"no\"" + more),
                        task("after", ""),
                        task("no", "")));
    }

    private static String approval(Api api, String execution) {
        Reply page = api.get(APPROVALS + "?status=pending&execution_id=" + execution);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        assertThat(page.at("/items")).as(page.text()).hasSize(1);
        return page.text("/items/0/approval_id");
    }

    private Api with(String scope) {
        Reply made =
                mine.api()
                        .post(
                                "/v1/keys",
                                "{\"name\":\"%s\",\"scopes\":[\"%s\"]}".formatted(scope, scope));
        return server.anonymous().withKey(made.text("/apiKey"));
    }

    /// E-218, E-076, E-077.
    @Test
    void approving_lets_the_execution_go_on() {
        String execution =
                mine.started(
                        asking(",\"assignee_group\":\"finance\",\"title\":\"Pay?\""),
                        ",\"input\":{\"amount\":5}");
        assertThat(mine.status(execution)).isEqualTo("waiting_approval");
        String id = approval(mine.api(), execution);
        Reply seen = mine.api().get(APPROVALS + "/" + id);
        assertThat(seen.text("/status")).isEqualTo("pending");
        assertThat(seen.text("/kind")).isEqualTo("step");
        assertThat(seen.text("/assignee_group")).isEqualTo("finance");
        assertThat(seen.text("/step_id")).isEqualTo("ask");
        assertThat(seen.text("/expires_at")).isNotEmpty();
        assertThat(seen.at("/agent_contract/next_actions/0/endpoint").asString())
                .isEqualTo(APPROVALS + "/" + id + "/approve");
        Reply approved = mine.api().post(APPROVALS + "/" + id + "/approve", "{\"note\":\"paid\"}");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        assertThat(approved.text("/status")).isEqualTo("approved");
        assertThat(approved.text("/note")).isEqualTo("paid");
        assertThat(approved.text("/decided_by")).startsWith("key:");
        assertThat(approved.text("/execution_status")).isEqualTo("running");
        mine.done("do_after");
        assertThat(mine.status(execution)).isEqualTo("succeeded");
    }

    /// E-219, E-090.
    @Test
    void rejecting_fails_the_step_and_takes_its_failure_route() {
        String execution = mine.started(asking(""));
        Reply rejected = mine.api().post(EXECUTIONS + "/" + execution + "/steps/ask/reject", "{}");
        assertThat(rejected.status()).as(rejected.text()).isEqualTo(200);
        assertThat(rejected.text("/status")).isEqualTo("rejected");
        JsonNode ask = mine.get(execution).at("/steps/0");
        assertThat(ask.get("status").asString()).isEqualTo("failed");
        assertThat(ask.get("error_code").asString()).isEqualTo("approval_rejected");
        mine.done("do_no");
        assertThat(mine.status(execution)).isEqualTo("succeeded");
    }

    /// E-220.
    @Test
    void the_same_word_of_the_same_person_changes_nothing_and_any_other_is_refused() {
        String execution = mine.started(asking(""));
        String id = approval(mine.api(), execution);
        assertThat(mine.api().post(APPROVALS + "/" + id + "/approve").status()).isEqualTo(200);
        Reply again = mine.api().post(APPROVALS + "/" + id + "/approve");
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.text("/status")).isEqualTo("approved");
        refused(mine.api().post(APPROVALS + "/" + id + "/reject"), 409, "already_decided");
        Api somebodyElse = with("orchestration:approve");
        refused(somebodyElse.post(APPROVALS + "/" + id + "/approve"), 409, "already_decided");
        refused(
                mine.api().post(EXECUTIONS + "/" + execution + "/steps/ask/reject"),
                409,
                "already_decided");
        mine.done("do_after");
        assertThat(mine.get(execution).at("/steps")).hasSize(2);
    }

    /// E-221.
    @Test
    void nobody_decides_after_the_time_for_it() {
        String execution = mine.started(asking(",\"timeout_ms\":60000"));
        String id = approval(mine.api(), execution);
        server.clock().advance(Duration.ofMinutes(2));
        refused(mine.api().post(APPROVALS + "/" + id + "/approve"), 409, "approval_expired");
        for (String duty : List.of("lease-reaper", "give-up", "due-promoter")) {
            server.kernel().kernel().sweepOnce(duty);
        }
        assertThat(mine.get(execution).at("/steps/0/status").asString()).isEqualTo("timed_out");
        refused(mine.api().post(APPROVALS + "/" + id + "/approve"), 409, "approval_expired");
        assertThat(mine.api().get(APPROVALS + "/" + id).text("/status")).isEqualTo("expired");
    }

    /// E-087: nothing is asked any more.
    @Test
    void what_was_canceled_is_not_approved() {
        String execution = mine.started(asking(""));
        String id = approval(mine.api(), execution);
        assertThat(mine.verb(execution, "cancel").status()).isEqualTo(200);
        refused(mine.api().post(APPROVALS + "/" + id + "/approve"), 409, "invalid_transition");
    }

    /// CB-014, E-218: who may approve need not be able to do anything else.
    @Test
    void approving_needs_its_scope() {
        String execution = mine.started(asking(""));
        String id = approval(mine.api(), execution);
        for (String scope :
                List.of(
                        "producer",
                        "worker",
                        "read",
                        "orchestration:review",
                        "orchestration:operate",
                        "orchestration:write")) {
            Api other = with(scope);
            refused(other.get(APPROVALS), 403, "forbidden");
            refused(other.get(APPROVALS + "/" + id), 403, "forbidden");
            refused(other.post(APPROVALS + "/" + id + "/approve"), 403, "forbidden");
            refused(
                    other.post(EXECUTIONS + "/" + execution + "/steps/ask/approve"),
                    403,
                    "forbidden");
        }
        Api approver = with("orchestration:approve");
        refused(approver.post(EXECUTIONS + "/" + execution + "/cancel"), 403, "forbidden");
        assertThat(approver.post(APPROVALS + "/" + id + "/approve").status()).isEqualTo(200);
    }

    /// E-211, E-178: of another account there is nothing.
    @Test
    void another_account_has_no_such_approval() {
        String execution = mine.started(asking(""));
        String id = approval(mine.api(), execution);
        OrchestrationApi other = OrchestrationApi.on(server);
        refused(other.api().get(APPROVALS + "/" + id), 404, "approval_not_found");
        refused(other.api().post(APPROVALS + "/" + id + "/approve"), 404, "approval_not_found");
        refused(
                other.api().post(EXECUTIONS + "/" + execution + "/steps/ask/approve"),
                404,
                "approval_not_found");
        refused(
                mine.api().post(EXECUTIONS + "/" + execution + "/steps/after/approve"),
                404,
                "approval_not_found");
        refused(mine.api().get(APPROVALS + "/" + someId()), 404, "approval_not_found");
        refused(mine.api().get(APPROVALS + "/x"), 404, "approval_not_found");
        assertThat(other.api().get(APPROVALS).at("/items")).isEmpty();
    }

    @Test
    void the_inbox_is_filtered_and_paged() {
        String finance = asking(",\"assignee_group\":\"finance\",\"timeout_ms\":60000");
        String legal = asking(",\"assignee_group\":\"legal\"");
        String first = mine.started(finance);
        String second = mine.started(legal);
        String third = mine.started(finance);
        assertThat(executions(APPROVALS + "?status=pending")).containsExactly(first, second, third);
        assertThat(executions(APPROVALS + "?assignee_group=finance")).containsExactly(first, third);
        assertThat(executions(APPROVALS + "?execution_id=" + second)).containsExactly(second);
        assertThat(executions(APPROVALS + "?kind=compensation")).isEmpty();
        String soon =
                mine.api().get(APPROVALS + "?execution_id=" + second).text("/items/0/expires_at");
        assertThat(executions(APPROVALS + "?due_before=" + soon)).containsExactly(first, third);
        Reply page = mine.api().get(APPROVALS + "?limit=2");
        assertThat(page.at("/items")).hasSize(2);
        Reply next = mine.api().get(APPROVALS + "?limit=2&cursor=" + page.text("/next_cursor"));
        assertThat(next.at("/items")).hasSize(1);
        assertThat(next.at("/next_cursor").isNull()).isTrue();
        refused(mine.api().get(APPROVALS + "?cursor=x"), 400, "invalid_request");
        refused(mine.api().get(APPROVALS + "?status=open"), 400, "invalid_request");
    }

    private List<String> executions(String path) {
        Reply page = mine.api().get(path);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return page.at("/items").values().stream()
                .map(item -> item.get("execution_id").asString())
                .toList();
    }

    /// A note of the longest kind is stored, told and read again.
    @Test
    void a_long_note_is_kept_whole() {
        String note = "\n\u0001😀".repeat(333);
        String execution = mine.started(asking(""));
        Reply approved =
                mine.api()
                        .post(
                                APPROVALS + "/" + approval(mine.api(), execution) + "/approve",
                                "{\"note\":\""
                                        + note.replace("\n", "\\n").replace("\u0001", "\\u0001")
                                        + "\"}");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        assertThat(approved.text("/note")).isEqualTo(note);
        Reply audit =
                mine.api()
                        .get("/v1/audit-events?event=orchestration.approval&subject=" + execution);
        assertThat(audit.text("/items/0/detail/note")).isEqualTo(note);
    }
}
