package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.type.Types;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.types.TypeApi;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

class PriorityAgingTest {
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
    private final TypeApi types = TypeApi.of(tasks);

    /// The windows of an interval begin at its multiples: a test that needs one whole window starts
    /// at a beginning.
    private void toTheBeginningOfAWindow(Duration interval) {
        server.clock()
                .advance(Duration.ofMillis(interval.toMillis() - nowMs() % interval.toMillis()));
    }

    private static long nowMs() {
        long real =
                server.database()
                        .value("select (extract(epoch from clock_timestamp()) * 1000)::bigint");
        return real + server.clock().aheadMillis();
    }

    private static String scheduled(Duration ahead) {
        return "\"scheduledAt\":\"%s\"".formatted(Instant.ofEpochMilli(nowMs() + ahead.toMillis()));
    }

    private String claimed() {
        return tasks.claim("mail").text("/task/id");
    }

    /// How long a task of priority 0 waits while in each round a fresh one of priority 100 comes
    /// and one is claimed; null when it is never its turn.
    private Duration waited(Duration step, int rounds) {
        String low = tasks.create("mail", "\"priority\":0");
        long since = nowMs();
        for (int round = 0; round < rounds; round++) {
            tasks.create("mail", "\"priority\":100");
            if (claimed().equals(low)) {
                return Duration.ofMillis(nowMs() - since);
            }
            server.clock().advance(step);
        }
        return null;
    }

    /// L-004: each interval of waiting is worth one step, so a hundred of them are the most it can
    /// take, but for the round it is seen in. Two fresh tasks an interval arrive meanwhile.
    @Test
    void a_task_of_priority_0_is_claimed_within_a_hundred_intervals_under_endless_load() {
        types.register("mail", "{\"agingSeconds\":10}");
        assertThat(waited(Duration.ofSeconds(5), 300))
                .isGreaterThan(Duration.ofSeconds(98 * 10))
                .isLessThan(Duration.ofSeconds(101 * 10 + 5));
    }

    /// L-004: without aging it is never claimed while fresh ones come, which is why there is aging.
    @Test
    void without_aging_it_is_never_claimed() {
        types.register("mail", "{}");
        assertThat(waited(Duration.ofDays(1), 250)).isNull();
    }

    /// L-005: within one window the order is the literal one: priority, then scheduled_at with
    /// none first, then creation.
    @Test
    void tasks_of_one_window_are_claimed_in_the_literal_order() {
        types.register("mail", "{\"agingSeconds\":3600}");
        toTheBeginningOfAWindow(Duration.ofHours(1));
        String soon = scheduled(Duration.ofSeconds(60));
        String later = scheduled(Duration.ofSeconds(90));
        String fifth = tasks.create("mail", "\"priority\":1," + later);
        String fourth = tasks.create("mail", "\"priority\":1," + soon);
        String second = tasks.create("mail", "\"priority\":1");
        String third = tasks.create("mail", "\"priority\":1");
        String first = tasks.create("mail", "\"priority\":2," + later);
        String last = tasks.create("mail", "\"priority\":0");
        server.clock().advance(Duration.ofMinutes(2));
        var order = new ArrayList<String>();
        for (int i = 0; i < 6; i++) {
            order.add(claimed());
        }
        assertThat(order).containsExactly(first, second, third, fourth, fifth, last);
    }

    /// L-005: one window of waiting makes up for one step of priority, and then who came first
    /// goes first; two windows go before it.
    @Test
    void a_window_of_waiting_is_worth_one_step_of_priority() {
        types.register("mail", "{\"agingSeconds\":10}");
        toTheBeginningOfAWindow(Duration.ofSeconds(10));
        String old = tasks.create("mail", "\"priority\":3");
        server.clock().advance(Duration.ofSeconds(10));
        String equal = tasks.create("mail", "\"priority\":4");
        String higher = tasks.create("mail", "\"priority\":5");
        assertThat(List.of(claimed(), claimed(), claimed())).containsExactly(higher, old, equal);
    }

