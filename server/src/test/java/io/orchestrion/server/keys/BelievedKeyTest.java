package io.orchestrion.server.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;

/// L-019: a key that is over on another node, and still believed here.
class BelievedKeyTest {
    private static TestServer believing() {
        return new TestServer(
                options -> options.withPace(Duration.ofSeconds(1), Duration.ofMinutes(10), false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"revoked_ms = 1", "expires_ms = 1"})
    void a_key_that_is_only_believed_makes_no_other(String over) {
        try (TestServer server = believing()) {
            TaskApi account = server.account();
            assertThat(account.api().get("/v1/keys").status()).isEqualTo(200);
            server.database().execute("update api_key set " + over);
            assertThat(account.api().get("/v1/tasks").status()).as("still believed").isEqualTo(200);
            assertThat(account.api().post("/v1/keys", "{\"name\":\"thief\"}").error())
                    .isEqualTo("invalid_api_key");
            assertThat(server.database().<Long>value("select count(*) from api_key")).isEqualTo(1);
        }
    }

    @Test
    void a_good_key_makes_another() {
        try (TestServer server = believing()) {
            assertThat(server.account().api().post("/v1/keys", "{\"name\":\"n\"}").status())
                    .isEqualTo(201);
        }
    }
}
