package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.path;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What one account has of runs is not there for another.
class RunIsolationTest {
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

    private static Reply ask(Api api, Endpoint endpoint, Map<String, String> ids) {
        String address = endpoint.path();
        for (Map.Entry<String, String> each : ids.entrySet()) {
            address = address.replace("{" + each.getKey() + "}", each.getValue());
        }
        assertThat(address).as("an id for everything in the path").doesNotContain("{");
        String query = endpoint.name().equals("uploadRunArtifact") ? "?name=theirs.txt" : "";
        String body = endpoint.request() == null ? null : endpoint.request().toExample();
        if (!endpoint.notes().rawBody().isEmpty()) {
            return api.with("Content-Type", "text/plain").send("POST", address + query, "theirs");
        }
        return api.send(endpoint.method(), address, body);
    }

    /// every endpoint that names something of a run in its path, with the ids of what there
    /// is. What the owner sees is the same before and after.
    @Test
    void nothing_of_an_account_is_there_for_another_at_any_endpoint() {
        String run =
                runs.running(
                        body(
                                ",\"tool_policies\":{\"ask\":\"confirm\"},\"plan\":"
                                        + plan(
                                                agent("a", "", step("iso", ",\"max_attempts\":20")),
                                                agent("b", "", step("ask", "")))));
        String agent = runs.api().get(path(run) + "/agents").text("/items/0/id");
        String task = runs.api().get(path(run) + "/agents/" + agent + "/tasks").text("/items/0/id");
        String step = runs.api().get(path(run) + "/tasks/" + task + "/steps").text("/items/0/id");
        String approval = runs.api().get("/api/v1/approvals").text("/items/0/id");
        Reply uploaded =
                runs.api()
                        .with("Content-Type", "text/plain")
                        .post(path(run) + "/artifacts?name=mine.txt", "mine");
        assertThat(uploaded.status()).as(uploaded.text()).isEqualTo(201);
        runs.escalate(run, "iso");
        var ids = new LinkedHashMap<String, String>();
        ids.put("run_id", run);
        ids.put("agent_id", agent);
        ids.put("task_id", task);
        ids.put("step_id", step);
        ids.put("approval_id", approval);
        ids.put("escalation_id", runs.get(run).text("/escalation_ticket_id"));
        ids.put("artifact_id", uploaded.text("/id"));
        Reply before = runs.api().get(path(run) + "?expand=tree");
        Api other = server.account().api();
        var asked = new ArrayList<String>();
        for (Endpoint endpoint : Doors.CATALOGUE.ofDoor(RunsDoor.NAME)) {
            if (!endpoint.path().contains("{")
                    || endpoint.path().startsWith(RunsDoor.ADMIN)
                    || endpoint.name().equals("downloadSharedArtifact")) {
                continue;
            }
            Reply reply = ask(other, endpoint, ids);
            assertThat(reply.status()).as(endpoint.name() + reply.text()).isEqualTo(404);
            assertThat(reply.error()).as(endpoint.name()).endsWith("_not_found");
            assertThat(reply.text()).doesNotContain(runs.tasks().accountId());
            asked.add(endpoint.name());
        }
        assertThat(asked)
                .contains(
                        "getRun",
                        "deleteRun",
                        "startRun",
                        "sendRunPlan",
                        "cancelRunAgent",
                        "resolveEscalation",
                        "approveRunStep",
                        "uploadRunArtifact")
                .hasSizeGreaterThan(25);
        assertThat(runs.api().get(path(run) + "?expand=tree").text()).isEqualTo(before.text());
        for (String list : List.of(RunApi.RUNS, "/api/v1/escalations", "/api/v1/approvals")) {
            assertThat(other.get(list).at("/items")).as(list).isEmpty();
        }
    }

    /// The answers offer what can be called: every action of a run's whole life leads somewhere.
    @Test
    void what_answers_offer_can_be_called() {
        String run = runs.create(planned(plan(agent("a", "", step("offer", "")))));
        var seen = new ArrayList<String>();
        for (String next : List.of("created", "pending", "running", "paused", "failed")) {
            switch (next) {
                case "pending" -> runs.done(run, "start");
                case "running" -> runs.drive(run, "running");
                case "paused" -> runs.done(run, "pause");
                case "failed" -> {
                    runs.done(run, "resume");
                    runs.drive(run, "running");
                    runs.fail("offer", "ValueError");
                }
                default -> {}
            }
            assertThat(runs.status(run)).isEqualTo(next);
            runs.get(run)
                    .at("/agent_contract/next_actions")
                    .values()
                    .forEach(
                            action -> {
                                seen.add(action.path("action").asString(""));
                                String method = action.path("method").asString("");
                                String address = action.path("endpoint").asString("");
                                Endpoint known =
                                        Doors.CATALOGUE.endpoints().stream()
                                                .filter(each -> each.method().equals(method))
                                                .filter(
                                                        each ->
                                                                address.matches(
                                                                        each.path()
                                                                                .replaceAll(
                                                                                        "\\{[^/]*}",
                                                                                        "[^/]+")))
                                                .findFirst()
                                                .orElse(null);
                                assertThat(known).as(method + " " + address).isNotNull();
                            });
        }
        assertThat(seen)
                .contains(
                        "start_run",
                        "cancel_run",
                        "delete_run",
                        "pause_run",
                        "resume_run",
                        "retry_run",
                        "check_run");
    }
}
