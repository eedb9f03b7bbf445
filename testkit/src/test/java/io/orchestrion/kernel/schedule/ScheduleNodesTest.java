package io.orchestrion.kernel.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestKernel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Nodes without a leader fire the same schedules at the same time, and each time fires once.
class ScheduleNodesTest {
    private static final int SCHEDULES = 60;
    private static final String FIRER = "schedule-firer";

    private final TestKernel test = new TestKernel();
    private final List<Kernel> nodes =
            List.of(
                    test.kernel(),
                    test.anotherNode(options -> options),
                    test.anotherNode(options -> options));
    private final UUID account = test.account();

    @AfterEach
    void close() {
        nodes.get(1).close();
        nodes.get(2).close();
        test.close();
    }

    private static ScheduleDefinition hourly(String name, CatchUp.Policy catchUp, Overlap overlap) {
        return new ScheduleDefinition(
                name,
                new Timing(null, 3600L, "UTC", null, null),
                new CatchUp(catchUp, 100, 60),
                overlap,
                0,
                new TaskTemplate(name, "{}", 0, 3, 300));
    }

    private ScheduleView create(UUID owner, ScheduleDefinition definition) {
        Change change = test.kernel().schedules().create(owner, definition, false);
        assertThat(change).isInstanceOf(Change.Done.class);
        return ((Change.Done) change).view();
    }

    private ScheduleView create(String name) {
        return create(account, hourly(name, CatchUp.Policy.ALL, Overlap.ALLOW));
    }

    private ScheduleView get(UUID id) {
        ScheduleView view = test.kernel().schedules().get(account, id);
        assertThat(view).isNotNull();
        return view;
    }

    /// All nodes at once, two threads on each, until none of them finds anything.
    private void sweepEverywhere() {
        Parallel.run(
                6,
                i ->
                        () -> {
                            while (nodes.get(i % 3).sweepOnce(FIRER) > 0) {
                                // Another pass may find what others have passed over.
                            }
                            return null;
                        });
    }

    private long count(String sql) {
        return test.database().value("select count(*) from " + sql);
    }

