package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

class KeySecrecyTest {
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

    /// Everything the door can do, good and bad.
    private List<Reply> tour() {
        var replies = new ArrayList<Reply>();
        for (TaskStatus status : TaskStatus.values()) {
            String id = Requests.task(tasks, status);
            for (Requests request : Requests.authenticated(id)) {
                replies.add(request.by(tasks.api()));
                replies.add(request.with(tasks.api(), "token=" + tasks.key()));
                replies.add(request.by(server.anonymous().with("Authorization", tasks.key())));
                replies.add(request.by(tasks.api().withKey(tasks.key() + "0")));
            }
        }
        Requests.open().forEach(request -> replies.add(request.by(tasks.api())));
        String keyed = "{\"type\":\"made\",\"payload\":{},\"idempotencyKey\":\"k\"}";
        replies.add(tasks.api().post("/v1/tasks", keyed));
        replies.add(tasks.api().post("/v1/tasks", keyed));
        replies.add(tasks.api().post("/v1/tasks", "{\"" + tasks.key() + "\":1}"));
        replies.add(tasks.api().get("/v1/tasks/" + tasks.key()));
        replies.add(tasks.api().get("/v1/" + tasks.key()));
        server.kernel().failpoints().arm("submit.before-commit", KeySecrecyTest::fail);
        replies.add(tasks.api().post("/v1/tasks", "{\"type\":\"made\",\"payload\":{}}"));
        server.kernel().failpoints().disarm("submit.before-commit");
        assertThat(replies.getLast().status()).isEqualTo(500);
        return replies;
    }

    private static void fail() {
        throw new IllegalStateException("broken on purpose");
    }

    /// T-003.
    @Test
    void only_the_registration_ever_shows_the_key() {
        for (Reply reply : tour()) {
            assertThat(reply.headers().map() + reply.text())
                    .doesNotContain(tasks.key())
                    .doesNotContain(tasks.key().substring(10));
        }
    }

    /// T-004.
    @Test
    void the_database_holds_the_hash_of_the_key_and_the_key_nowhere() throws Exception {
        tour();
        byte[] hash =
                MessageDigest.getInstance("SHA-256")
                        .digest(tasks.key().getBytes(StandardCharsets.UTF_8));
        byte[] stored =
                server.database()
                        .value(
                                "select key_hash from api_key where account_id = ?",
                                UUID.fromString(tasks.accountId()));
        assertThat(stored).isEqualTo(hash);

        String secret = tasks.key().substring(10);
        String asBytes = HexFormat.of().formatHex(tasks.key().getBytes(StandardCharsets.UTF_8));
        List<String> dump = Storage.of(server).dump();
        assertThat(dump).anyMatch(row -> row.contains(HexFormat.of().formatHex(hash)));
        assertThat(dump)
                .noneMatch(row -> row.contains(secret))
                .noneMatch(row -> row.contains(asBytes));
    }

    /// T-005, for log lines; there are no spans and metrics yet.
    @Test
    void the_key_is_never_logged() {
        List<String> lines;
        List<String> keys = new ArrayList<>(List.of(tasks.key()));
        try (var log = new CapturedLog()) {
            keys.add(server.account().key());
            tour();
            lines = log.lines();
        }
        assertThat(String.join("\n", lines))
                .as("what was really looked at")
                .contains("POST /v1/tasks failed", "/v1/keys/register -> 201", "(hidden) -> 404");
        for (String key : keys) {
            assertThat(lines).filteredOn(line -> line.contains(key.substring(10, 42))).isEmpty();
        }
    }

    /// T-006, T-007: on every endpoint, public ones too, and beside a good header.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "api_key=x",
                "apiKey=x",
                "apikey=x",
                "key=x",
                "token=x",
                "access_token=x",
                "token=",
                "token",
                "TOKEN=x",
                "api%5Fkey=x",
                "limit=1&key=x",
                "anything=orch_live_",
                "q=orch_live_0123",
                "q=ok&q=orch%5Flive_0123"
            })
    void a_key_in_the_address_is_refused_everywhere(String query) {
        String id = tasks.create("made");
        List<String> before = Storage.of(server).tasksOf(tasks.accountId());
        long accounts = server.database().value("select count(*) from account");
        var requests = new ArrayList<>(Requests.authenticated(id));
        requests.addAll(Requests.open());
        for (Requests request : requests) {
            for (var caller : List.of(tasks.api(), server.anonymous())) {
                Reply refused = request.with(caller, query);
                assertThat(refused.status()).as(request.name()).isEqualTo(400);
                assertThat(refused.error()).as(request.name()).isEqualTo("invalid_request");
            }
        }
        assertThat(Storage.of(server).tasksOf(tasks.accountId())).isEqualTo(before);
        assertThat(server.database().<Long>value("select count(*) from account"))
                .isEqualTo(accounts);
    }

    /// T-006: what only looks similar is no key.
    @ParameterizedTest
    @ValueSource(strings = {"keys=x", "tokens=x", "q=x_orch_live_", "my_token=x"})
    void other_parameters_are_not_taken_for_keys(String query) {
        assertThat(tasks.api().get("/v1/tasks?" + query).status()).isEqualTo(200);
    }

    /// T-008.
    @Test
    void each_registration_makes_one_account_with_one_key() {
        long accounts = server.database().value("select count(*) from account");
        long keys = server.database().value("select count(*) from api_key");
        UUID made = UUID.fromString(server.account().accountId());
        assertThat(server.database().<Long>value("select count(*) from account"))
                .isEqualTo(accounts + 1);
        assertThat(server.database().<Long>value("select count(*) from api_key"))
                .isEqualTo(keys + 1);
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from api_key where account_id = ?", made))
                .isEqualTo(1);
    }

    /// T-008.
    @ParameterizedTest
    @ValueSource(strings = {"", "01890000-0000-7000-8000-000000000000"})
    void a_key_without_an_account_cannot_be_stored(String account) {
        assertThatThrownBy(
                        () ->
                                server.database()
                                        .tryExecute(
                                                "update api_key set account_id = ? where account_id"
                                                        + " = ?",
                                                account.isEmpty() ? null : UUID.fromString(account),
                                                UUID.fromString(tasks.accountId())))
                .isInstanceOf(SQLException.class);
    }
}
