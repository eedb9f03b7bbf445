package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Scope;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.taskdoor.TasksDoor;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

class ScopeTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi account = server.account();

    private static Stream<Endpoint> authenticated() {
        return Doors.CATALOGUE.ofDoor(TasksDoor.NAME).stream()
                .filter(endpoint -> endpoint.access() == Access.KEY);
    }

    private Api with(Scope scope) {
        Reply made =
                account.api()
                        .post(
                                "/v1/keys",
                                "{\"name\":\"%s\",\"scopes\":[\"%s\"]}"
                                        .formatted(scope.word(), scope.word()));
        return server.anonymous().withKey(made.text("/apiKey"));
    }

    /// C-57: every endpoint of the catalogue with every single scope.
    @ParameterizedTest
    @MethodSource("authenticated")
    void an_endpoint_is_open_to_a_key_with_one_of_its_scopes_and_to_no_other(Endpoint endpoint) {
        for (Scope scope : Scope.values()) {
            String id = account.create("made");
            Api caller = with(scope);
            List<String> before = Storage.of(server).tasksOf(account.accountId());
            Reply reply =
                    Requests.authenticated(id).stream()
                            .filter(request -> request.name().equals(endpoint.name()))
                            .findFirst()
                            .orElseThrow()
                            .by(caller);
            boolean allowed =
                    endpoint.scopes().isEmpty() || endpoint.scopes().contains(scope.word());
            String what = endpoint.name() + " by " + scope;
            if (allowed) {
                // Its scopes alone do not open the operator's endpoints: the account must be his.
                boolean operatorsAlone =
                        Set.of("approveLocalOrder", "metrics").contains(endpoint.name());
                assertThat(reply.status() == 403).as(what).isEqualTo(operatorsAlone);
                continue;
            }
            assertThat(reply.status()).as(what).isEqualTo(403);
            assertThat(reply.error()).as(what).isEqualTo("insufficient_scope");
            assertThat(reply.text("/message"))
                    .as(what)
                    .isEqualTo(
                            "This needs a key with the scope "
                                    + String.join(" or ", endpoint.scopes())
                                    + "; this one has "
                                    + scope.word()
                                    + ".");
            assertThat(Storage.of(server).tasksOf(account.accountId())).as(what).isEqualTo(before);
        }
    }

    /// C-57: who may do what, written down once more by hand.
    @Test
    void the_scopes_are_these() {
        assertThat(
                        authenticated()
                                .filter(endpoint -> !endpoint.path().contains("billing"))
                                .map(endpoint -> endpoint.name() + " " + endpoint.scopes()))
                .contains(
                        "createTask [admin, producer]",
                        "listTasks []",
                        "getTask []",
                        "claimNextTask [admin, worker]",
                        "claimTask [admin, worker]",
                        "heartbeatTask [admin, worker]",
                        "completeTask [admin, worker]",
                        "failTask [admin, worker]",
                        "cancelTask [admin, operator, producer]",
                        "requeueTask [admin, operator, producer]",
                        "releaseTask [admin, operator, producer]",
                        "createKey [admin]",
                        "listKeys [admin]",
                        "getKey [admin]",
                        "renameKey [admin]",
                        "revokeKey [admin]",
                        "createOperation [admin, operator]",
                        "listOperations [admin, operator]",
                        "getOperation [admin, operator]",
                        "cancelOperation [admin, operator]",
                        "listAudit [admin, operator]",
                        "putType [admin, operator]",
                        "listTypes []",
                        "getType []",
                        "deleteType [admin, operator]",
                        "pauseType [admin, operator]",
                        "resumeType [admin, operator]",
                        "drainType [admin, operator]",
                        "getSettings []",
                        "changeSettings [admin, operator]");
    }

    @ParameterizedTest
    @MethodSource("authenticated")
    void an_endpoint_with_scopes_lets_admin_in(Endpoint endpoint) {
        if (!endpoint.scopes().isEmpty()) {
            assertThat(endpoint.scopes()).contains("admin");
            assertThat(endpoint.scopes()).allMatch(word -> Scope.of(word).word().equals(word));
        }
    }

    /// CB-014: what a part of a scope opens, the whole opens too, at every door.
    @Test
    void an_endpoint_for_a_finer_scope_names_each_scope_that_includes_it() {
        for (Endpoint endpoint : Doors.CATALOGUE.endpoints()) {
            for (String word : endpoint.scopes()) {
                for (Scope whole : Scope.BUNDLES) {
                    if (whole.includes().contains(Scope.of(word))) {
                        assertThat(endpoint.scopes()).as(endpoint.name()).contains(whole.word());
                    }
                }
            }
        }
    }

    /// C-57.
    @Test
    void keys_that_were_registered_and_the_local_one_are_for_everything() {
        var kernel = server.kernel().kernel();
        String local = kernel.identity().registerLocal("local").key().reveal();
        String registered = server.anonymous().post("/v1/keys/register").text("/apiKey");
        for (String key : List.of(local, registered)) {
            assertThat(kernel.identity().authenticate(key).scopes()).isEqualTo(Scope.BUNDLES);
        }
    }

    /// Who is asking comes first, then whether the key is for it, then what is asked.
    @Test
    void the_scope_is_looked_at_after_the_key_and_before_the_body() {
        assertThat(with(Scope.WORKER).post("/v1/tasks", "{bad").error())
                .isEqualTo("insufficient_scope");
        assertThat(server.anonymous().withKey("wrong").post("/v1/tasks", "{bad").error())
                .isEqualTo("invalid_api_key");
    }

    /// S-02: the refusal itself says no more than is so.
    @Test
    void a_refusal_for_its_scope_offers_no_way_that_this_key_cannot_go() {
        Reply refused = with(Scope.PRODUCER).post("/v1/tasks/claim", "{\"type\":\"t\"}");
        JsonNode actions = refused.at("/agent_contract/next_actions");
        assertThat(actions.get(0).get("action").asString()).isEqualTo("fix_request");
        assertThat(actions.get(0).get("recommended").asBoolean()).isTrue();
        assertThat(actions.get(1).get("endpoint").asString()).isEqualTo("/v1/keys");
        assertThat(actions.get(1).get("available").asBoolean()).isFalse();
    }

    /// S-02: whatever the state of a task, the guidance offers a key only what it is for.
    @ParameterizedTest
    @EnumSource(Scope.class)
    void no_answer_offers_a_key_what_it_is_not_for(Scope scope) {
        Api caller = with(scope);
        int followed = 0;
        for (TaskStatus status : TaskStatus.values()) {
            for (Requests request : Requests.authenticated(Requests.task(account, status))) {
                Reply reply = request.by(caller);
                int recommended = 0;
                for (JsonNode action : reply.at("/agent_contract/next_actions").values()) {
                    recommended += action.get("recommended").asBoolean() ? 1 : 0;
                    if (action.get("available").asBoolean() && action.has("endpoint")) {
                        Reply next = follow(caller, action);
                        assertThat(next.status())
                                .as(request.name() + " then " + action + " by " + scope)
                                .isNotEqualTo(403);
                        followed++;
                    }
                }
                assertThat(recommended).as(reply.text()).isLessThanOrEqualTo(1);
            }
        }
        assertThat(followed).isPositive();
    }

    private static Reply follow(Api caller, JsonNode action) {
        String endpoint = action.get("endpoint").asString();
        String body =
                switch (endpoint) {
                    case "/v1/tasks" -> "{\"type\":\"t\",\"payload\":{}}";
                    case "/v1/tasks/claim" -> "{\"type\":\"t\"}";
                    default -> null;
                };
        String method = action.get("method").asString();
        return caller.send(method, endpoint, method.equals("GET") ? null : body);
    }

    /// S-02: also in the answer that is stored and given again.
    @Test
    void a_repeated_create_offers_the_same_as_the_first() {
        Api producer = with(Scope.PRODUCER).with("Idempotency-Key", "k");
        String body = "{\"type\":\"t\",\"payload\":{}}";
        Reply first = producer.post("/v1/tasks", body);
        Reply again = producer.post("/v1/tasks", body);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(again.text()).isEqualTo(first.text());
        JsonNode claim = first.at("/agent_contract/next_actions/0");
        assertThat(claim.get("action").asString()).isEqualTo("claim_task");
        assertThat(claim.get("available").asBoolean()).isFalse();
        assertThat(first.at("/agent_contract/next_actions/1/recommended").asBoolean()).isTrue();
    }
}
