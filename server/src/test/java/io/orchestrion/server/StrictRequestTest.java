package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

/// What no endpoint of any door takes.
class StrictRequestTest {
    private static TestServer server;
    private static TaskApi account;

    @BeforeAll
    static void start() {
        server = new TestServer();
        account = server.account();
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /// All but the pages that PayPal sends people back to, with parameters of its own.
    static List<Endpoint> endpoints() {
        return Doors.CATALOGUE.endpoints().stream()
                .filter(endpoint -> !endpoint.door().equals("pages"))
                .toList();
    }

    static String path(Endpoint endpoint) {
        return endpoint.path().replaceAll("\\{[^/]*}", "00000000-0000-7000-8000-00000000000a");
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    void a_query_parameter_that_is_not_known_is_refused_by_name(Endpoint endpoint) {
        Reply reply =
                account.api()
                        .send(
                                endpoint.method(),
                                path(endpoint) + "?bogus=1",
                                endpoint.request() == null ? null : endpoint.request().toExample());
        assertThat(reply.status()).as(reply.text()).isIn(400, 422);
        assertThat(reply.text()).contains("bogus", "is not a known query parameter");
    }

    @Test
    void a_list_that_is_asked_for_with_an_unknown_parameter_is_not_shown() {
        account.create("listed");
        Reply reply = account.api().get("/v1/tasks?bogus=1&limit=5");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text()).doesNotContain("listed");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/tasks",
        "/api/queue/jobs",
        "/v1/jobs",
        "/v1/orchestrations/executions",
        "/v1/keys",
        "/health"
    })
    void two_authorization_headers_are_refused_whichever_of_them_is_good(String path) {
        Api good = account.api();
        Api both = good.with("authorization", "Bearer orch_live_other");
        assertThat(good.get(path).status()).isEqualTo(200);
        assertThat(both.get(path).status()).isEqualTo(400);
        assertThat(
                        server.anonymous()
                                .with("authorization", "Bearer orch_live_other")
                                .withKey(account.key())
                                .get(path)
                                .status())
                .isEqualTo(400);
    }
}
