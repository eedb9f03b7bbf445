package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

class ClaimOrderTest {
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

    private String priority(int priority) {
        return tasks.create("queue", "\"priority\":" + priority);
    }

    private String scheduled(int priority, long atMs) {
        return tasks.create(
                "queue",
                "\"priority\":%d,\"scheduledAt\":\"%s\""
                        .formatted(priority, Instant.ofEpochMilli(atMs)));
    }

    /// The ids in the order in which they are handed out.
    private List<String> claimAll() {
        var ids = new ArrayList<String>();
        for (Reply next = tasks.claim("queue");
                !next.at("/task").isNull();
                next = tasks.claim("queue")) {
            ids.add(next.text("/task/id"));
        }
        return ids;
    }

    private static void seconds(long seconds) {
        server.clock().advance(Duration.ofSeconds(seconds));
    }

    /// T-146.
    @Test
    void the_highest_priority_is_claimed_first() {
        String low = priority(0);
        String high = priority(100);
        String middle = priority(50);
        assertThat(claimAll()).containsExactly(high, middle, low);
    }

    /// T-146: priority comes before schedule and creation.
    @Test
    void priority_comes_before_everything_else() {
        String old = priority(1);
        String due = scheduled(2, stored.nowMs() + 2000);
        seconds(3);
        assertThat(claimAll()).containsExactly(due, old);
    }

    /// T-147.
    @Test
    void an_unscheduled_task_comes_before_one_whose_time_has_passed() {
        String due = scheduled(5, stored.nowMs() + 2000);
        seconds(3);
        String unscheduled = priority(5);
        assertThat(claimAll()).containsExactly(unscheduled, due);
    }

    /// T-148.
    @Test
    void of_two_times_that_have_passed_the_earlier_is_claimed_first() {
        long now = stored.nowMs();
        String later = scheduled(5, now + 4000);
        String earlier = scheduled(5, now + 2000);
        seconds(5);
        assertThat(claimAll()).containsExactly(earlier, later);
    }

    /// T-149.
    @Test
    void of_equals_the_oldest_is_claimed_first() {
        var created = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
            created.add(priority(5));
        }
        assertThat(claimAll()).containsExactlyElementsOf(created);
    }

    /// T-149: with the same schedule.
    @Test
    void of_equal_schedules_the_oldest_is_claimed_first() {
        long at = stored.nowMs() + 2000;
        var created = new ArrayList<String>();
        for (int i = 0; i < 10; i++) {
            created.add(scheduled(5, at));
        }
        seconds(3);
        assertThat(claimAll()).containsExactlyElementsOf(created);
    }

    private record Made(String id, int priority, long at, int number) {}

    /// T-146, T-147, T-148, T-149: all of it at once.
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void the_whole_order_holds_for_any_mix(long seed) {
        var random = new Random(seed);
        long now = stored.nowMs();
        var made = new ArrayList<Made>();
        for (int i = 0; i < 40; i++) {
            int priority = random.nextInt(3) * 50;
            long at = random.nextBoolean() ? 0 : now + 10_000 + random.nextInt(4) * 1000L;
            String id = at == 0 ? priority(priority) : scheduled(priority, at);
            made.add(new Made(id, priority, at, i));
        }
        seconds(20);
        made.sort(
                Comparator.comparing(Made::priority, Collections.reverseOrder())
                        .thenComparing(Made::at)
                        .thenComparing(Made::number));
        assertThat(claimAll()).containsExactlyElementsOf(made.stream().map(Made::id).toList());
    }

    /// T-150.
    @Test
    void a_task_whose_time_is_ahead_is_never_handed_out() {
        String ahead = scheduled(100, stored.nowMs() + 60_000);
        String ready = priority(0);
        assertThat(claimAll()).containsExactly(ready);
        seconds(58);
        assertThat(claimAll()).isEmpty();
        seconds(3);
        assertThat(claimAll()).containsExactly(ahead);
    }

    /// T-151: a claim that waited would run into its lock timeout and fail.
    @Test
    void a_task_that_somebody_has_locked_is_passed_over() throws Exception {
        String first = priority(9);
        String second = priority(1);
        try (Connection other = server.database().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select 1 from work where id = '" + first + "' for update");
            assertThat(tasks.claim("queue").text("/task/id")).isEqualTo(second);
            assertThat(tasks.claim("queue").at("/task").isNull()).isTrue();
            other.rollback();
        }
        assertThat(tasks.claim("queue").text("/task/id")).isEqualTo(first);
    }

    /// T-151: the same for a task that has become due and that nobody made ready yet.
    @Test
    void a_due_task_that_somebody_has_locked_is_passed_over() throws Exception {
        long now = stored.nowMs();
        String first = scheduled(9, now + 1000);
        String second = scheduled(1, now + 1000);
        seconds(2);
        try (Connection other = server.database().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("select 1 from work where id = '" + first + "' for update");
            assertThat(tasks.claim("queue").text("/task/id")).isEqualTo(second);
            other.rollback();
        }
        assertThat(tasks.claim("queue").text("/task/id")).isEqualTo(first);
    }

    /// T-153.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":null}",
                "{\"type\":\"\"}",
                "{\"type\":\"a b\"}",
                "{\"type\":7}",
                "{\"type\":[\"queue\"]}",
                "[]"
            })
    void a_claim_needs_a_type(String body) {
        String id = priority(0);
        Reply refused = tasks.api().post("/v1/tasks/claim", body);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.error()).isEqualTo("invalid_request");
        assertThat(tasks.api().post("/v1/tasks/claim").status()).isEqualTo(400);
        assertThat(tasks.status(id)).isEqualTo("pending");
    }

    /// T-154.
    @Test
    void a_claim_hands_out_the_type_it_asked_for_only() {
        tasks.create("other", "\"priority\":100");
        tasks.create("QUEUE", "\"priority\":100");
        String wanted = priority(0);
        assertThat(claimAll()).containsExactly(wanted);
    }

    @Test
    void a_claim_hands_out_tasks_of_its_own_account_only() {
        server.account().create("queue");
        assertThat(claimAll()).isEmpty();
    }

    /// T-155.
    @Test
    void with_nothing_to_hand_out_a_claim_says_so() {
        Reply nothing = tasks.claim("queue");
        assertThat(nothing.status()).isEqualTo(200);
        assertThat(nothing.at("/task").isNull()).isTrue();
        assertThat(nothing.at("/agent_contract/task_claimable").isBoolean()).isTrue();
        assertThat(nothing.at("/agent_contract/task_claimable").asBoolean()).isFalse();
    }
}
