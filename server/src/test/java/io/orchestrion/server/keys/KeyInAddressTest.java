package io.orchestrion.server.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.tasks.Requests;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

class KeyInAddressTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    private static final List<String> NAMES =
            List.of("api_key", "apiKey", "apikey", "key", "token", "access_token");

    private static final Set<String> THOROUGH = Set.of("createTask", "streamEvents");

    /// Every name in every case, with a value, an empty one and none.
    private static Set<String> queries() {
        var queries = new LinkedHashSet<String>();
        for (String name : NAMES) {
            for (String variant :
                    List.of(
                            name,
                            name.toUpperCase(Locale.ROOT),
                            name.toLowerCase(Locale.ROOT),
                            name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1),
                            alternating(name))) {
                queries.add(variant + "=x");
            }
            queries.add(name + "=");
            queries.add(name);
            queries.add(KeyTour.encoded(name) + "=x");
            queries.add("limit=1&" + name + "=x");
        }
        queries.addAll(
                List.of(
                        "anything=orch_live_",
                        "q=orch_live_0123",
                        "q=ok&q=orch%5Flive_0123",
                        "orch_live_0123",
                        "q=Bearer%20orch_live_" + "0".repeat(64),
                        "q=%6f%72ch_live_0123"));
        return queries;
    }

    /// One gate refuses for all endpoints, so each is asked in few ways and some in all.
    private static List<String> usualQueries() {
        return List.of("token=x", "API_KEY=", "q=orch_live_0123");
    }

    private static String alternating(String name) {
        var text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            String letter = name.substring(i, i + 1);
            text.append(i % 2 == 0 ? letter : letter.toUpperCase(Locale.ROOT));
        }
        return text.toString();
    }

    private static List<String> endpoints() {
        return Requests.all(Requests.NO_TASK).stream().map(Requests::name).toList();
    }

    /// T-006, T-007: on every endpoint of the catalogue, public ones too, and beside a good header.
    @ParameterizedTest
    @MethodSource("endpoints")
    void a_key_in_the_address_is_refused_everywhere(String endpoint) {
        String id = tasks.create("made");
        List<String> before = Storage.of(server).tasksOf(tasks.accountId());
        var rowsBefore = Storage.of(server).rowCounts();
        Requests request =
                Requests.all(id).stream()
                        .filter(each -> each.name().equals(endpoint))
                        .findFirst()
                        .orElseThrow();
        var callers = new ArrayList<>(List.of(tasks.api(), server.anonymous()));
        callers.add(server.anonymous().withKey("wrong"));
        for (String query : THOROUGH.contains(endpoint) ? queries() : usualQueries()) {
            for (Api caller : callers) {
                Reply refused = request.with(caller, query);
                assertThat(refused.status()).as(query).isEqualTo(400);
                assertThat(refused.error()).as(query).isEqualTo("invalid_request");
                assertThat(refused.text("/message")).as(query).contains("in the address");
            }
        }
        assertThat(Storage.of(server).tasksOf(tasks.accountId())).isEqualTo(before);
        assertThat(Storage.of(server).rowCounts()).isEqualTo(rowsBefore);
    }

    /// T-006: where there is nothing to refuse it is not repeated either.
    @ParameterizedTest
    @ValueSource(strings = {"/v1/nothing", "/", "/v1/task/", "/health/live", "/v1/tasks/a/b/c"})
    void an_unknown_path_does_not_repeat_the_key(String path) {
        for (String query : List.of("token=" + tasks.key(), "q=" + tasks.key(), tasks.key())) {
            Reply reply = tasks.api().get(path + "?" + query);
            assertThat(reply.status()).isEqualTo(404);
            assertThat(reply.headers().map() + reply.text()).doesNotContain(tasks.key());
        }
        Reply inPath = tasks.api().get(path + (path.endsWith("/") ? "" : "/") + tasks.key());
        assertThat(inPath.status()).isEqualTo(404);
        assertThat(inPath.text()).doesNotContain(tasks.key());
    }

    /// T-006: what only looks similar is no key.
    @ParameterizedTest
    @ValueSource(strings = {"type=key", "type=x_orch_live_", "type=token"})
    void other_values_are_not_taken_for_keys(String query) {
        assertThat(tasks.api().get("/v1/tasks?" + query).status()).isEqualTo(200);
    }

    /// T-006: a name that only looks similar is refused as an unknown one.
    @ParameterizedTest
    @ValueSource(strings = {"keys=x", "tokens=x", "my_token=x"})
    void other_names_are_not_taken_for_keys(String query) {
        Reply refused = tasks.api().get("/v1/tasks?" + query);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message")).contains("is not a known query parameter");
    }
}
