package io.orchestrion.server.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;

/// What schedules do when their time has come.
class ScheduleFireTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /// A second after the hour, so that the fire is on time and surely due.
    private static final Duration AN_HOUR_ON = Duration.ofSeconds(3601);

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final ScheduleApi mine = ScheduleApi.on(server);

    /// The next test moves the clock, and these would all be due.
    @AfterEach
    void clear() {
        server.database().execute("delete from schedule");
    }

    private Instant instant(String id, String field) {
        return Instant.parse(mine.get(id).text("/schedule/" + field));
    }

    @Test
    void a_fire_makes_the_task_and_moves_to_the_next_time() {
        String id = mine.hourly("");
        Instant first = instant(id, "nextFireAt");
        mine.after(HOUR.minusSeconds(60));
        assertThat(mine.tasks()).isEmpty();
        mine.after(Duration.ofSeconds(61));
        assertThat(mine.tasks()).hasSize(1);
        JsonNode task = mine.tasks().getFirst();
        assertThat(task.get("type").asString()).isEqualTo("tick");
        assertThat(task.get("payload")).hasToString("{\"n\":1}");
        assertThat(task.get("status").asString()).isEqualTo("pending");
        assertThat(task.get("scheduledAt").isNull()).isTrue();
        Reply schedule = mine.get(id);
        assertThat(instant(id, "lastFireAt")).isEqualTo(first);
        assertThat(schedule.text("/schedule/lastTaskId")).isEqualTo(task.get("id").asString());
        assertThat(instant(id, "nextFireAt")).isEqualTo(first.plus(HOUR));
        assertThat(schedule.number("/schedule/fired")).isEqualTo(1);
        assertThat(schedule.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo("/v1/tasks/" + task.get("id").asString());
        JsonNode fire = mine.fires(id).getFirst();
        assertThat(fire.get("fireAt").asString()).isEqualTo(schedule.text("/schedule/lastFireAt"));
        assertThat(fire.get("result").asString()).isEqualTo("fired");
        assertThat(fire.get("taskId")).isEqualTo(task.get("id"));
        assertThat(fire.get("manual").asBoolean()).isFalse();
        assertThat(fire.get("late").asBoolean()).isFalse();
        assertThat(fire.get("count").asInt()).isEqualTo(1);
        assertThat(mine.sweep()).isZero();
        assertThat(mine.account().claim("tick").text("/task/id"))
                .isEqualTo(task.get("id").asString());
    }

    /// A late fire shifts nothing: a hundred hours have a hundred fires.
    @Test
    void the_rhythm_does_not_drift() {
        String id = mine.hourly("");
        Instant first = instant(id, "nextFireAt");
        server.clock().advance(Duration.ofSeconds(17));
        for (int i = 0; i < 5; i++) {
            mine.after(HOUR.plusSeconds(1));
        }
        assertThat(mine.fires(id))
                .extracting(fire -> Instant.parse(fire.get("fireAt").asString()))
                .containsExactly(
                        first.plus(HOUR.multipliedBy(4)),
                        first.plus(HOUR.multipliedBy(3)),
                        first.plus(HOUR.multipliedBy(2)),
                        first.plus(HOUR),
                        first);
    }

    @Test
    void a_cron_fires_at_its_minute() {
        String id = mine.create("cron", "\"cron\":\"*/10 * * * *\",\"timezone\":\"Asia/Kolkata\"");
        Instant next = instant(id, "nextFireAt");
        assertThat(next.getEpochSecond() % 600).isZero();
        mine.after(Duration.ofSeconds(601));
        assertThat(mine.fires(id).getFirst().get("fireAt").asString())
                .isEqualTo(next.toString().replace("Z", ".000Z"));
        assertThat(mine.count(id, "fired")).isEqualTo(1);
    }

    /// Ten hours nobody fired, and the last time was half an hour ago.
    @ParameterizedTest
    @CsvSource({"skip, 10, 0, 0", "latest, 9, 1, 1", "all, 0, 10, 10"})
    void after_an_outage_missed_times_are_made_good_for_by_the_policy(
            String policy, int missed, int fired, int late) {
        String id = mine.hourly(",\"catchUp\":\"%s\"".formatted(policy));
        Instant first = instant(id, "nextFireAt");
        mine.after(Duration.ofMinutes(10 * 60 + 30));
        assertThat(mine.count(id, "missed")).isEqualTo(missed);
        assertThat(mine.count(id, "fired")).isEqualTo(fired);
        assertThat(mine.tasks()).hasSize(fired);
        assertThat(mine.fires(id)).filteredOn(fire -> fire.get("late").asBoolean()).hasSize(late);
        assertThat(mine.fires(id))
                .filteredOn(fire -> fire.get("result").asString().equals("missed"))
                .extracting(fire -> fire.get("count").asInt())
                .isEqualTo(missed == 0 ? List.of() : List.of(missed));
        assertThat(instant(id, "nextFireAt")).isEqualTo(first.plus(HOUR.multipliedBy(10)));
        if (fired > 0) {
            assertThat(instant(id, "lastFireAt")).isEqualTo(first.plus(HOUR.multipliedBy(9)));
        }
    }

    @Test
    void at_most_so_many_are_made_good_for_the_newest_of_them() {
        String id = mine.hourly(",\"catchUp\":\"all\",\"catchUpMax\":3");
        Instant first = instant(id, "nextFireAt");
        mine.after(Duration.ofMinutes(10 * 60 + 30));
        assertThat(mine.results(id)).isEqualTo("fired fired fired missed");
        assertThat(mine.count(id, "missed")).isEqualTo(7);
        assertThat(mine.fires(id).get(2).get("fireAt").asString())
                .isEqualTo(first.plus(HOUR.multipliedBy(7)).toString());
    }

    /// More than one transaction makes at once.
    @Test
    void two_hundred_missed_fires_are_all_made_good_for() {
        String id =
                mine.create(
                        "fast",
                        "\"everySeconds\":60,\"catchUp\":\"all\",\"catchUpMax\":200,"
                                + "\"catchUpWithinSeconds\":1");
        mine.after(Duration.ofMinutes(150).plusSeconds(30));
        assertThat(mine.count(id, "fired")).isEqualTo(150);
        assertThat(mine.count(id, "missed")).isZero();
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(distinct fire_ms) from schedule_fire where"
                                                + " schedule_id = ?::uuid",
                                        id))
                .isEqualTo(150);
    }

    @Test
    void late_by_no_more_than_it_may_be_is_on_time() {
        String id = mine.hourly(",\"catchUp\":\"skip\",\"catchUpWithinSeconds\":1800");
        mine.after(Duration.ofMinutes(85));
        assertThat(mine.results(id)).isEqualTo("fired");
        mine.after(Duration.ofMinutes(70));
        assertThat(mine.results(id)).isEqualTo("missed fired");
        assertThat(mine.count(id, "missed")).isEqualTo(1);
    }

    @Test
    void a_pause_is_not_made_good_for() {
        String id = mine.hourly(",\"catchUp\":\"all\"");
        Reply paused = mine.verb(id, "pause");
        assertThat(paused.text("/schedule/status")).isEqualTo("paused");
        assertThat(paused.at("/schedule/nextFireAt").isNull()).isTrue();
        assertThat(paused.at("/schedule/upcoming").size()).isZero();
        assertThat(mine.verb(id, "pause").at("/schedule")).isEqualTo(paused.at("/schedule"));
        mine.after(Duration.ofMinutes(5 * 60 + 30));
        assertThat(mine.tasks()).isEmpty();
        Reply resumed = mine.verb(id, "resume");
        assertThat(resumed.text("/schedule/status")).isEqualTo("active");
        assertThat(mine.verb(id, "resume").at("/schedule")).isEqualTo(resumed.at("/schedule"));
        mine.sweep();
        assertThat(mine.tasks()).isEmpty();
        assertThat(mine.count(id, "missed")).isZero();
        mine.after(Duration.ofMinutes(31));
        assertThat(mine.results(id)).isEqualTo("fired");
    }

    @Test
    void a_schedule_that_is_made_paused_waits_to_be_resumed() {
        String id = mine.hourly(",\"paused\":true");
        assertThat(mine.get(id).text("/schedule/status")).isEqualTo("paused");
        mine.after(AN_HOUR_ON);
        assertThat(mine.fires(id)).isEmpty();
        mine.verb(id, "resume");
        mine.after(AN_HOUR_ON);
        assertThat(mine.results(id)).isEqualTo("fired");
    }

    @Test
    void run_now_makes_a_task_also_while_paused_and_moves_no_regular_time() {
        String id = mine.hourly(",\"overlap\":\"skip\",\"jitterSeconds\":3600");
        String next = mine.get(id).text("/schedule/nextFireAt");
        Reply run = mine.verb(id, "run");
        assertThat(run.status()).as(run.text()).isEqualTo(201);
        assertThat(run.header("Location")).isEqualTo("/v1/tasks/" + run.text("/taskId"));
        assertThat(mine.account().get(run.text("/taskId")).at("/task/scheduledAt").isNull())
                .isTrue();
        assertThat(run.text("/schedule/lastTaskId")).isEqualTo(run.text("/taskId"));
        assertThat(run.text("/schedule/nextFireAt")).isEqualTo(next);
        assertThat(mine.fires(id).getFirst().get("manual").asBoolean()).isTrue();
        // Asked for means wanted: whatever is open.
        assertThat(mine.verb(id, "run").status()).isEqualTo(201);
        mine.verb(id, "pause");
        assertThat(mine.verb(id, "run").status()).isEqualTo(201);
        assertThat(mine.get(id).text("/schedule/status")).isEqualTo("paused");
        assertThat(mine.count(id, "fired")).isEqualTo(3);
        assertThat(new HashSet<>(mine.tasks())).hasSize(3);
        assertThat(mine.results(id)).isEqualTo("fired fired fired");
    }

    @Test
    void allowed_to_overlap_every_fire_makes_a_task() {
        String id = mine.hourly("");
        mine.after(AN_HOUR_ON);
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("fired fired");
        assertThat(mine.tasks()).allMatch(task -> task.get("status").asString().equals("pending"));
    }

    @Test
    void with_skip_an_open_task_keeps_the_next_from_being_made() {
        String id = mine.hourly(",\"overlap\":\"skip\"");
        mine.after(AN_HOUR_ON);
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("skipped fired");
        assertThat(mine.fires(id).getFirst().get("detail").asString())
                .isEqualTo("an earlier task is still open");
        String task = mine.account().claim("tick").text("/task/id");
        mine.after(HOUR.minusSeconds(3400));
        mine.account().verb(task, "heartbeat");
        mine.after(Duration.ofSeconds(200));
        mine.account().verb(task, "complete");
        mine.after(Duration.ofSeconds(3200));
        assertThat(mine.results(id)).isEqualTo("fired skipped fired");
        assertThat(mine.count(id, "skipped")).isEqualTo(1);
    }

    /// A task that was asked for counts as well, and so does one before it.
    @Test
    void every_open_task_of_the_schedule_counts_not_only_the_last() {
        String id = mine.hourly(",\"overlap\":\"skip\"");
        mine.after(AN_HOUR_ON);
        String asked = mine.verb(id, "run").text("/taskId");
        mine.account().verb(asked, "cancel");
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("skipped fired fired");
    }

    @Test
    void with_cancel_previous_a_pending_task_gives_way() {
        String id = mine.hourly(",\"overlap\":\"cancel_previous\"");
        mine.after(AN_HOUR_ON);
        String first = mine.get(id).text("/schedule/lastTaskId");
        mine.after(HOUR);
        String second = mine.get(id).text("/schedule/lastTaskId");
        assertThat(mine.account().status(first)).isEqualTo("cancelled");
        assertThat(mine.account().status(second)).isEqualTo("pending");
        // A held one does not.
        mine.account().claim("tick");
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("skipped fired fired");
        assertThat(mine.fires(id).getFirst().get("detail").asString())
                .isEqualTo("a worker holds an earlier task");
        assertThat(mine.account().status(second)).isEqualTo("claimed");
    }

    /// Of several at once only the last is worth making.
    @Test
    void with_cancel_previous_and_all_missed_times_one_task_is_left() {
        String id = mine.hourly(",\"overlap\":\"cancel_previous\",\"catchUp\":\"all\"");
        mine.after(Duration.ofMinutes(4 * 60 + 30));
        assertThat(mine.results(id)).isEqualTo("fired skipped skipped skipped");
        assertThat(mine.tasks()).hasSize(1);
    }

    @Test
    void with_buffer_one_a_fire_waits_for_the_task_before_it() {
        String id = mine.hourly(",\"overlap\":\"buffer_one\"");
        mine.after(AN_HOUR_ON);
        String first = mine.get(id).text("/schedule/lastTaskId");
        String waits = mine.get(id).text("/schedule/nextFireAt");
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("fired");
        assertThat(mine.get(id).text("/schedule/bufferedFireAt")).isEqualTo(waits);
        // One at a time.
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("skipped fired");
        assertThat(mine.get(id).text("/schedule/bufferedFireAt")).isEqualTo(waits);
        mine.account().verb(first, "cancel");
        mine.after(Duration.ofSeconds(11));
        assertThat(mine.results(id)).isEqualTo("fired skipped fired");
        assertThat(mine.get(id).text("/schedule/lastFireAt")).isEqualTo(waits);
        assertThat(mine.get(id).at("/schedule/bufferedFireAt").isNull()).isTrue();
        // And the regular times go on.
        mine.account().verb(mine.get(id).text("/schedule/lastTaskId"), "cancel");
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("fired fired skipped fired");
    }

    @Test
    void a_pause_gives_up_the_fire_that_waits() {
        String id = mine.hourly(",\"overlap\":\"buffer_one\"");
        mine.after(AN_HOUR_ON);
        mine.after(HOUR);
        assertThat(mine.verb(id, "pause").at("/schedule/bufferedFireAt").isNull()).isTrue();
        assertThat(mine.count(id, "skipped")).isEqualTo(1);
        mine.verb(id, "resume");
        mine.account().verb(mine.get(id).text("/schedule/lastTaskId"), "cancel");
        mine.after(Duration.ofSeconds(20));
        assertThat(mine.results(id)).isEqualTo("fired");
    }

    /// The task is there at its time, claimable only later: by as much as every node would say.
    @Test
    void jitter_puts_off_the_task_and_not_the_fire() {
        var delays = new HashSet<Long>();
        for (int i = 0; i < 8; i++) {
            mine.create("j" + i, "\"everySeconds\":3600,\"jitterSeconds\":1800");
        }
        mine.after(AN_HOUR_ON);
        for (JsonNode schedule : mine.api().get(ScheduleApi.PATH).at("/schedules").values()) {
            Instant fired = Instant.parse(schedule.get("lastFireAt").asString());
            String task = schedule.get("lastTaskId").asString();
            String at = mine.account().get(task).text("/task/scheduledAt");
            long delay = at.isEmpty() ? 0 : Instant.parse(at).toEpochMilli() - fired.toEpochMilli();
            assertThat(delay).isBetween(0L, 1_800_000L);
            delays.add(delay);
        }
        assertThat(delays).hasSizeGreaterThan(4);
    }

    @Test
    void between_start_and_end_and_not_outside() {
        Instant now =
                Instant.parse(
                        mine.tryCreate("clock", "\"cron\":\"@monthly\"")
                                .text("/schedule/createdAt"));
        String id =
                mine.create(
                        "window",
                        "\"everySeconds\":3600,\"startAt\":\"%s\",\"endAt\":\"%s\""
                                .formatted(
                                        now.plus(HOUR.multipliedBy(2)),
                                        now.plus(HOUR.multipliedBy(3))));
        mine.after(AN_HOUR_ON);
        assertThat(mine.fires(id)).isEmpty();
        mine.after(HOUR);
        mine.after(HOUR);
        assertThat(mine.results(id)).isEqualTo("fired fired");
        assertThat(mine.get(id).text("/schedule/status")).isEqualTo("ended");
        assertThat(mine.get(id).at("/schedule/nextFireAt").isNull()).isTrue();
        mine.after(Duration.ofDays(1));
        assertThat(mine.results(id)).isEqualTo("fired fired");
    }

    /// Nothing stops silently: the reason is shown, and the next time comes.
    @Test
    void a_fire_without_quota_is_recorded_and_the_schedule_goes_on() {
        var poor = new ScheduleApi(server, server.account(Plan.FREE_ID));
        String id = poor.hourly("");
        server.database()
                .execute(
                        "insert into usage_month (account_id, month, tasks) select ?::uuid, m,"
                                + " 1000000 from generate_series(202600, 204000) m",
                        poor.account().accountId());
        poor.after(AN_HOUR_ON);
        assertThat(poor.results(id)).isEqualTo("failed");
        Reply schedule = poor.get(id);
        assertThat(schedule.number("/schedule/failed")).isEqualTo(1);
        assertThat(schedule.text("/schedule/lastFailureReason"))
                .startsWith("quota_exceeded: the plan ");
        assertThat(schedule.text("/schedule/lastFailureAt")).isNotEmpty();
        assertThat(schedule.text("/schedule/status")).isEqualTo("active");
        assertThat(poor.verb(id, "run").error()).isEqualTo("quota_exceeded");
        server.database()
                .execute(
                        "delete from usage_month where account_id = ?::uuid",
                        poor.account().accountId());
        poor.after(HOUR);
        assertThat(poor.results(id)).isEqualTo("fired failed");
        assertThat(poor.get(id).text("/schedule/lastFailureReason")).startsWith("quota_exceeded");
    }

    @Test
    void the_history_goes_page_by_page_and_ends_after_a_thousand_entries() {
        String id = mine.hourly("");
        server.database()
                .execute(
                        """
                        insert into schedule_fire
                        select s.account_id, s.schedule_id, n, n, false, false, 'skipped', 1, null,
                               null, s.created_ms
                          from schedule s, generate_series(1, 1000) n
                         where s.schedule_id = ?::uuid
                        """,
                        id);
        server.database()
                .execute("update schedule set fire_seq = 1000 where schedule_id = ?::uuid", id);
        mine.verb(id, "run");
        mine.after(AN_HOUR_ON);
        String path = ScheduleApi.PATH + "/" + id + "/fires?limit=100";
        var seen = new HashSet<String>();
        int pages = 0;
        Reply page = mine.api().get(path);
        assertThat(page.text("/fires/0/result")).isEqualTo("fired");
        while (true) {
            pages++;
            page.at("/fires").values().forEach(fire -> seen.add(fire.toString()));
            if (page.text("/nextCursor").isEmpty()) {
                break;
            }
            page = mine.api().get(path + "&cursor=" + page.text("/nextCursor"));
        }
        assertThat(pages).isEqualTo(10);
        assertThat(seen).hasSize(1000);
        assertThat(mine.api().get(path + "&cursor=x").error()).isEqualTo("invalid_request");
    }

    @Test
    void entries_older_than_thirty_days_are_purged_unless_their_task_is_open() {
        String id = mine.hourly("");
        mine.after(AN_HOUR_ON);
        mine.verb(id, "pause");
        String task = mine.fires(id).getFirst().get("taskId").asString();
        server.clock().advance(Duration.ofDays(29));
        mine.verb(id, "run");
        server.kernel().kernel().sweepOnce("schedule-purger");
        assertThat(mine.fires(id)).hasSize(2);
        server.clock().advance(Duration.ofDays(2));
        server.kernel().kernel().sweepOnce("schedule-purger");
        assertThat(mine.fires(id)).as("overlap must still see the open task").hasSize(2);
        mine.api().post("/v1/tasks/" + task + "/cancel", "{}");
        assertThat(server.kernel().kernel().sweepOnce("schedule-purger")).isPositive();
        assertThat(mine.fires(id)).hasSize(1);
        assertThat(mine.fires(id).getFirst().get("manual").asBoolean()).isTrue();
        assertThat(mine.count(id, "fired")).isEqualTo(2);
    }

    /// The task and the next time are one: without the commit there is neither.
    @Test
    void a_fire_that_is_cut_off_before_its_commit_happens_at_the_next_sweep() {
        String id = mine.hourly("");
        server.clock().advance(AN_HOUR_ON);
        UUID schedule = UUID.fromString(id);
        server.database()
                .execute(
                        "create or replace function cut() returns trigger language plpgsql as"
                            + " 'begin raise exception ''cut'' using errcode = ''40001''; end'");
        server.database()
                .execute(
                        "create trigger cut after update on schedule for each row when"
                                + " (new.schedule_id = '"
                                + schedule
                                + "') execute function cut()");
        try {
            assertThat(mine.tasks()).isEmpty();
            assertThatThrownBy(mine::sweep).hasMessageContaining("cut");
            assertThat(mine.tasks()).isEmpty();
            assertThat(mine.fires(id)).isEmpty();
        } finally {
            server.database().execute("drop trigger cut on schedule");
        }
        mine.sweep();
        assertThat(mine.results(id)).isEqualTo("fired");
        assertThat(mine.tasks()).hasSize(1);
    }
}
