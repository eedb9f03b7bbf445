package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A worker that did not hear the answer says the same again.
class RepeatedVerbTest {
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
    private final Stored stored = new Stored(server);

    private record Held(String id, String token) {
        String body(String fields) {
            return "{\"leaseToken\":\""
                    + token
                    + "\""
                    + (fields.isEmpty() ? "" : "," + fields)
                    + "}";
        }
    }

    private Held claimed(String fields) {
        tasks.create("work", "\"leaseDurationSeconds\":60" + fields);
        Reply claim = tasks.claim("work");
        return new Held(claim.text("/task/id"), claim.text("/leaseToken"));
    }

    private static void isFirstAgain(Reply first, Reply again) {
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    }

    /// L-018.
    @Test
    void a_completion_said_again_has_the_first_answer_and_one_effect() {
        Held held = claimed("");
        String body = held.body("\"result\":{\"a\":1,\"b\":[2]},\"outputId\":\"o\"");
        Reply first = tasks.verb(held.id, "complete", body);
        var row = stored.row(held.id);
        var history = stored.history(held.id);
        server.clock().advance(Duration.ofMinutes(10));
        isFirstAgain(first, tasks.verb(held.id, "complete", body));
        assertThat(stored.row(held.id)).isEqualTo(row);
        assertThat(stored.history(held.id)).isEqualTo(history);
    }

    /// L-018: what counts is what the body says, not how it is laid out.
    @Test
    void the_same_body_in_another_layout_is_the_same() {
        Held held = claimed("");
        tasks.verb(
                held.id, "complete", held.body("\"result\":{\"a\":1,\"b\":2},\"outputId\":\"o\""));
        Reply again =
                tasks.verb(
                        held.id,
                        "complete",
                        held.body("\"output_id\":\"o\", \"result\":{ \"b\":2.0, \"a\":1 }"));
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    }

    /// L-018: other words, or the other verb, with the same token are refused as ever.
    @Test
    void something_else_with_the_same_token_is_refused() {
        Held done = claimed("");
        tasks.verb(done.id, "complete", done.body("\"result\":{\"a\":1}"));
        Reply other = tasks.verb(done.id, "complete", done.body("\"result\":{\"a\":2}"));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.error()).isEqualTo("invalid_transition");
        assertThat(tasks.verb(done.id, "fail", done.body("")).status()).isEqualTo(409);
        assertThat(tasks.get(done.id).number("/task/result/a")).isEqualTo(1);

