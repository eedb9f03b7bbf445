package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// No duty belongs to one process: three do all of it together without doing anything twice, and
/// any one that is left does all of it alone.
class ThreeServersTest {
    private static final int TASKS = 60;
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(30);
    private static final String NOW = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

    @TempDir Path oneData;
    @TempDir Path otherData;
    @TempDir Path thirdData;

    /// L-015, L-016.
    @Test
    void expiry_schedule_and_retention_are_seen_to_once_by_three_and_go_on_with_any_one() {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData);
                var third = ServerProcess.startOn(database.options(), thirdData)) {
            Api api = third.api();
            holdMany(api);
            lapseAll(database);
            awaitAllExpired(database, 1);

            one.kill();
            other.kill();
            holdMany(api);
            lapseAll(database);
            awaitAllExpired(database, 2);
            assertThat(
                            count(
                                    database,
                                    "select count(*) from (select 1 from work_event"
                                            + " where event = 'expire' group by work_id, attempt"
                                            + " having count(*) > 1) twice"))
                    .as("leases that were ended twice")
                    .isZero();

            dueAndForgotten(api, database);
        }
    }

    private static void holdMany(Api api) {
        Parallel.run(
                TASKS,
                _ ->
                        () ->
                                api.post(
                                        "/v1/tasks",
                                        "{\"type\":\"t\",\"payload\":{},\"maxAttempts\":10}"));
        List<Reply> claims =
                Parallel.run(TASKS, _ -> () -> api.post("/v1/tasks/claim", "{\"type\":\"t\"}"));
        assertThat(claims).allMatch(reply -> !reply.text("/task/id").isEmpty());
    }

    private static long count(TestDatabase database, String sql) {
        long count = database.value(sql);
        return count;
    }

    /// Nobody can wait half a minute for each lease, so their time is moved instead.
    private static void lapseAll(TestDatabase database) {
        int lapsed =
                database.execute(
                        "update work set lease_until_ms = "
                                + NOW
                                + " - 1, lease_check_ms = "
                                + NOW
                                + " - 1 where state = 'running'");
        assertThat(lapsed).isEqualTo(TASKS);
    }

    private static void awaitAllExpired(TestDatabase database, int round) {
        Until.isTrue(
                "every lapsed lease is ended",
                SEEN_WITHIN,
                () ->
                        count(database, "select count(*) from work where state = 'running'") == 0
                                && count(
                                                database,
                                                "select count(*) from work_event"
                                                        + " where event = 'expire'")
                                        == (long) TASKS * round);
    }

    /// What became due is made ready without a claim, and what nobody needs any more is purged.
    private static void dueAndForgotten(Api api, TestDatabase database) {
        database.execute(
                "update work set state = 'waiting', wait_reason = 'schedule', run_at_ms = "
                        + NOW
                        + " - 1 where id in (select id from work where state = 'ready' limit 5)");
        Reply made = api.post("/v1/tasks", "{\"type\":\"gone\",\"payload\":{}}");
        api.post("/v1/tasks/" + made.text("/task/id") + "/cancel", "{}");
        database.execute(
                "update work set finished_ms = 1, purge_after_ms = 1 where state = 'cancelled'");
        Until.isTrue(
                "the due ones are ready and the old one is gone",
                SEEN_WITHIN,
                () ->
                        count(
                                        database,
                                        "select count(*) from work where state in ('waiting',"
                                                + " 'cancelled')")
                                == 0);
    }
}
