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

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/// What people answer about runs over HTTP, and what they do to parts of one.
class RunAskedTest {
    private static final String ESCALATIONS = "/api/v1/escalations";
    private static final String APPROVALS = "/api/v1/approvals";

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

    private String escalated() {
        String run = runs.running(planned(plan(agent("a", "", step("e", ",\"max_attempts\":20")))));
        runs.escalate(run, "e");
        return run;
    }

    private Reply resolve(String ticket, String action) {
        return runs.api()
                .post(
                        ESCALATIONS + "/" + ticket + "/resolve",
                        "{\"action\":\"%s\",\"note\":\"looked at it\"}".formatted(action));
    }

    ///
    @Test
    void a_ticket_is_resolved_and_the_run_goes_on() {
        String run = escalated();
        Reply held = runs.get(run);
        assertThat(held.text("/pause_reason")).isEqualTo("escalated");
        String ticket = held.text("/escalation_ticket_id");
        assertThat(held.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo(ESCALATIONS + "/" + ticket + "/resolve");
        Reply resolved = resolve(ticket, "resume");
        assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
        assertThat(resolved.text("/status")).isEqualTo("resolved");
        assertThat(resolved.text("/resolution")).isEqualTo("resume");
        assertThat(resolved.text("/note")).isEqualTo("looked at it");
        assertThat(resolved.text("/resolved_by")).startsWith("key:");
        assertThat(resolved.text("/run_status")).isEqualTo("resuming");
        runs.drive(run, "running");
        assertThat(runs.get(run).at("/escalated").asBoolean()).isFalse();
        refused(resolve(ticket, "cancel"), 409, "already_resolved");
        assertThat(runs.status(run)).isEqualTo("running");
    }

    ///
    @Test
    void a_ticket_is_resolved_by_the_cancel_of_its_run() {
        String run = escalated();
        Reply resolved = resolve(runs.get(run).text("/escalation_ticket_id"), "cancel");
        assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
        assertThat(resolved.text("/run_status")).isEqualTo("cancelled");
        assertThat(runs.credits("reserved")).isEqualByComparingTo("0");
    }

    @Test
    void a_ticket_needs_an_answer_that_there_is() {
        String ticket = runs.get(escalated()).text("/escalation_ticket_id");
        for (String body :
                List.of(
                        "{}",
                        "{\"action\":\"resume\"}",
                        "{\"action\":\"over\",\"note\":\"n\"}",
                        "{\"action\":\"resume\",\"note\":\"" + "n".repeat(1001) + "\"}")) {
            refused(
                    runs.api().post(ESCALATIONS + "/" + ticket + "/resolve", body),
                    400,
                    "invalid_request");
        }
        refused(resolve("ticket_x", "resume"), 404, "escalation_not_found");
    }

    private String asked() {
        String run =
                runs.running(body(",\"tool_policies\":{\"rm\":\"confirm\"},\"plan\":" + one("rm")));
        Reply list = runs.api().get(APPROVALS + "?status=pending&run_id=" + run);
        assertThat(list.at("/items")).hasSize(1);
        return list.text("/items/0/id");
    }

    private Reply decide(String approval, String how) {
        return runs.api().post(APPROVALS + "/" + approval + "/" + how, "{\"note\":\"fine\"}");
    }

    @Test
    void a_call_is_made_once_a_person_said_yes() {
        String approval = asked();
        Reply shown = runs.api().get(APPROVALS + "/" + approval);
        assertThat(shown.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo(APPROVALS + "/" + approval + "/approve");
        assertThat(runs.tasks().claim("rm").at("/task").isObject()).isFalse();
        Reply approved = decide(approval, "approve");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        assertThat(approved.text("/status")).isEqualTo("approved");
        assertThat(approved.text("/decided_by")).startsWith("key:");
        assertThat(approved.text("/note")).isEqualTo("fine");
        assertThat(approved.text("/run_status")).isEqualTo("running");
        Reply again = decide(approval, "approve");
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.at("/decided_at")).isEqualTo(approved.at("/decided_at"));
        refused(decide(approval, "reject"), 409, "already_decided");
        runs.complete("rm");
        assertThat(runs.status(approved.text("/run_id"))).isEqualTo("completed");
        refused(decide("x", "approve"), 404, "approval_not_found");
    }

    @Test
    void a_call_that_a_person_refused_fails_its_step() {
        String approval = asked();
        Reply rejected = decide(approval, "reject");
        assertThat(rejected.status()).as(rejected.text()).isEqualTo(200);
        assertThat(rejected.text("/status")).isEqualTo("rejected");
        assertThat(rejected.text("/run_status")).isEqualTo("failed");
        refused(decide(approval, "approve"), 409, "already_decided");
    }

    /// the run, or the agent, goes on by its mode.
    @Test
    void an_agent_and_a_task_are_cancelled() {
        String run =
                runs.running(
                        body(
                                ",\"failure_mode\":\"continue\",\"plan\":"
                                        + plan(
                                                agent("a", "", step("x", "")),
                                                agent(
                                                        "b",
                                                        ",\"failure_mode\":\"continue\"",
                                                        step("y", "")),
                                                agent("c", "", step("z", "")))));
        Reply agents = runs.api().get(path(run) + "/agents");
        String first = agents.text("/items/0/id");
        Reply seen = runs.api().get(path(run) + "/agents/" + first);
        assertThat(seen.text("/agent_contract/next_actions/1/action")).isEqualTo("cancel_agent");
        Reply cancelled =
                runs.api()
                        .post(
                                seen.text("/agent_contract/next_actions/1/endpoint"),
                                "{\"reason\":\"not needed\"}");
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        assertThat(cancelled.text("/id")).isEqualTo(first);
        assertThat(cancelled.text("/status")).isEqualTo("cancelled");
        refused(
                runs.api().post(path(run) + "/agents/" + first + "/cancel"),
                409,
                "invalid_transition");

        String second = agents.text("/items/1/id");
        String task =
                runs.api().get(path(run) + "/agents/" + second + "/tasks").text("/items/0/id");
        Reply ofTask = runs.api().post(path(run) + "/tasks/" + task + "/cancel");
        assertThat(ofTask.status()).as(ofTask.text()).isEqualTo(200);
        assertThat(ofTask.text("/status")).isEqualTo("cancelled");
        refused(
                runs.api().post(path(run) + "/tasks/" + task + "/cancel"),
                409,
                "invalid_transition");
        runs.complete("z");
        assertThat(runs.status(run)).isEqualTo("completed");
        String none = "01890000-0000-7000-8000-000000000000";
        refused(runs.api().post(path(run) + "/agents/" + none + "/cancel"), 404, "agent_not_found");
        refused(runs.api().post(path(run) + "/tasks/" + none + "/cancel"), 404, "task_not_found");
        refused(
                runs.api().post(path("run_" + none) + "/tasks/" + none + "/cancel"),
                404,
                "run_not_found");
    }

    /// What is offered is what is possible: nothing of a paused run can be cancelled but itself.
    @Test
    void a_part_of_a_paused_run_is_not_offered_a_cancel() {
        String run = runs.running(planned(one("p")));
        String agent =
                path(run) + "/agents/" + runs.api().get(path(run) + "/agents").text("/items/0/id");
        runs.done(run, "pause");
        assertThat(runs.api().get(agent).text()).doesNotContain("cancel_agent");
        refused(runs.api().post(agent + "/cancel"), 409, "invalid_transition");
    }

    /// what a ticket and the operator end has its error and gives back what it held.
    @ParameterizedTest
    @ValueSource(strings = {"pending", "running", "retrying"})
    void the_operator_ends_a_run_of_another_account(String status) {
        String run = runs.create(planned(one("forced")));
        runs.done(run, "start");
        if (!status.equals("pending")) {
            runs.drive(run, "running");
        }
        if (status.equals("retrying")) {
            runs.fail("forced", "ValueError");
            runs.done(run, "retry");
        }
        assertThat(runs.status(run)).isEqualTo(status);
        String address = "/api/v1/admin/runs/" + run + "/force-fail";
        refused(runs.api().post(address, "{\"reason\":\"Timeout\"}"), 403, "forbidden");
        var operator = RunApi.operator(server);
        refused(operator.post(address, "{}"), 400, "invalid_request");
        Reply forced = operator.post(address, "{\"reason\":\"Timeout\"}");
        assertThat(forced.status()).as(forced.text()).isEqualTo(200);
        assertThat(forced.text("/org_id")).isEqualTo(runs.tasks().accountId());
        assertThat(forced.text("/status")).isEqualTo("failed");
        assertThat(forced.text("/last_error")).isEqualTo("Timeout");
        assertThat(runs.get(run).text("/last_error")).isEqualTo("Timeout");
        assertThat(runs.credits("reserved")).isEqualByComparingTo("0");
        refused(operator.post(address, "{\"reason\":\"again\"}"), 409, "invalid_transition");
        refused(
                operator.post(
                        "/api/v1/admin/runs/01890000-0000-7000-8000-000000000000/force-fail",
                        "{\"reason\":\"Timeout\"}"),
                404,
                "run_not_found");
    }
}
