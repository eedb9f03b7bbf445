package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// Tasks of which there may be one at a time.
class UniqueTest {
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

    private static String body(String unique) {
        return "{\"type\":\"t\",\"payload\":{},\"maxAttempts\":1,\"unique\":{%s}}"
                .formatted(unique);
    }

    private Reply create(String unique) {
        return create(tasks.api(), unique);
    }

    private static Reply create(Api api, String unique) {
        return api.post("/v1/tasks", body(unique));
    }

    private String made(String unique) {
        Reply reply = create(unique);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/task/id");
    }

    private void bring(String id, TaskStatus status) {
        switch (status) {
            case PENDING -> {}
            case CLAIMED -> tasks.verb(id, "claim");
            case COMPLETED -> {
                tasks.verb(id, "claim");
                tasks.verb(id, "complete");
            }
            case DEAD_LETTER -> {
                tasks.verb(id, "claim");
                tasks.verb(id, "fail");
            }
            case CANCELLED -> tasks.verb(id, "cancel");
        }
    }

    private long count() {
        return new Stored(server).tasksOf(tasks.accountId());
    }

    @Test
    void the_second_of_a_key_is_refused_and_told_of_the_first() {
        String first = made("\"key\":\"k\"");
        assertThat(tasks.get(first).text("/task/uniqueKey")).isEqualTo("k");
        Reply refused = create("\"key\":\"k\"");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("unique_conflict");
        assertThat(refused.text("/message")).contains(first, "pending");
        assertThat(refused.at("/agent_contract/retryable").asBoolean()).isFalse();
        assertThat(refused.text("/agent_contract/next_actions/0/action"))
                .isEqualTo("check_task_status");
        assertThat(refused.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo("/v1/tasks/" + first);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void another_key_another_type_and_another_account_are_not_in_the_way() {
        made("\"key\":\"k\"");
        made("\"key\":\"K\"");
        tasks.create("other", "\"unique\":{\"key\":\"k\"}");
        assertThat(create(server.account().api(), "\"key\":\"k\"").status()).isEqualTo(201);
    }

    /// The default is what is open.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void only_an_earlier_one_in_the_named_states_is_in_the_way(TaskStatus status) {
        boolean open = status == TaskStatus.PENDING || status == TaskStatus.CLAIMED;
        bring(made("\"key\":\"default\""), status);
        assertThat(create("\"key\":\"default\"").status()).isEqualTo(open ? 409 : 201);

        bring(made("\"key\":\"named\""), status);
        String these = "\"key\":\"named\",\"states\":[\"" + status.word() + "\"]";
        assertThat(create(these).status()).isEqualTo(409);

        String others =
                TaskStatus.WORDS.stream()
                        .filter(word -> !word.equals(status.word()))
                        .map(word -> "\"" + word + "\"")
                        .reduce((a, b) -> a + "," + b)
                        .orElseThrow();
        assertThat(create("\"key\":\"named\",\"states\":[" + others + "]").status()).isEqualTo(201);
    }

    @Test
    void after_its_period_an_earlier_one_is_no_longer_in_the_way() {
        String hour = "\"key\":\"k\",\"periodSeconds\":3600,\"states\":[\"pending\",\"completed\"]";
        String first = made(hour);
        server.clock().advance(Duration.ofSeconds(3590));
        assertThat(create(hour).text("/message")).contains(first);
        server.clock().advance(Duration.ofSeconds(11));
        String second = made(hour);
        assertThat(create(hour).text("/message")).contains(second);
    }

    @Test
    void the_existing_one_is_given_back_where_that_is_asked_for() {
        String unique = "\"key\":\"k\",\"onConflict\":\"return_existing\"";
        String first = made(unique);
        Reply again = create(unique);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("/task/id")).isEqualTo(first);
        assertThat(again.at("/existing").asBoolean()).isTrue();
        assertThat(again.header("Location")).isEqualTo("/v1/tasks/" + first);
        assertThat(tasks.get(first).at("/task")).isEqualTo(again.at("/task"));
        assertThat(count()).isEqualTo(1);
        tasks.verb(first, "claim");
        assertThat(create(unique).text("/task/status")).isEqualTo("claimed");
    }

