package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.DEFINITIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.body;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;
import static io.orchestrion.server.orchestrations.OrchestrationApi.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What every answer of the orchestrations door says about what to do next, and who may do it.
@Timeout(180)
class OrchestrationGuidanceTest {
    private static final Map<Scope, Api> WITH_ONE_SCOPE = new EnumMap<>(Scope.class);

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
        OrchestrationApi account = OrchestrationApi.on(server);
        for (Scope scope : Scope.values()) {
            WITH_ONE_SCOPE.put(scope, with(account, scope));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static final String UNSAFE = ",\"idempotency_strategy\":\"NOT_SAFE_TO_RETRY\"";

    private final OrchestrationApi mine = OrchestrationApi.on(server);

    static Stream<Endpoint> endpoints() {
        return Doors.CATALOGUE.ofDoor(OrchestrationsDoor.NAME).stream();
    }

    private static Reply ask(Api api, Endpoint endpoint, String id) {
        return api.send(
                endpoint.method(),
                endpoint.path().replaceAll("\\{[^/]*}", id),
                endpoint.request() == null ? null : endpoint.request().toExample());
    }

    private static Api with(OrchestrationApi account, Scope scope) {
        Reply made =
                account.api()
                        .post(
                                "/v1/keys",
                                "{\"name\":\"k\",\"scopes\":[\"%s\"]}".formatted(scope.word()));
        return server.anonymous().withKey(made.text("/apiKey"));
    }

    /// E-241, E-242: every error of every endpoint.
    @ParameterizedTest
    @MethodSource("endpoints")
    void an_error_has_its_four_fields(Endpoint endpoint) {
        assertThat(endpoint.access()).isEqualTo(Access.KEY);
        Reply nobody = ask(server.anonymous(), endpoint, OrchestrationApi.someId());
        refused(nobody, 401, "missing_api_key");
        for (Reply error :
                List.of(
                        nobody,
                        ask(mine.api(), endpoint, "nothing"),
                        ask(mine.api(), endpoint, OrchestrationApi.someId()),
                        mine.api()
                                .send(
                                        endpoint.method(),
                                        endpoint.path().replaceAll("\\{[^/]*}", "x") + "?bogus=1",
                                        null))) {
            if (error.status() < 400) {
                continue;
            }
            assertThat(error.status()).as(error.text()).isLessThan(500);
            assertThat(error.error()).isNotEmpty();
            assertThat(error.text("/message")).isNotEmpty();
            assertThat(error.text("/request_id")).isEqualTo(error.header("X-Request-Id"));
            assertThat(error.at("/agent_contract/next_actions").size()).isPositive();
            assertThat(error.body().propertyNames()).allMatch(name -> name.matches("[a-z_]+"));
        }
    }

    /// Every endpoint with every single scope.
    @ParameterizedTest
    @MethodSource("endpoints")
    void an_endpoint_is_open_to_a_key_with_one_of_its_scopes_and_to_no_other(Endpoint endpoint) {
        for (Scope scope : Scope.values()) {
            Reply reply = ask(WITH_ONE_SCOPE.get(scope), endpoint, OrchestrationApi.someId());
            if (endpoint.scopes().isEmpty() || endpoint.scopes().contains(scope.word())) {
                assertThat(reply.status()).as(reply.text()).isNotEqualTo(403);
            } else {
                refused(reply, 403, "forbidden", scope.word());
            }
        }
    }

    @Test
    void paths_and_methods_that_there_are_not_are_told_in_its_words() {
        refused(mine.api().get("/v1/orchestrations"), 404, "not_found");
        refused(mine.api().get("/v1/orchestrations/nothing"), 404, "not_found");
        refused(mine.api().send("DELETE", EXECUTIONS, null), 405, "method_not_allowed");
        refused(
                mine.api().with("Content-Type", "text/plain").post(DEFINITIONS, "{}"),
                400,
                "invalid_request");
    }

    /// A failed execution that no other answer is about.
    private String failed(String more) {
        String id = mine.started(mine.published(document(task("d", more))));
        mine.failed("do_d", "validation_failed");
        assertThat(mine.status(id)).isEqualTo("failed");
        return id;
    }

    /// Executions in each status, and answers about them.
    private List<Reply> answers() {
        String two =
                mine.published(document(task("a", ",\"on_success\":\"b\""), task("b", UNSAFE)));
        String running = mine.started(two);
        String paused = mine.started(two);
        mine.verb(paused, "pause");
        String canceled = mine.started(two);
        Reply cancel = mine.verb(canceled, "cancel");
        String done = mine.started(mine.published(document(task("c", ""))));
        mine.done("do_c");
        String asking = mine.started(mine.published(document(step("ask", "human_approval", ""))));
        assertThat(mine.status(asking)).isEqualTo("waiting_approval");
        String definition = mine.draft(document(task("f", "")));
        Reply draft = mine.api().get(version(definition, 1));
        return List.of(
                cancel,
                mine.get(running),
                mine.get(paused),
                mine.get(done),
                mine.get(failed(UNSAFE)),
                mine.get(failed("")),
                mine.get(asking),
                mine.verb(failed(UNSAFE), "pause"),
                mine.verb(done, "pause"),
                mine.verb(failed(UNSAFE), "retry", "{\"reason\":\"r\"}"),
                mine.api().get(EXECUTIONS),
                mine.api().get(EXECUTIONS + "/" + running + "/steps"),
                mine.api().get(EXECUTIONS + "/" + failed("") + "/graph"),
                mine.api().get(DEFINITIONS),
                mine.api().get(version(two, 1)),
                mine.api().get(DEFINITIONS + "/" + two),
                mine.create(document(task("g", ""))),
                mine.publish(mine.draft(document(task("h", ""))), 1),
                draft,
                mine.start(two, ""));
    }

    /// E-241: each action that is named works now, for whoever is told.
    @ParameterizedTest
    @EnumSource(Scope.class)
    void an_action_that_is_offered_can_be_done(Scope scope) {
        Api caller = with(mine, scope);
        int followed = 0;
        for (Reply answer : answers()) {
            JsonNode actions = answer.at("/agent_contract/next_actions");
            assertThat(actions.size()).as(answer.text()).isPositive();
            assertThat(
                            actions.values().stream()
                                    .filter(each -> each.get("recommended").asBoolean()))
                    .as(answer.text())
                    .hasSize(1);
            // The first that can be done: what comes after it may be over by then.
            for (JsonNode action : actions.values()) {
                if (!action.get("available").asBoolean() || !action.has("endpoint")) {
                    continue;
                }
                Reply next = follow(caller, action);
                if (next.status() == 403) {
                    // Offered to the owner, whose answer this was.
                    assertThat(scope).isNotEqualTo(Scope.ADMIN);
                    continue;
                }
                assertThat(next.status())
                        .as(action + " after " + answer.text() + ": " + next.text())
                        .isLessThan(400);
                followed++;
                break;
            }
        }
        assertThat(followed).isPositive();
    }

    /// The same answers as another key sees them offer it nothing that it may not do.
    @ParameterizedTest
    @EnumSource(Scope.class)
    void nothing_is_offered_that_a_key_is_not_for(Scope scope) {
        Api caller = with(mine, scope);
        answers();
        for (JsonNode execution : mine.api().get(EXECUTIONS).at("/items").values()) {
            Reply seen = caller.get(EXECUTIONS + "/" + execution.get("execution_id").asString());
            for (JsonNode action : seen.at("/agent_contract/next_actions").values()) {
                if (action.get("available").asBoolean()) {
                    assertThat(follow(caller, action).status())
                            .as(action.toString())
                            .isNotEqualTo(403);
                }
            }
        }
    }

    private Reply follow(Api caller, JsonNode action) {
        String method = action.get("method").asString();
        String body =
                switch (action.get("action").asString()) {
                    case "create_definition", "validate_definition", "replace_definition" ->
                            document(task("z", ""));
                    case "create_execution" -> body(mine.published(document(task("z", ""))), "");
                    case "claim_task" -> "{\"type\":\"nothing\"}";
                    case "retry_execution" ->
                            action.path("required_fields").size() == 2
                                    ? "{\"reason\":\"r\",\"confirm_unsafe\":true}"
                                    : "{\"reason\":\"r\"}";
                    default -> null;
                };
        return caller.send(method, action.get("endpoint").asString(), body);
    }

    /// Another account is told nothing, whatever it asks.
    @Test
    void another_account_can_do_nothing() {
        String id = mine.started(mine.published(document(task("a", ""))));
        TaskApi other = server.account();
        for (Endpoint endpoint : endpoints().toList()) {
            if (!endpoint.path().contains("{execution_id}")) {
                continue;
            }
            Reply reply = ask(other.api(), endpoint, id);
            assertThat(reply.status()).as(endpoint + " " + reply.text()).isEqualTo(404);
        }
        assertThat(mine.status(id)).isEqualTo("running");
    }
}
