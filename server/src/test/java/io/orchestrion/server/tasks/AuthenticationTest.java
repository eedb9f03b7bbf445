package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

class AuthenticationTest {
    private static final String JWT =
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ";

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

    /// T-001, T-015.
    @Test
    void registering_needs_no_credential_and_gives_a_key() {
        Reply bare = server.anonymous().post("/v1/keys/register");
        Reply named = server.anonymous().post("/v1/keys/register", "{\"name\":\"ci\"}");
        for (Reply reply : List.of(bare, named)) {
            assertThat(reply.status()).isEqualTo(201);
            assertThat(reply.text("/apiKey")).matches("^orch_live_[0-9a-f]{64}$");
            assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        }
        assertThat(named.text("/apiKey")).isNotEqualTo(bare.text("/apiKey"));
    }

    /// T-001.
    @ParameterizedTest
    @ValueSource(strings = {"{\"name\":\"\"}", "{\"name\":5}", "{\"plan\":\"agency\"}", "[]"})
    void a_bad_registration_is_refused_and_makes_nothing(String body) {
        Map<String, Long> before = rowCounts();
        Reply refused = server.anonymous().post("/v1/keys/register", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(rowCounts()).isEqualTo(before);
    }

    /// T-002: but for two that are the operator's, which say so.
    @Test
    void the_key_opens_every_authenticated_endpoint() {
        for (Requests request : Requests.authenticated(tasks.create("made"))) {
            Reply reply = request.by(tasks.api());
            assertThat(reply.status()).as(request.name()).isNotEqualTo(401).isLessThan(500);
            assertThat(reply.status() == 403)
                    .as(request.name())
                    .isEqualTo(Set.of("approveLocalOrder", "metrics").contains(request.name()));
            Reply lowerCase =
                    request.by(server.anonymous().with("Authorization", "bearer " + tasks.key()));
            assertThat(lowerCase.status()).as(request.name()).isNotEqualTo(401);
        }
    }

    /// T-011, T-022, T-023, T-024, T-025, T-026, T-027, T-028, T-029, T-030, T-031: without a key
    /// each is refused before anything is read or written.
    @ParameterizedTest
    @ValueSource(strings = {"none", "", "Basic b3JjaDpsaXZl", "Token %s", "%s", "Bearer%s"})
    void without_a_bearer_credential_the_key_is_missing_everywhere(String header) {
        Api caller =
                header.equals("none")
                        ? server.anonymous()
                        : server.anonymous().with("Authorization", header.formatted(tasks.key()));
        refusedEverywhere(caller, "missing_api_key");
    }

    /// T-012, T-013.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "short",
                "orch_live_",
                "orch_live_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "ORCH_LIVE_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "orch_test_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
                "mmwt_0123456789abcdef0123456789abcdef0123456789abcdef",
                JWT
            })
    void a_bearer_credential_that_is_no_key_is_invalid_everywhere(String credential) {
        refusedEverywhere(
                server.anonymous().with("Authorization", "Bearer " + credential),
                "invalid_api_key");
    }

    /// T-012: nearly right is wrong.
    @Test
    void a_key_that_is_cut_extended_or_in_capitals_is_invalid() {
        String key = tasks.key();
        for (String other :
                List.of(
                        key.substring(0, key.length() - 1),
                        key + "0",
                        "orch_live_" + key.substring(10).toUpperCase(Locale.ROOT),
                        key.toUpperCase(Locale.ROOT),
                        key + " " + key,
                        key + "," + key)) {
            Reply refused = server.anonymous().withKey(other).get("/v1/tasks");
            assertThat(refused.status()).as(other).isEqualTo(401);
            assertThat(refused.error()).as(other).isEqualTo("invalid_api_key");
        }
    }

    /// T-012.
    @Test
    void a_revoked_key_is_invalid_everywhere() {
        server.database()
                .execute(
                        "update api_key set revoked_ms = created_ms + 1 where account_id = ?",
                        UUID.fromString(tasks.accountId()));
        refusedEverywhere(tasks.api(), "invalid_api_key");
    }

    /// T-012: from the moment of its expiry and not before.
    @Test
    void an_expired_key_is_invalid_everywhere() {
        server.database()
                .execute(
                        "update api_key set expires_ms = created_ms + 600000 where account_id = ?",
                        UUID.fromString(tasks.accountId()));
        assertThat(tasks.api().get("/v1/tasks").status()).isEqualTo(200);
        server.clock().advance(Duration.ofMinutes(11));
        refusedEverywhere(tasks.api(), "invalid_api_key");
    }

    /// T-256: who is asking comes before what is asked.
    @Test
    void a_bad_key_with_a_bad_body_is_told_of_the_key() {
        for (Api caller : List.of(server.anonymous(), server.anonymous().withKey("nonsense"))) {
            for (Requests request : Requests.authenticated("no-id")) {
                if (request.method().equals("POST")) {
                    assertThat(request.by(caller, "{not json").status())
                            .as(request.name())
                            .isEqualTo(401);
                }
            }
        }
    }

    private void refusedEverywhere(Api caller, String error) {
        String claimed = "00000000-0000-7000-8000-000000000000";
        Map<String, Long> before = rowCounts();
        for (Requests request : Requests.authenticated(claimed)) {
            Reply refused = request.by(caller);
            assertThat(refused.status()).as(request.name()).isEqualTo(401);
            assertThat(refused.error()).as(request.name()).isEqualTo(error);
        }
        assertThat(rowCounts()).isEqualTo(before);
    }

    private static Map<String, Long> rowCounts() {
        return Storage.of(server).rowCounts();
    }
}
