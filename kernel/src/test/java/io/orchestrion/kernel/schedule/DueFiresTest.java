package io.orchestrion.kernel.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Collectors;

/// Which times fire after a while in which nobody did. Times are every ten seconds, from 10 on, and
/// 25 seconds late is late enough to be missed.
class DueFiresTest {
    private static String due(CatchUp.Policy policy, int max, long nowSeconds, int most) {
        DueFires due =
                DueFires.of(
                        new EveryTimes(0, 10_000),
                        10_000,
                        nowSeconds * 1000,
                        new CatchUp(policy, max, 25),
                        most);
        String fires =
                due.fires().stream()
                        .map(fire -> fire.fireMs() / 1000 + (fire.late() ? "!" : ""))
                        .collect(Collectors.joining(" "));
        Long last = due.lastMissedMs();
        Long next = due.nextMs();
        return "missed %d to %d; fires %s; next %d"
                .formatted(
                        due.missed(),
                        last == null ? 0 : last / 1000,
                        fires,
                        next == null ? 0 : next / 1000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # Nothing is missed as long as it is late by no more than it may be.
                    SKIP   | 5 |  9 | 50 | missed 0 to 0; fires ; next 10
                    SKIP   | 5 | 10 | 50 | missed 0 to 0; fires 10; next 20
                    SKIP   | 5 | 35 | 50 | missed 0 to 0; fires 10 20 30; next 40
                    LATEST | 5 | 35 | 50 | missed 0 to 0; fires 10 20 30; next 40
                    ALL    | 5 | 35 | 50 | missed 0 to 0; fires 10 20 30; next 40
                    SKIP   | 5 | 36 | 50 | missed 1 to 10; fires 20 30; next 40
                    SKIP   | 5 | 65 | 50 | missed 3 to 30; fires 40 50 60; next 70
                    # What is on time stands for what was missed.
                    LATEST | 5 | 65 | 50 | missed 3 to 30; fires 40 50 60; next 70
                    ALL    | 5 | 65 | 50 | missed 0 to 0; fires 10! 20! 30! 40 50 60; next 70
                    ALL    | 2 | 65 | 50 | missed 1 to 10; fires 20! 30! 40 50 60; next 70
                    # A part at a time.
                    ALL    | 5 | 65 |  2 | missed 0 to 0; fires 10! 20!; next 30
                    ALL    | 2 | 65 |  2 | missed 1 to 10; fires 20! 30!; next 40
                    """)
    void what_fires(CatchUp.Policy policy, int max, long now, int most, String expected) {
        assertThat(due(policy, max, now, most)).isEqualTo(expected);
    }

    private static DueFires daily(CatchUp.Policy policy) {
        FireTimes times = CronTimes.of("0 0 * * *", ZoneId.of("UTC"));
        return DueFires.of(
                times,
                Instant.parse("2026-01-01T00:00:00Z").toEpochMilli(),
                Instant.parse("2026-01-05T12:00:00Z").toEpochMilli(),
                new CatchUp(policy, 3, 60),
                50);
    }

    /// Nothing is on time here: the newest is made good for.
    @Test
    void the_latest_of_five_missed_days_is_the_fifth() {
        DueFires due = daily(CatchUp.Policy.LATEST);
        assertThat(due.missed()).isEqualTo(4);
        assertThat(due.fires()).hasSize(1).allMatch(DueFires.Planned::late);
        assertThat(Instant.ofEpochMilli(due.fires().getFirst().fireMs()))
                .hasToString("2026-01-05T00:00:00Z");
        assertThat(daily(CatchUp.Policy.ALL).fires()).hasSize(3);
        assertThat(daily(CatchUp.Policy.SKIP).fires()).isEmpty();
        assertThat(daily(CatchUp.Policy.SKIP).missed()).isEqualTo(5);
    }

    /// The one who looks holds a lock: it must not take long, however long nobody looked.
    @Test
    void a_year_of_missed_minutes_is_counted_in_a_moment() {
        long start = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
        FireTimes times = CronTimes.of("* * * * *", ZoneId.of("Europe/Berlin"));
        long begun = System.nanoTime();
        DueFires due =
                DueFires.of(
                        times,
                        start,
                        start + Duration.ofDays(365).toMillis(),
                        new CatchUp(CatchUp.Policy.ALL, 1000, 60),
                        50);
        assertThat(due.missed()).isEqualTo(365 * 24 * 60 - 1 - 1000);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    /// Forty days of missed seconds are gone through in parts, and come to the same as in one.
    @Test
    void very_many_missed_times_are_gone_through_in_parts() {
        long now = Duration.ofDays(40).toMillis();
        for (CatchUp.Policy policy : CatchUp.Policy.values()) {
            long missed = 0;
            int parts = 0;
            DueFires due = null;
            Long next = 1000L;
            while (due == null || due.fires().isEmpty()) {
                due =
                        DueFires.of(
                                new EveryTimes(0, 1000), next, now, new CatchUp(policy, 5, 2), 50);
                // The last part has the rest.
                assertThat(due.missed()).isLessThanOrEqualTo(DueFires.LOOKS_MAX);
                missed += due.missed();
                next = due.nextMs();
                parts++;
            }
            assertThat(parts).isEqualTo(4);
            assertThat(missed + due.fires().size()).isEqualTo(now / 1000);
            assertThat(due.fires().stream().filter(DueFires.Planned::late).count())
                    .isEqualTo(policy == CatchUp.Policy.ALL ? 5 : 0);
            assertThat(next).isEqualTo(now + 1000);
        }
    }
}