    /// A task counts as waiting from the time it was scheduled for.
    @Test
    void a_scheduled_task_does_not_age_before_its_time() {
        types.register("mail", "{\"agingSeconds\":1}");
        tasks.create("mail", "\"priority\":0," + scheduled(Duration.ofHours(1)));
        server.clock().advance(Duration.ofSeconds(3601));
        String fresh = tasks.create("mail", "\"priority\":50");
        assertThat(claimed()).isEqualTo(fresh);
    }

    private List<Map<String, Object>> rows() {
        return server.database()
                .rows(
                        "select id, xmin::text as xmin, ctid::text as ctid, rank, updated_ms from"
                                + " work where account_id = ? order by id",
                        UUID.fromString(tasks.accountId()));
    }

    /// L-005: the key is stored once; time changes which is first without a write.
    @Test
    void no_row_is_rewritten_as_time_passes() {
        types.register("mail", "{\"agingSeconds\":1}");
        for (int i = 0; i < 20; i++) {
            tasks.create("mail", "\"priority\":" + i);
        }
        List<Map<String, Object>> before = rows();
        for (int i = 0; i < 5; i++) {
            server.clock().advance(Duration.ofDays(1));
            for (String duty : List.of("due-promoter", "lease-reaper", "type-settler")) {
                server.kernel().kernel().sweepOnce(duty);
            }
        }
        assertThat(rows()).isEqualTo(before);
    }

    private long rank(String id) {
        return server.database().value("select rank from work where id = ?", UUID.fromString(id));
    }

    /// A failure does not send a task to the back of the line.
    @Test
    void a_retried_task_keeps_its_rank() {
        types.register("mail", "{\"agingSeconds\":1}");
        String id = tasks.create("mail");
        long before = rank(id);
        claimed();
        server.clock().advance(Duration.ofMinutes(1));
        assertThat(tasks.verb(id, "fail", "{\"retry_after_seconds\":1}").status()).isEqualTo(200);
        server.clock().advance(Duration.ofMinutes(5));
        tasks.create("mail", "\"priority\":100");
        assertThat(rank(id)).isEqualTo(before);
        assertThat(claimed()).isEqualTo(id);
    }

    private int settle() {
        return server.kernel().kernel().sweepOnce("type-settler");
    }

    /// Switching off must not leave those that came before below all that come after, nor must
    /// switching on put them above.
    @Test
    void when_the_interval_changes_what_waits_is_put_where_it_belongs() {
        String plain = tasks.create("mail", "\"priority\":5");
        types.register("mail", "{\"agingSeconds\":10}");
        String aging = tasks.create("mail", "\"priority\":5");
        assertThat(rank(aging) - rank(plain)).isBetween(-10L, 0L);
        assertThat(rank(plain)).isNegative();
        Reply off = types.register("mail", "{}");
        assertThat(off.at("/type/reranking").asBoolean()).isFalse();
        assertThat(rank(plain)).isEqualTo(5);
        assertThat(rank(aging)).isEqualTo(5);
        tasks.create("mail", "\"priority\":4");
        assertThat(List.of(claimed(), claimed())).containsExactly(plain, aging);
    }

    /// What a worker holds or has given up can come back: it is moved, too, by the sweeper.
    @Test
    void held_and_dead_tasks_are_put_where_they_belong() {
        types.register("mail", "{\"agingSeconds\":10}");
        String held = tasks.create("mail", "\"priority\":1");
        claimed();
        String dead = tasks.create("mail", "\"priority\":2,\"maxAttempts\":1");
        claimed();
        tasks.verb(dead, "fail");
        assertThat(tasks.status(dead)).isEqualTo("dead_letter");
        types.register("mail", "{}");
        settle();
        assertThat(rank(held)).isEqualTo(1);
        assertThat(rank(dead)).isEqualTo(2);
        tasks.verb(dead, "requeue");
        tasks.create("mail", "\"priority\":1");
        assertThat(claimed()).isEqualTo(dead);
    }

