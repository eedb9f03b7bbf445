package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// How long ended tasks are kept, by plan.
class RetentionTest {
    private final TestServer server = new TestServer();

    @AfterEach
    void close() {
        server.close();
    }

    private String ended(TaskApi account, String how) {
        String id =
                account.api()
                        .with("Idempotency-Key", how)
                        .post(
                                "/v1/tasks",
                                "{\"type\":\"t\",\"payload\":{\"a\":1},\"maxAttempts\":1}")
                        .text("/task/id");
        if (how.equals("cancel")) {
            account.verb(id, "cancel");
        } else {
            account.verb(id, "claim");
            account.verb(id, how, how.equals("complete") ? "{\"result\":{\"b\":2}}" : "{}");
        }
        return id;
    }

    private void purge() {
        while (server.kernel().kernel().sweepOnce("purger") > 0) {
            // Until a pass finds nothing.
        }
    }

    /// T-211, T-212.
    @ParameterizedTest
    @CsvSource({"free, 7", "basic, 30", "pro, 60", "agency, 90"})
    void ended_tasks_are_kept_for_the_days_of_the_plan(String plan, int days) {
        TaskApi account = server.account(plan);
        List<String> ids =
                List.of(
                        ended(account, "complete"),
                        ended(account, "fail"),
                        ended(account, "cancel"));
        server.clock().advance(Duration.ofDays(days - 1));
        purge();
        for (String id : ids) {
            assertThat(account.get(id).status()).isEqualTo(200);
        }
        server.clock().advance(Duration.ofDays(1).plusSeconds(1));
        purge();
        for (String id : ids) {
            assertThat(account.get(id).error()).isEqualTo("task_not_found");
        }
    }

    /// T-213.
    @Test
    void open_tasks_are_kept_however_old() {
        TaskApi account = server.account("free");
        String pending = account.create("t");
        String claimed = account.create("t");
        account.verb(claimed, "claim");
        server.clock().advance(Duration.ofDays(400));
        purge();
        assertThat(account.status(pending)).isEqualTo("pending");
        assertThat(account.get(claimed).status()).isEqualTo(200);
    }

    /// T-214.
    @Test
    void what_ended_under_a_longer_plan_stays_when_the_plan_ends() {
        TaskApi account = server.account("free");
        paid(account, "agency", 0, 10);
        String id = ended(account, "complete");
        server.clock().advance(Duration.ofDays(80));
        purge();
        assertThat(account.get(id).status()).isEqualTo(200);
        server.clock().advance(Duration.ofDays(11));
        purge();
        assertThat(account.get(id).status()).isEqualTo(404);
    }

    /// T-214: and a longer plan, bought later, keeps what is still there.
    @Test
    void a_longer_plan_bought_later_keeps_what_is_still_there() {
        TaskApi account = server.account("free");
        String id = ended(account, "complete");
        paid(account, "basic", 5, 35);
        server.clock().advance(Duration.ofDays(20));
        purge();
        assertThat(account.get(id).status()).isEqualTo(200);
        server.clock().advance(Duration.ofDays(11));
        purge();
        assertThat(account.get(id).status()).isEqualTo(404);
    }

    private void paid(TaskApi account, String plan, int fromDay, int untilDay) {
        new Counters(server)
                .paid(account, plan, Duration.ofDays(fromDay), Duration.ofDays(untilDay));
    }

    /// T-215: the stored answer, too, however long its own time is.
    @Test
    void all_that_hangs_on_a_task_goes_with_it() {
        TaskApi account = server.account("free");
        String id = ended(account, "complete");
        assertThat(rows(account, "work")).isEqualTo(1);
        assertThat(rows(account, "work_event")).isEqualTo(3);
        assertThat(rows(account, "idempotency")).isEqualTo(1);
        server.database().execute("update idempotency set expires_ms = expires_ms * 2");
        server.clock().advance(Duration.ofDays(8));
        purge();
        assertThat(rowsOf(account)).isZero();
        Reply anew =
                account.api()
                        .with("Idempotency-Key", "complete")
                        .post("/v1/tasks", "{\"type\":\"other\",\"payload\":{}}");
        assertThat(anew.status()).isEqualTo(201);
        assertThat(anew.text("/task/id")).isNotEqualTo(id);
    }

    private long rowsOf(TaskApi account) {
        return Stream.of("work", "work_event", "idempotency")
                .mapToLong(table -> rows(account, table))
                .sum();
    }

    private long rows(TaskApi account, String table) {
        return server.database()
                .value(
                        "select count(*) from " + table + " where account_id = ?::uuid",
                        account.accountId());
    }

    /// T-211: in batches that are bounded, until nothing is left.
    @Test
    void a_crowd_is_purged_in_bounded_batches() {
        TaskApi account = server.account("free");
        crowd(account, 1);
        int first = server.kernel().kernel().sweepOnce("purger");
        assertThat(first).isBetween(1, 600);
        purge();
        assertThat(new Stored(server).tasksOf(account.accountId())).isZero();
    }

    /// Twelve hundred tasks that ended at that moment and were to go at the next.
    private void crowd(TaskApi account, long endedMs) {
        server.database()
                .execute(
                        "insert into work (account_id, id, profile, queue, kind, state, priority,"
                            + " order_ms, attempt, max_attempts, retries, lease_seconds,"
                            + " lease_number, cancel_requested, created_ms, updated_ms, event_seq,"
                            + " event_ms, payload) select ?, gen_random_uuid(), 'tasks', 'tasks',"
                            + " 't', 'ready', 0, 0, 0, 1, 0, 30, 0, false, 0, 0, 1, 0, '{}' from"
                            + " generate_series(1, 1200)",
                        UUID.fromString(account.accountId()));
        server.database()
                .execute(
                        "update work set state = 'cancelled', finished_ms = ?, purge_after_ms = ?,"
                                + " updated_ms = 1, event_seq = 2, event_ms = 1",
                        endedMs,
                        endedMs + 1);
    }

    /// T-214: also those that one batch has no room for.
    @Test
    void a_longer_plan_keeps_a_crowd_whole() {
        TaskApi account = server.account("free");
        crowd(account, new Stored(server).nowMs());
        paid(account, "basic", 0, 30);
        server.clock().advance(Duration.ofDays(8));
        purge();
        assertThat(new Stored(server).tasksOf(account.accountId())).isEqualTo(1200);
        server.clock().advance(Duration.ofDays(23));
        purge();
        assertThat(new Stored(server).tasksOf(account.accountId())).isZero();
    }
}
