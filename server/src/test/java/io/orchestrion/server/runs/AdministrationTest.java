package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Objects;

/// Who may administer runs and credits, and where.
class AdministrationTest {
    private static final String ID = "01890000-0000-7000-8000-000000000000";
    private static final TestServer SERVER = new TestServer();
    private static final TestServer APART =
            new TestServer(each -> each, each -> each, HttpOptions.on("127.0.0.1", 0));

    @AfterAll
    static void close() {
        SERVER.close();
        APART.close();
    }

    static List<Endpoint> administration() {
        return Doors.CATALOGUE.ofDoor(RunsDoor.NAME).stream()
                .filter(each -> each.path().startsWith("/api/v1/admin/"))
                .toList();
    }

    private static Reply ask(Api api, Endpoint endpoint) {
        return api.send(
                endpoint.method(),
                endpoint.path().replaceAll("\\{[^/]*}", ID),
                endpoint.request() == null ? null : endpoint.request().toExample());
    }

    /// The answers of a listener that has not all that is published.
    private static Api unpublished(int port) {
        return Api.on(port, ResponseCheck.NONE);
    }

    private static Api operator(TestServer server, Api anonymous, String... scopes) {
        Registration local = server.kernel().kernel().identity().registerLocal("operator");
        if (scopes.length == 0) {
            return anonymous.withKey(local.key().reveal());
        }
        Reply made =
                server.anonymous()
                        .withKey(local.key().reveal())
                        .post(
                                "/v1/keys",
                                "{\"name\":\"less\",\"scopes\":[\""
                                        + String.join("\",\"", scopes)
                                        + "\"]}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(local.accountId()).isEqualTo(Identity.LOCAL_ACCOUNT);
        return anonymous.withKey(made.text("/apiKey"));
    }

    @Test
    void there_are_endpoints_of_administration() {
        assertThat(administration().stream().map(Endpoint::name))
                .contains("listStuckRuns", "forceFailRun", "grantCredits", "reverseCharge")
                .hasSizeGreaterThanOrEqualTo(6);
    }

    ///
    @ParameterizedTest
    @MethodSource("administration")
    void administration_is_for_the_operators_account(Endpoint endpoint) {
        refused(ask(SERVER.account().api(), endpoint), 403, "forbidden");
        Reply allowed = ask(operator(SERVER, SERVER.anonymous()), endpoint);
        assertThat(allowed.status()).as(allowed.text()).isIn(200, 404);
    }

    ///
    @ParameterizedTest
    @ValueSource(strings = {"worker", "producer", "runs:write", "read"})
    void administration_needs_a_scope_of_operators(String scope) {
        Api less = operator(SERVER, SERVER.anonymous(), scope);
        for (Endpoint endpoint : administration()) {
            refused(ask(less, endpoint), 403, "forbidden");
        }
        Api enough = operator(SERVER, SERVER.anonymous(), "operator");
        assertThat(enough.get("/api/v1/admin/runs/stuck").status()).isEqualTo(200);
    }

    ///
    @ParameterizedTest
    @MethodSource("administration")
    void with_a_port_of_its_own_administration_is_answered_there_alone(Endpoint endpoint) {
        refused(ask(operator(APART, unpublished(APART.port())), endpoint), 404, "not_found");
        Reply there = ask(operator(APART, APART.anonymousOperator()), endpoint);
        assertThat(there.status()).as(there.text()).isIn(200, 404);
        assertThat(there.error()).isNotEqualTo("not_found");
        refused(ask(APART.anonymousOperator(), endpoint), 401, "missing_api_key");
    }

    /// whoever can reach that port alone can do nothing else with it.
    @Test
    void at_the_port_of_administration_there_is_nothing_else() {
        Integer port = APART.server().adminPort();
        Api operator = operator(APART, unpublished(Objects.requireNonNull(port)));
        refused(operator.get(RunApi.RUNS), 404, "not_found");
        assertThat(operator.get("/v1/tasks").status()).isEqualTo(404);
        assertThat(operator.get("/health").status()).isEqualTo(404);
        assertThat(APART.anonymous().get("/health").status()).isEqualTo(200);
        assertThat(APART.server().adminPort()).isNotEqualTo(APART.port());
        assertThat(SERVER.server().adminPort()).isNull();
    }
}