    /// What was there already is not counted, and is given also when the month is used up.
    @Test
    void an_existing_one_is_not_counted_against_the_quota() {
        TaskApi free = server.account("free");
        var counters = new Counters(server);
        counters.monthOf(free, 199);
        String unique = "\"key\":\"k\",\"onConflict\":\"return_existing\"";
        String first = create(free.api(), unique).text("/task/id");
        assertThat(counters.monthOf(free)).isEqualTo(200);
        Reply again = create(free.api(), unique);
        assertThat(again.text("/task/id")).isEqualTo(first);
        assertThat(counters.monthOf(free)).isEqualTo(200);
        assertThat(create(free.api(), "\"key\":\"other\"").error()).isEqualTo("quota_exceeded");
        assertThat(create(free.api(), "\"key\":\"k\",\"onConflict\":\"replace_pending\"").error())
                .isEqualTo("quota_exceeded");
        assertThat(free.status(first)).isEqualTo("pending");
        assertThat(uniqueRows(free)).isEqualTo(1);
    }

    private static long uniqueRows(TaskApi of) {
        return server.database()
                .value(
                        "select count(*) from work_unique where account_id = ?::uuid",
                        of.accountId());
    }

    @Test
    void a_pending_one_is_replaced_and_a_claimed_one_is_not() {
        String unique = "\"key\":\"k\",\"onConflict\":\"replace_pending\"";
        String first = made(unique);
        String second = made(unique);
        assertThat(tasks.status(first)).isEqualTo("cancelled");
        assertThat(tasks.get(first).text("/task/lastFailureReason"))
                .isEqualTo("replaced by " + second);
        String detail =
                server.database()
                        .value(
                                "select detail from work_event where work_id = ?::uuid and event ="
                                        + " 'cancel'",
                                first);
        assertThat(detail).isEqualTo("replaced by " + second);
        tasks.verb(second, "claim");
        Reply refused = create(unique);
        assertThat(refused.error()).isEqualTo("unique_conflict");
        assertThat(refused.text("/message")).contains(second, "claimed");
    }

