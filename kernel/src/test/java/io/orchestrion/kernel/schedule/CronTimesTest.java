package io.orchestrion.kernel.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.stream.Collectors;

/// What happens to times when clocks are put forward or back: Berlin and New York by an hour, Lord
/// Howe by half of one.
class CronTimesTest {
    private static String times(String cron, String zone, String from, int count) {
        FireTimes times = CronTimes.of(cron, ZoneId.of(zone));
        return times.after(OffsetDateTime.parse(from).toInstant().toEpochMilli(), count).stream()
                .map(ms -> Instant.ofEpochMilli(ms).atZone(ZoneId.of(zone)))
                .map(CronTimesTest::shortly)
                .collect(Collectors.joining(" "));
    }

    /// `29T03:00+02:00`
    private static String shortly(ZonedDateTime time) {
        return time.toOffsetDateTime().toString().substring(8);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # Forward: a time that does not exist fires once, right after the gap.
                    30 2 * * *   | Europe/Berlin       | 2026-03-28T00:00+01:00 | 28T02:30+01:00 29T03:00+02:00 30T02:30+02:00
                    0 2 * * *    | Europe/Berlin       | 2026-03-28T12:00+01:00 | 29T03:00+02:00 30T02:00+02:00
                    30 2 29 3 *  | Europe/Berlin       | 2026-01-01T00:00+01:00 | 29T03:00+02:00 29T02:30+02:00
                    30 2 * * *   | America/New_York    | 2026-03-07T12:00-05:00 | 08T03:00-04:00 09T02:30-04:00
                    15 2 * * *   | Australia/Lord_Howe | 2026-10-03T12:00+10:30 | 04T02:30+11:00 05T02:15+11:00
                    45 2 * * *   | Australia/Lord_Howe | 2026-10-03T12:00+10:30 | 04T02:45+11:00 05T02:45+11:00
                    # Several in the gap are one, and none is doubled with what comes right after it.
                    */15 2 * * * | Europe/Berlin       | 2026-03-28T12:00+01:00 | 29T03:00+02:00 30T02:00+02:00
                    0 2,3 * * *  | Europe/Berlin       | 2026-03-28T12:00+01:00 | 29T03:00+02:00 30T02:00+02:00
                    30 1-3 * * * | Europe/Berlin       | 2026-03-28T12:00+01:00 | 29T01:30+01:00 29T03:00+02:00 29T03:30+02:00
                    0 */2 * * *  | Europe/Berlin       | 2026-03-28T23:00+01:00 | 29T00:00+01:00 29T03:00+02:00 29T04:00+02:00
                    # Back: a time that comes twice fires the first time.
                    30 2 * * *   | Europe/Berlin       | 2026-10-24T12:00+02:00 | 25T02:30+02:00 26T02:30+01:00
                    30 1 * * *   | America/New_York    | 2026-10-31T12:00-04:00 | 01T01:30-04:00 02T01:30-05:00
                    45 1 * * *   | Australia/Lord_Howe | 2026-04-04T12:00+11:00 | 05T01:45+11:00 06T01:45+10:30
                    15 1 * * *   | Australia/Lord_Howe | 2026-04-04T12:00+11:00 | 05T01:15+11:00 06T01:15+10:30
                    0 */2 * * *  | Europe/Berlin       | 2026-10-25T00:30+02:00 | 25T02:00+02:00 25T04:00+01:00
                    # Asked during the second pass.
                    30 2 * * *   | Europe/Berlin       | 2026-10-25T02:15+01:00 | 26T02:30+01:00
                    0 3 * * *    | Europe/Berlin       | 2026-10-25T02:15+01:00 | 25T03:00+01:00
                    # By elapsed time where every hour is named.
                    0 * * * *    | Europe/Berlin       | 2026-10-25T01:30+02:00 | 25T02:00+02:00 25T02:00+01:00 25T03:00+01:00
                    0 * * * *    | Europe/Berlin       | 2026-03-29T00:30+01:00 | 29T01:00+01:00 29T03:00+02:00 29T04:00+02:00
                    */30 * * * * | Europe/Berlin       | 2026-10-25T02:15+02:00 | 25T02:30+02:00 25T02:00+01:00 25T02:30+01:00 25T03:00+01:00
                    */15 * * * * | Europe/Berlin       | 2026-03-29T01:30+01:00 | 29T01:45+01:00 29T03:00+02:00 29T03:15+02:00
                    */15 * * * * | America/New_York    | 2026-11-01T01:40-04:00 | 01T01:45-04:00 01T01:00-05:00 01T01:15-05:00
                    */15 * * * * | Australia/Lord_Howe | 2026-04-05T01:40+11:00 | 05T01:45+11:00 05T01:30+10:30 05T01:45+10:30 05T02:00+10:30
                    */15 * * * * | Australia/Lord_Howe | 2026-10-04T01:40+10:30 | 04T01:45+10:30 04T02:30+11:00 04T02:45+11:00
                    @hourly      | America/New_York    | 2026-03-08T00:30-05:00 | 08T01:00-05:00 08T03:00-04:00
                    """)
    void clocks_that_change(String cron, String zone, String from, String expected) {
        assertThat(times(cron, zone, from, expected.split(" ").length)).isEqualTo(expected);
    }

    /// A midnight that does not exist, as in Cairo in spring: the day is not lost.
    @Test
    void a_day_without_a_midnight_begins_with_its_first_moment() {
        assertThat(times("0 0 * * *", "Africa/Cairo", "2025-04-24T12:00+02:00", 2))
                .isEqualTo("25T01:00+03:00 26T00:00+03:00");
    }

    /// Samoa left out the whole of December 30, 2011.
    @Test
    void a_day_that_does_not_exist_fires_once_when_it_would_be_over() {
        assertThat(times("0 12 * * *", "Pacific/Apia", "2011-12-29T13:00-10:00", 2))
                .isEqualTo("31T00:00+14:00 31T12:00+14:00");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe"})
    void a_year_of_quarter_hours_has_no_hole_and_no_double(String zone) {
        long start = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
        FireTimes times = CronTimes.of("*/15 * * * *", ZoneId.of(zone));
        List<Long> year = times.after(start, 365 * 96);
        for (int i = 1; i < year.size(); i++) {
            assertThat(year.get(i) - year.get(i - 1)).isEqualTo(Duration.ofMinutes(15).toMillis());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe"})
    void a_daily_time_fires_once_on_each_day_of_a_year(String zone) {
        for (String cron : List.of("0 0 * * *", "30 1 * * *", "15 2 * * *", "45 2 * * *")) {
            List<Long> year =
                    CronTimes.of(cron, ZoneId.of(zone))
                            .after(Instant.parse("2026-01-02T00:00:00Z").toEpochMilli(), 365);
            assertThat(year)
                    .extracting(
                            ms -> Instant.ofEpochMilli(ms).atZone(ZoneId.of(zone)).toLocalDate())
                    .doesNotHaveDuplicates()
                    .hasSize(365);
            assertThat(Duration.ofMillis(year.getLast() - year.getFirst()))
                    .isBetween(Duration.ofHours(364 * 24 - 1), Duration.ofHours(364 * 24 + 1));
        }
    }

    /// The search is bounded, and no time zone comes near the bound: not with times that come every
    /// eight years, and not around a whole day that was left out (Apia, 2011).
    @Test
    void the_search_for_a_time_ends_in_every_time_zone() {
        for (String zone : ZoneId.getAvailableZoneIds()) {
            for (String start : List.of("2011-12-29T00:00:00Z", "2026-11-18T00:00:00Z")) {
                long from = Instant.parse(start).toEpochMilli();
                for (String cron :
                        List.of(
                                "* * 29 2 *",
                                "0 0 29 2 *",
                                "* 0-22 * * *",
                                "59 23 31 12 *",
                                "* * 30 12 *")) {
                    Long next = CronTimes.of(cron, ZoneId.of(zone)).after(from);
                    assertThat(next).as(zone + " " + cron).isNotNull().isGreaterThan(from);
                }
                assertThat(CronTimes.of("* * 31 2 *", ZoneId.of(zone)).after(from)).isNull();
                assertThat(CronTimes.of("0 0 31 2,4,6,9,11 *", ZoneId.of(zone)).after(from))
                        .isNull();
            }
        }
    }
}