        Held failed = claimed("");
        tasks.verb(failed.id, "fail", failed.body("\"reason\":\"x\""));
        assertThat(tasks.verb(failed.id, "fail", failed.body("\"reason\":\"y\"")).error())
                .isEqualTo("lease_expired");
        assertThat(tasks.verb(failed.id, "complete", failed.body("")).error())
                .isEqualTo("lease_expired");
    }

    /// L-018: without a token nobody can tell two workers from one.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "fail"})
    void without_a_token_the_second_is_refused_as_ever(String verb) {
        Held held = claimed(",\"maxAttempts\":1");
        assertThat(tasks.verb(held.id, verb, "{}").status()).isEqualTo(200);
        assertThat(tasks.verb(held.id, verb, "{}").error()).isEqualTo("invalid_transition");
        assertThat(tasks.verb(held.id, verb, held.body("")).error())
                .isEqualTo("invalid_transition");
    }

    /// L-018: the item goes on after a failure; the first answer stays what it was.
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "claimed", "completed", "failed", "cancelled", "delayed"})
    void a_failure_said_again_has_the_first_answer_whatever_came_after(String after) {
        Held held = claimed("");
        String delay = after.equals("delayed") ? ",\"retry_after_seconds\":600" : "";
        String body = held.body("\"lastFailureReason\":\"no\"" + delay);
        Reply first = tasks.verb(held.id, "fail", body);
        assertThat(first.text("/task/status")).isEqualTo("pending");
        switch (after) {
            case "claimed" -> tasks.verb(held.id, "claim");
            case "completed" -> {
                tasks.verb(held.id, "claim");
                tasks.verb(held.id, "complete");
            }
            case "failed" -> {
                Held next = new Held(held.id, tasks.claim("work").text("/leaseToken"));
                Reply second =
                        tasks.verb(next.id, "fail", next.body("\"lastFailureReason\":\"no\""));
                isFirstAgain(
                        second,
                        tasks.verb(next.id, "fail", next.body("\"lastFailureReason\":\"no\"")));
            }
            case "cancelled" -> tasks.verb(held.id, "cancel");
            default -> {}
        }
        server.clock().advance(Duration.ofSeconds(5));
        var row = stored.row(held.id);
        var history = stored.history(held.id);
        isFirstAgain(first, tasks.verb(held.id, "fail", body));
        assertThat(stored.row(held.id)).isEqualTo(row);
        assertThat(stored.history(held.id)).isEqualTo(history);
    }

    /// L-018.
    @Test
    void a_failure_said_again_after_a_requeue_has_the_first_answer() {
        Held held = claimed(",\"maxAttempts\":1");
        String body = held.body("\"reason\":\"no\"");
        Reply first = tasks.verb(held.id, "fail", body);
        assertThat(first.text("/task/status")).isEqualTo("dead_letter");
        assertThat(tasks.verb(held.id, "requeue").status()).isEqualTo(200);
        isFirstAgain(first, tasks.verb(held.id, "fail", body));
        assertThat(tasks.status(held.id)).isEqualTo("pending");
    }

    private interface OnNode {
        void run(TaskApi there);
    }

    /// A node that knows nothing but the database: another one, or this one after a restart.
    private void onAnotherNode(OnNode body) {
        try (Kernel node = server.kernel().anotherNode(options -> options);
                OrchestrionServer other = OrchestrionServer.start(node, TestServer.options())) {
            Api api = Api.on(other.port(), new CatalogueCheck()).withKey(tasks.key());
            body.run(new TaskApi(api, tasks.key(), tasks.accountId()));
        }
    }

    /// L-018: nothing of it is in a node's memory.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "fail"})
    void a_node_that_knows_only_the_database_gives_the_first_answer(String verb) {
        Held held = claimed("");
        Reply first = tasks.verb(held.id, verb, held.body(""));
        onAnotherNode(there -> isFirstAgain(first, there.verb(held.id, verb, held.body(""))));
    }

    /// L-018: twins have one effect, on one node or two.
    @ParameterizedTest
    @CsvSource({"complete, succeeded", "fail, ready"})
    void twins_at_the_same_moment_have_the_same_answer_and_one_effect(String verb, String to) {
        onAnotherNode(
                there -> {
                    for (int round = 0; round < 10; round++) {
                        Held held = claimed("");
                        List<Reply> replies =
                                Parallel.run(
                                        6,
                                        i ->
                                                () ->
                                                        (i % 2 == 0 ? tasks : there)
                                                                .verb(
                                                                        held.id,
                                                                        verb,
                                                                        held.body("")));
                        assertThat(replies).extracting(Reply::status).containsOnly(200);
                        assertThat(replies)
                                .extracting(Reply::text)
                                .containsOnly(replies.getFirst().text());
                        assertThat(replies)
                                .filteredOn(reply -> reply.header("Idempotency-Replayed").isEmpty())
                                .hasSize(1);
                        assertThat(stored.story(held.id))
                                .endsWith(verb + " running " + to)
                                .hasSize(3);
                        tasks.verb(held.id, "cancel");
                    }
                });
    }

    /// L-017: whoever lost its lease cannot speak for the next one, not even to end it.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "fail", "heartbeat"})
    void a_stale_token_is_refused(String verb) {
        Held stale = claimed("");
        server.clock().advance(Duration.ofSeconds(61));
        server.sweepLeases();
        Reply next = tasks.claim("work");
        var row = stored.row(stale.id);
        for (int i = 0; i < 2; i++) {
            Reply refused = tasks.verb(stale.id, verb, stale.body(""));
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.error()).isEqualTo("lease_expired");
        }
        assertThat(stored.row(stale.id)).isEqualTo(row);
        Held current = new Held(stale.id, next.text("/leaseToken"));
        assertThat(tasks.verb(stale.id, verb, current.body("")).status()).isEqualTo(200);
        if (!verb.equals("heartbeat")) {
            assertThat(tasks.verb(stale.id, verb, stale.body("")).status()).isEqualTo(409);
        }
    }

    /// L-018: a heartbeat only moves the end of the lease, so it may come as often as it likes.
    @Test
    void a_heartbeat_said_again_is_another_heartbeat() {
        Held held = claimed("");
        var history = stored.history(held.id);
        for (int i = 0; i < 3; i++) {
            assertThat(tasks.verb(held.id, "heartbeat", held.body("")).status()).isEqualTo(200);
        }
        assertThat(stored.history(held.id)).isEqualTo(history);
        assertThat(tasks.verb(held.id, "complete", held.body("")).status()).isEqualTo(200);
    }

    @Test
    void another_account_learns_nothing_from_a_token() {
        Held held = claimed("");
        tasks.verb(held.id, "complete", held.body(""));
        Reply stranger = server.account().verb(held.id, "complete", held.body(""));
        assertThat(stranger.error()).isEqualTo("task_not_found");
    }

    @Test
    void what_was_kept_of_a_failure_goes_with_the_task() {
        Held held = claimed(",\"maxAttempts\":1");
        tasks.verb(held.id, "fail", held.body(""));
        assertThat(receipts(held.id)).isEqualTo(1);
        server.clock().advance(Duration.ofDays(100));
        server.kernel().kernel().sweepOnce("purger");
        assertThat(receipts(held.id)).isZero();
        assertThat(tasks.verb(held.id, "fail", held.body("")).error()).isEqualTo("task_not_found");
    }

    private long receipts(String id) {
        return server.database()
                .value("select count(*) from work_receipt where work_id = ?", UUID.fromString(id));
    }
}
