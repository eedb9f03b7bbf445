package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.TestDatabase;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;

class StoreClockTest {
    private static final Duration AHEAD = Duration.ofDays(400);

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private static long databaseNow(TestDatabase database) {
        return database.value("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint");
    }

    /// K-06.
    @Test
    void everything_stored_moves_with_the_databases_clock() {
        long before = databaseNow(fixture.database());
        fixture.advance(AHEAD);
        fixture.work().submit(fixture.keyed(Profiles.TASKS, "k"));
        UUID id = fixture.claim(Profiles.TASKS).id();
        fixture.apply(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE));
        fixture.apply(Profiles.TASKS, id, new Command.Fail(Fence.NONE, "no", 1000L, true));
        fixture.advance(Duration.ofSeconds(2));
        fixture.claim(Profiles.TASKS);
        fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, "{}", null));
        UUID later = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        for (String table : new String[] {"work", "work_event", "idempotency"}) {
            for (Map<String, Object> row : fixture.database().rows("select * from " + table)) {
                row.forEach(
                        (column, value) -> {
                            if (column.endsWith("_ms")
                                    && !column.equals("order_ms")
                                    && value != null) {
                                assertThat((Long) value)
                                        .as(table + "." + column)
                                        .isGreaterThanOrEqualTo(before + AHEAD.toMillis());
                            }
                        });
            }
        }
        assertThat(later.getMostSignificantBits() >>> 16)
                .isGreaterThanOrEqualTo(before + AHEAD.toMillis());
    }

    /// K-06.
    @Test
    void leases_schedules_keys_and_retention_end_by_the_databases_clock_alone() {
        UUID held = fixture.submit(Profiles.TASKS);
        long now = fixture.view(Profiles.TASKS, held).nowMs();
        fixture.claim(Profiles.TASKS);
        UUID due = fixture.submit(fixture.draft(Profiles.QUEUE, now + 3_600_000, null, null));
        fixture.advance(Duration.ofMinutes(4));
        assertThat(fixture.sweep("lease-reaper")).isZero();
        assertThat(fixture.sweep("due-promoter")).isZero();
        fixture.advance(Duration.ofMinutes(57));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(fixture.sweep("due-promoter")).isEqualTo(1);
        assertThat(fixture.claim(Profiles.QUEUE).id()).isEqualTo(due);
        fixture.apply(Profiles.TASKS, held, new Command.Cancel());
        fixture.advance(Duration.ofDays(89));
        assertThat(fixture.sweep("purger")).isZero();
        fixture.advance(Duration.ofDays(2));
        assertThat(fixture.sweep("purger")).isEqualTo(1);
        assertThat(fixture.view(Profiles.TASKS, held)).isNull();
    }

    @Test
    void a_first_time_is_judged_by_the_databases_clock() {
        long now = fixture.view(Profiles.TASKS, fixture.submit(Profiles.TASKS)).nowMs();
        fixture.advance(Duration.ofDays(40));
        assertThat(
                        fixture.work()
                                .submit(
                                        Submission.of(
                                                fixture.draft(Profiles.TASKS, now, null, null))))
                .isInstanceOf(Submitted.ScheduleRefused.class);
        long later = now + Duration.ofDays(69).toMillis();
        assertThat(
                        fixture.work()
                                .submit(
                                        Submission.of(
                                                fixture.draft(Profiles.TASKS, later, null, null))))
                .isInstanceOf(Submitted.Created.class);
    }
}