    /// The key of the request comes first: what it answered once it answers again.
    @Test
    void a_create_with_both_kinds_of_key_answers_again_as_it_did() {
        var keyed = tasks.api().with("Idempotency-Key", "i");
        Reply made = create(keyed, "\"key\":\"k\"");
        assertThat(made.status()).isEqualTo(201);
        Reply again = create(keyed, "\"key\":\"k\"");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(made.text());

        var other = tasks.api().with("Idempotency-Key", "j");
        assertThat(create(other, "\"key\":\"k\"").error()).isEqualTo("unique_conflict");
        bring(made.text("/task/id"), TaskStatus.CANCELLED);
        assertThat(create(other, "\"key\":\"k\"").status()).isEqualTo(201);

        String unique = "\"key\":\"k\",\"onConflict\":\"return_existing\"";
        var third = tasks.api().with("Idempotency-Key", "l");
        Reply existing = create(third, unique);
        assertThat(existing.status()).isEqualTo(200);
        tasks.verb(existing.text("/task/id"), "claim");
        Reply replayed = create(third, unique);
        assertThat(replayed.status()).isEqualTo(200);
        assertThat(replayed.text()).isEqualTo(existing.text());
        assertThat(replayed.header("Idempotency-Replayed")).isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                       | unique.key is required
                    "k"                                      | unique must be a JSON object
                    {"key":""}                               | unique.key must be 1 to 200
                    {"key":"{long}"}                         | unique.key must be 1 to 200
                    {"key":"\\u0007"}                        | unique.key must hold only printable
                    {"key":"k","states":[]}                  | unique.states
                    {"key":"k","states":["gone"]}            | unique.states[0] must be one of
                    {"key":"k","states":["pending","pending"]} | unique.states
                    {"key":"k","periodSeconds":0}            | unique.periodSeconds
                    {"key":"k","periodSeconds":31536001}     | unique.periodSeconds
                    {"key":"k","onConflict":"explode"}       | reject, return_existing, replace_pending
                    {"key":"k","other":1}                    | unique.other is not a known field
                    """)
    void bad_terms_are_refused(String unique, String message) {
        Reply refused =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{},\"unique\":%s}"
                                        .formatted(unique.replace("{long}", "k".repeat(201))));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text("/message")).contains(message);
        assertThat(count()).isZero();
    }

    /// Fifty at once on two nodes, some of them in one batch: as if one after the other.
    @ParameterizedTest
    @ValueSource(strings = {"reject", "return_existing", "replace_pending"})
    void of_many_at_once_exactly_one_is_left(String rule) {
        var kernel = server.kernel().anotherNode(options -> options);
        try (var other = OrchestrionServer.start(kernel, TestServer.options())) {
            List<Api> nodes =
                    List.of(
                            tasks.api(),
                            Api.on(other.port(), ResponseCheck.NONE).withKey(tasks.key()));
            for (int round = 0; round < 5; round++) {
                String unique = "\"key\":\"k%d\",\"onConflict\":\"%s\"".formatted(round, rule);
                String sibling = "\"key\":\"s%d\",\"onConflict\":\"%s\"".formatted(round, rule);
                List<Reply> replies =
                        Parallel.run(
                                50,
                                i -> () -> create(nodes.get(i % 2), i % 5 == 0 ? sibling : unique));
                long created = replies.stream().filter(r -> r.status() == 201).count();
                String expected = rule.equals("return_existing") ? "200" : "409";
                if (rule.equals("replace_pending")) {
                    assertThat(created).isEqualTo(50);
                } else {
                    assertThat(created).isEqualTo(2);
                    assertThat(replies)
                            .filteredOn(r -> r.status() != 201)
                            .allMatch(r -> String.valueOf(r.status()).equals(expected));
                    List<String> ids =
                            IntStream.range(0, 50)
                                    .filter(i -> i % 5 != 0)
                                    .mapToObj(replies::get)
                                    .filter(r -> r.status() < 300)
                                    .map(r -> r.text("/task/id"))
                                    .distinct()
                                    .toList();
                    assertThat(ids).hasSize(1);
                }
                long open =
                        server.database()
                                .value(
                                        "select count(*) from work where account_id = ?::uuid and"
                                                + " state = 'ready' and unique_key in (?, ?)",
                                        tasks.accountId(),
                                        "k" + round,
                                        "s" + round);
                assertThat(open).isEqualTo(2);
            }
        }
    }

    /// With their task, and only where they still point to it.
    @Test
    void keys_are_purged_with_their_tasks() {
        TaskApi free = server.account("free");
        String gone = create(free.api(), "\"key\":\"gone\"").text("/task/id");
        String first = create(free.api(), "\"key\":\"kept\"").text("/task/id");
        free.verb(gone, "cancel");
        free.verb(first, "cancel");
        create(free.api(), "\"key\":\"kept\"");
        assertThat(uniqueRows(free)).isEqualTo(2);
        server.clock().advance(Duration.ofDays(8));
        while (server.kernel().kernel().sweepOnce("purger") > 0) {
            // Until a pass finds nothing.
        }
        assertThat(free.get(first).status()).isEqualTo(404);
        assertThat(uniqueRows(free)).isEqualTo(1);
        assertThat(create(free.api(), "\"key\":\"kept\"").error()).isEqualTo("unique_conflict");
    }

    /// What was refused for another reason leaves no key behind.
    @Test
    void a_key_is_free_after_its_create_was_refused() {
        Reply refused =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{},\"unique\":{\"key\":\"k\"},"
                                        + "\"dependsOn\":[\""
                                        + Requests.NO_TASK
                                        + "\"]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(uniqueRows(tasks)).isZero();
        made("\"key\":\"k\"");
    }
}