    /// A regression that schedulers are known for: a node more, and every cron fires once more.
    @Test
    void cron_fired_once_per_node() {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < SCHEDULES; i++) {
            ids.add(create("s" + i).id());
        }
        for (int round = 1; round <= 3; round++) {
            test.clock().advance(Duration.ofSeconds(3601));
            sweepEverywhere();
            assertThat(count("work")).isEqualTo((long) SCHEDULES * round);
        }
        assertThat(count("schedule_fire where result = 'fired'")).isEqualTo(SCHEDULES * 3);
        assertThat(count("(select distinct schedule_id, fire_ms from schedule_fire) f"))
                .isEqualTo(SCHEDULES * 3);
        assertThat(count("(select distinct task_id from schedule_fire) f"))
                .isEqualTo(SCHEDULES * 3);
        assertThat(ids).allMatch(id -> get(id).fired() == 3);
    }

    /// The same where one schedule has much to make good for: its parts are not mixed up.
    @Test
    void a_long_outage_is_made_good_for_once_whatever_the_number_of_nodes() {
        UUID all = create("all").id();
        UUID latest = create(account, hourly("latest", CatchUp.Policy.LATEST, Overlap.ALLOW)).id();
        test.clock().advance(Duration.ofMinutes(90 * 60 + 30));
        sweepEverywhere();
        assertThat(get(all).fired()).isEqualTo(90);
        assertThat(get(all).missed()).isZero();
        assertThat(get(latest).fired()).isEqualTo(1);
        assertThat(get(latest).missed()).isEqualTo(89);
        assertThat(count("work")).isEqualTo(91);
    }

    /// The last guard: code that forgot everything could not make a second task for a time.
    @Test
    void the_database_itself_refuses_a_second_fire_of_one_time() {
        UUID id = create("once").id();
        test.clock().advance(Duration.ofSeconds(3601));
        sweepEverywhere();
        assertThatThrownBy(
                        () ->
                                test.database()
                                        .tryExecute(
                                                "insert into schedule_fire select account_id,"
                                                        + " schedule_id, seq + 1, fire_ms, manual,"
                                                        + " late, result, times, gen_random_uuid(),"
                                                        + " detail, at_ms from schedule_fire"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("schedule_fire_once");
        // As if the next time had been lost, or a restore had brought back an old row.
        test.database()
                .execute("update schedule set next_fire_ms = last_fire_ms, due_ms = last_fire_ms");
        sweepEverywhere();
        assertThat(count("work")).isEqualTo(1);
        assertThat(get(id).failed()).isEqualTo(1);
        assertThat(get(id).failure()).startsWith("server_error");
        test.clock().advance(Duration.ofSeconds(3600));
        sweepEverywhere();
        assertThat(count("work")).isEqualTo(2);
    }

    private int sweep() {
        int all = 0;
        int some;
        do {
            some = test.kernel().sweepOnce(FIRER);
            all += some;
        } while (some > 0);
        return all;
    }

    /// A regression that sweepers are known for: what fails comes first every time, and nothing
    /// after it is ever reached.
    @Test
    void sweep_that_starves_behind_one_bad_row() {
        // More of them than one turn holds, and due before the good ones.
        for (int i = 0; i < 30; i++) {
            create("unreadable" + i);
            create("unstorable" + i);
        }
        test.database()
                .execute(
                        "update schedule set cron = 'x', every_seconds = null where name like"
                                + " 'unreadable%'");
        test.database()
                .execute(
                        "create function refuse() returns trigger language plpgsql as 'begin raise"
                                + " exception ''no''; end'");
        test.database()
                .execute(
                        "create trigger refuse before insert on work for each row when (new.kind"
                                + " like 'unstorable%') execute function refuse()");
        test.database().execute("update schedule set due_ms = due_ms - 1000");
        UUID good = create("good").id();
        UUID otherAccount = test.account();
        create(otherAccount, hourly("good", CatchUp.Policy.LATEST, Overlap.ALLOW));

        test.clock().advance(Duration.ofSeconds(3601));
        assertThat(sweep()).isEqualTo(62);
        assertThat(get(good).fired()).isEqualTo(1);
        assertThat(count("work")).isEqualTo(2);
        // Each bad one says what is wrong, and has moved on.
        assertThat(count("schedule where failed = 1 and due_ms is not null")).isEqualTo(60);
        assertThat(
                        count(
                                "schedule where failure like 'invalid: cron must have 5 fields%'"
                                        + " and name like 'unreadable%'"))
                .isEqualTo(30);
        assertThat(count("schedule where failure = 'server_error: the task could not be stored'"))
                .isEqualTo(30);
        assertThat(count("schedule_fire where result = 'failed'")).isEqualTo(60);
        assertThat(sweep()).isZero();
        test.clock().advance(Duration.ofSeconds(3600));
        sweep();
        assertThat(get(good).fired()).isEqualTo(2);
    }

    /// An owner who changes or removes a schedule while it is fired waits for the fire.
    @Test
    void changes_and_fires_at_the_same_time_leave_nothing_half_done() {
        for (int i = 0; i < 20; i++) {
            create("s" + i);
        }
        List<ScheduleView> all = test.kernel().schedules().list(account, null, 100);
        test.clock().advance(Duration.ofSeconds(3601));
        Parallel.run(
                8,
                i ->
                        () -> {
                            if (i < 4) {
                                nodes.get(i % 3).sweepOnce(FIRER);
                            } else {
                                for (ScheduleView each : all) {
                                    Schedules schedules = nodes.get(i % 3).schedules();
                                    switch (i) {
                                        case 4 -> schedules.pause(account, each.id());
                                        case 5 -> schedules.resume(account, each.id());
                                        case 6 -> schedules.runNow(account, each.id());
                                        default -> schedules.get(account, each.id());
                                    }
                                }
                            }
                            return null;
                        });
        assertThat(count("schedule_fire where manual")).isEqualTo(20);
        long regular = count("schedule_fire where not manual");
        assertThat(regular).isLessThanOrEqualTo(20);
        assertThat(count("work")).isEqualTo(20 + regular);
        assertThat(test.database().<Long>value("select sum(fired)::bigint from schedule"))
                .isEqualTo(20 + regular);
    }

    /// More than one turn holds, beside an account with one: neither waits for the other to end.
    @Test
    void an_account_with_many_schedules_takes_turns_with_the_others() {
        for (int i = 0; i < 80; i++) {
            create("s" + i);
        }
        UUID other = test.account();
        create(other, hourly("one", CatchUp.Policy.LATEST, Overlap.ALLOW));
        test.clock().advance(Duration.ofSeconds(3630));
        test.kernel().sweepOnce(FIRER);
        assertThat(
                        (Long)
                                test.database()
                                        .value(
                                                "select count(*) from work where account_id = ?",
                                                other))
                .isEqualTo(1);
        assertThat(count("work")).isLessThan(81);
        sweep();
        assertThat(count("work")).isEqualTo(81);
    }
}