    /// An insert that did not see the change is found by a second look once it must be over.
    @Test
    void a_task_that_was_being_inserted_during_the_change_is_found_later() {
        types.register("mail", "{\"agingSeconds\":10}");
        String late = tasks.create("mail", "\"priority\":5");
        long old = rank(late);
        types.register("mail", "{}");
        while (settle() > 0) {}
        server.database().execute("update work set rank = %d where id = '%s'".formatted(old, late));
        while (settle() > 0) {}
        assertThat(rank(late)).isEqualTo(old);
        server.clock().advance(Duration.ofSeconds(61));
        while (settle() > 0) {}
        assertThat(rank(late)).isEqualTo(5);
        assertThat(settle()).isZero();
    }

    /// More than can be moved at once are moved in batches, and any node goes on from where the
    /// last one was.
    @Test
    void many_tasks_are_moved_in_batches_that_can_be_stopped_anywhere() throws SQLException {
        int many = Types.MOVED_AT_ONCE + 3000;
        server.database()
                .execute(
                        """
                        insert into work (account_id, id, profile, queue, kind, state, priority,
                            order_ms, attempt, max_attempts, retries, lease_seconds, lease_number,
                            cancel_requested, created_ms, updated_ms, event_seq, event_ms, rank, payload)
                        select '%s', gen_random_uuid(), 'tasks', 'tasks', 'mail', 'ready', n %% 7,
                            0, 0, 3, 0, 30, 0, false, 1000000 + n, 1, 1, 1, n %% 7, '{}'
                          from generate_series(1, %d) as n
                        """
                                .formatted(tasks.accountId(), many));
        String stale =
                "select count(*) from work where account_id = ? and rank <> priority - created_ms /"
                        + " 10000";
        UUID account = UUID.fromString(tasks.accountId());
        Reply changed = types.register("mail", "{\"agingSeconds\":10}");
        assertThat(changed.at("/type/reranking").asBoolean()).isTrue();
        assertThat((long) server.database().value(stale, account))
                .isEqualTo(many - Types.MOVED_AT_ONCE);
        // Another node does the rest, in the windows of one pass; one row is held up meanwhile.
        try (var other = server.kernel().anotherNode(options -> options);
                var connection = server.database().connect();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "select 1 from work where account_id = '%s' and rank = priority limit 1 for update"
                            .formatted(account));
            other.sweepOnce("type-settler");
            assertThat(types.get("mail").at("/type/reranking").asBoolean()).isTrue();
            connection.rollback();
            other.sweepOnce("type-settler");
        }
        assertThat((long) server.database().value(stale, account)).isZero();
        assertThat(types.get("mail").at("/type/reranking").asBoolean()).isFalse();
    }

    /// A deleted type's tasks are put back, and then nothing of it is left.
    @Test
    void deleting_a_type_with_aging_puts_its_tasks_back() {
        types.register("mail", "{\"agingSeconds\":10}");
        String id = tasks.create("mail", "\"priority\":3");
        types.delete("mail");
        assertThat(rank(id)).isEqualTo(3);
        while (settle() > 0) {}
        server.clock().advance(Duration.ofSeconds(61));
        while (settle() > 0) {}
        settle();
        assertThat(
                        (long)
                                server.database()
                                        .value(
                                                "select count(*) from work_type where account_id ="
                                                        + " ?",
                                                UUID.fromString(tasks.accountId())))
                .isZero();
    }

    /// Registered anew before its row is gone, it is a new type.
    @Test
    void a_deleted_type_can_be_registered_at_once() {
        types.register("mail", "{\"agingSeconds\":10,\"description\":\"old\"}");
        types.verb("mail", "pause");
        types.delete("mail");
        assertThat(tasks.api().get("/v1/types").at("/types").isEmpty()).isTrue();
        Reply made = types.put("mail", "{}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.at("/type/description").isNull()).isTrue();
        assertThat(made.at("/type/paused").asBoolean()).isFalse();
    }
}
