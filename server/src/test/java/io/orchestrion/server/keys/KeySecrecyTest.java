package io.orchestrion.server.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.tasks.CapturedLog;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/// One busy scenario with keys in every place, and then a search for them in every place.
class KeySecrecyTest {
    private static TestServer server;
    private static KeyTour tour;
    private static List<String> logged;
    private static List<String> driverLogged;

    @BeforeAll
    static void start() {
        server = new TestServer();
        try (var log = new CapturedLog()) {
            tour = new KeyTour(server);
            tour.run();
            logged = log.lines();
            driverLogged = log.driverLines();
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    /// A quarter of a secret is already too much.
    private static List<String> pieces(String key) {
        var pieces = new ArrayList<String>();
        for (int i = 10; i < key.length(); i += 16) {
            pieces.add(key.substring(i, i + 16));
        }
        pieces.add(KeyTour.encoded(key).substring(30, 78));
        return pieces;
    }

    private static Pieces allPieces() {
        return new Pieces(tour.secrets().stream().flatMap(key -> pieces(key).stream()).toList());
    }

    private static void holdsNoKey(String what, List<String> texts) {
        assertThat(allPieces().foundIn(texts)).as(what).isEmpty();
    }

    @Test
    void the_scenario_is_busy() {
        assertThat(tour.replies()).hasSizeGreaterThan(500);
        assertThat(tour.replies().stream().map(Reply::status).distinct())
                .contains(200, 201, 400, 401, 403, 404, 405, 409, 500);
        assertThat(tour.secrets()).hasSizeGreaterThan(10);
    }

    private static List<Reply> withKeys() {
        var keys = new Pieces(tour.secrets().stream().map(key -> key.substring(10)).toList());
        return tour.replies().stream().filter(reply -> keys.isIn(reply.text())).toList();
    }

    @Test
    void a_key_would_be_found() {
        List<String> made = withKeys().stream().map(Reply::text).toList();
        assertThat(made).hasSizeGreaterThan(5);
        assertThat(allPieces().foundIn(made)).isEqualTo(made);
        assertThat(allPieces().foundIn(List.of("a" + KeyTour.encoded(tour.secrets().getFirst()))))
                .hasSize(1);
    }

    /// T-003, L-019.
    @Test
    void only_the_answer_that_makes_a_key_ever_shows_it() {
        List<Reply> withKeys = withKeys();
        for (String key : tour.secrets()) {
            List<Reply> showing =
                    withKeys.stream()
                            .filter(reply -> reply.text().contains(key.substring(10)))
                            .toList();
            assertThat(showing).as("answers with the key %s", key).hasSizeLessThanOrEqualTo(1);
            showing.forEach(reply -> assertThat(reply.status()).isEqualTo(201));
        }
        holdsNoKey(
                "headers",
                tour.replies().stream().map(reply -> reply.headers().map().toString()).toList());
        holdsNoKey(
                "answers",
                tour.replies().stream()
                        .filter(reply -> reply.text("/apiKey").isEmpty())
                        .map(Reply::text)
                        .toList());
        holdsNoKey("answers to what is no request", tour.rawReplies());
    }

    /// T-004, S-24: not in a row of any table, the stored answers of idempotency keys included.
    @Test
    void the_database_holds_the_hashes_of_the_keys_and_the_keys_nowhere() throws Exception {
        List<String> dump = Storage.of(server).dump();
        for (String key : tour.secrets()) {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(key.getBytes(StandardCharsets.UTF_8));
            assertThat(dump).anyMatch(row -> row.contains(HexFormat.of().formatHex(hash)));
            String asBytes = HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8));
            assertThat(dump).noneMatch(row -> row.contains(asBytes));
        }
        assertThat(dump).anyMatch(row -> row.contains("idempotency") && row.contains("201"));
        holdsNoKey("tables", dump);
    }

    /// T-005, S-24, for log lines with their context; spans and metrics have tests of their own.
    @Test
    void no_key_is_ever_logged_at_any_level() {
        assertThat(String.join("\n", logged))
                .as("what was really looked at")
                .contains("POST /v1/tasks failed", "/v1/keys/register -> 201", "(hidden) -> 404")
                .contains("DELETE /v1/keys/{id} -> 200", "io.helidon");
        assertThat(driverLogged).anyMatch(line -> line.contains("insert into api_key"));
        holdsNoKey("log", logged);
        holdsNoKey("the driver's log", driverLogged);
    }

    @Test
    void no_thread_is_named_after_a_key() {
        holdsNoKey(
                "threads",
                Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList());
    }

    /// S-24: the whole key, wherever it would be stored, in whatever way it is written.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"%s\",\"payload\":{}}",
                "{\"type\":\"t\",\"payload\":{\"deep\":[{\"k\":\"Bearer %s\"}]}}",
                "{\"type\":\"t\",\"payload\":{\"%s\":1}}",
                "{\"type\":\"t\",\"payload\":{},\"idempotencyKey\":\"%s\"}",
                "{\"type\":\"t\",\"payload\":{\"k\":\"\\u006frch_live_%s\"}}"
            })
    void a_body_that_holds_a_key_is_refused_and_not_stored(String body) {
        boolean escaped = body.contains("u006f");
        String key = escaped ? tasks.key().substring(10) : tasks.key();
        Reply refused = tasks.api().post("/v1/tasks", body.formatted(key));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(refused.text("/message")).contains("must not hold an API key");
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isZero();
    }

    /// S-24.
    @Test
    void an_idempotency_key_that_is_an_api_key_is_refused() {
        Reply refused =
                tasks.api()
                        .with("Idempotency-Key", tasks.key())
                        .post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
        assertThat(refused.error()).isEqualTo("invalid_request");
    }

    /// What only looks like a key may be stored.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "orch_live_",
                "orch_live_{64 hex chars}",
                "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
            })
    void what_is_no_whole_key_is_no_reason_to_refuse(String text) {
        Reply made =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{\"text\":\"%s\"}}".formatted(text));
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/task/payload/text")).isEqualTo(text);
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
    @CsvSource({
        // no account at all, and one that there is not
        ", 23502",
        "01890000-0000-7000-8000-000000000000, 23503"
    })
    void a_key_without_an_account_cannot_be_stored(String account, String refusal) {
        assertThatThrownBy(
                        () ->
                                server.database()
                                        .tryExecute(
                                                "update api_key set account_id = ?::uuid where"
                                                        + " account_id = ?::uuid",
                                                account,
                                                tasks.accountId()))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(refusal));
    }
}
