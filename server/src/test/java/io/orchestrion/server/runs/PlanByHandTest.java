package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.path;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.EveryEndpoint;
import io.orchestrion.server.EveryEndpoint.Asked;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Plans without a model: of a person, and of a worker that claims the planning step.
class PlanByHandTest {
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

    private Reply send(String run, String plan) {
        return runs.api().post(path(run) + "/plan", plan);
    }

    @Test
    void somebody_hands_the_plan_in_while_a_worker_was_to_make_it() {
        String run = runs.running(body(""));
        assertThat(runs.get(run).text("/agent_contract/next_actions/1/action"))
                .isEqualTo("send_plan");
        Reply taken = send(run, one("byhand"));
        assertThat(taken.status()).as(taken.text()).isEqualTo(201);
        assertThat(taken.number("/plan_version")).isOne();
        assertThat(taken.at("/context/decomposition").toString()).isEqualTo(one("byhand"));
        Reply plans = runs.api().get(path(run) + "/plans");
        assertThat(plans.text("/items/0/source")).isEqualTo("hand");
        assertThat(plans.text("/items/0/made_by")).startsWith("key:");
        assertThat(runs.get(run).text()).doesNotContain("send_plan");
        refused(send(run, one("other")), 409, "invalid_transition");
        assertThat(runs.tasks().claim("run_plan").at("/task").isObject()).isFalse();
        runs.complete("byhand");
        assertThat(runs.status(run)).isEqualTo("completed");
    }

    @Test
    void the_answer_to_a_plan_is_given_again() {
        String run = runs.running(body(""));
        var api = runs.api().with("Idempotency-Key", "plan");
        Reply first = api.post(path(run) + "/plan", one("p"));
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        Reply again = api.post(path(run) + "/plan", one("p"));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(runs.api().get(path(run) + "/plans").at("/items")).hasSize(1);
    }

    /// A plan that cannot be followed is 422 with all that is wrong, and nothing changes.
    @Test
    void a_bad_plan_is_refused_with_pointers() {
        String run = runs.running(body(",\"max_agents\":1,\"tool_policies\":{\"rm\":\"block\"}"));
        Reply reply =
                send(
                        run,
                        "{\"agents\":[{\"subtask\":\"\",\"tasks\":[{\"name\":\"t\",\"steps\":[{\"name\":\"s\","
                            + "\"tool\":\"run_plan\"}]}]}]}");
        refused(reply, 422, "invalid_plan");
        assertThat(
                        reply.at("/details").values().stream()
                                .map(each -> each.path("pointer").asString("")))
                .contains("/agents/0/subtask", "/agents/0/tasks/0/steps/0/tool");
        assertThat(
                        reply.at("/details").values().stream()
                                .map(each -> each.path("code").asString("")))
                .contains("reserved_tool");
        Reply many = send(run, "{\"agents\":[{\"subtask\":\"a\"},{\"subtask\":\"b\"}]}");
        refused(many, 422, "invalid_plan");
        assertThat(many.text("/details/0/pointer")).isEqualTo("/agents");
        refused(send(run, one("rm")), 422, "invalid_plan");
        refused(send(run, "{\"agents\":["), 422, "invalid_plan");
        refused(send(run, "[]"), 422, "invalid_plan");
        refused(send(run, "{}"), 422, "invalid_plan");
        assertThat(runs.get(run).number("/plan_version")).isZero();
        assertThat(runs.claim("run_plan")).isNotEmpty();
        assertThat(send(run, one("fine")).status()).isEqualTo(201);
    }

    @Test
    void a_run_that_waits_for_no_plan_takes_none() {
        refused(send(runs.create(body("")), one("p")), 409, "invalid_transition");
        refused(send(runs.running(planned(one("q"))), one("p")), 409, "invalid_transition");
        refused(send("run_01890000-0000-7000-8000-000000000000", one("p")), 404, "run_not_found");
        refused(send("run_x", one("p")), 404, "run_not_found");
    }

    /// a worker claims the planning step and completes it with the plan.
    @Test
    void a_worker_plans_a_run_of_a_server_without_a_model() {
        String run = runs.running(body(""));
        String item = runs.claim("run_plan");
        Reply planned =
                runs.tasks().verb(item, "complete", "{\"result\":" + one("planned-work") + "}");
        assertThat(planned.status()).as(planned.text()).isEqualTo(200);
        runs.complete("planned-work");
        assertThat(runs.status(run)).isEqualTo("completed");
        assertThat(runs.api().get(path(run) + "/plans").text("/items/0/source"))
                .isEqualTo("worker");
    }

    /// what is missing is named to whoever asks for a model, and nobody else meets it.
    @Test
    void every_endpoint_works_without_a_model() {
        Reply model = runs.asked(body(",\"planner\":{\"mode\":\"openai\"}"));
        refused(model, 400, "invalid_request");
        assertThat(model.text("/details/0/pointer")).isEqualTo("/planner/mode");
        assertThat(model.text("/message")).contains("no model");
        String run = runs.create(body(""));
        for (Asked asked :
                EveryEndpoint.of(
                        runs.tasks(),
                        RunApi.uuid(run).toString(),
                        each -> each.door().equals(RunsDoor.NAME))) {
            assertThat(asked.reply().status()).as(asked.toString()).isLessThan(500);
        }
    }
}
