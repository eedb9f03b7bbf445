package io.orchestrion.kernel.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Instant;
import java.util.List;

/// Which timings are refused, seen from noon of January 1, 2026.
class TimingTest {
    private static final long NOW = at("2026-01-01T12:00:00Z");

    private static long at(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    private static @Nullable Long orNull(@Nullable String instant) {
        return instant == null ? null : at(instant);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    0 0 30 2 *  | -  | UTC           | -                    | -                    | cron: has no time within 5 years
                    0 0 31 11 * | -  | UTC           | -                    | -                    | cron: has no time within 5 years
                    * * * * *   | 60 | UTC           | -                    | -                    | cron: or everySeconds must be given, and not both
                    -           | -  | UTC           | -                    | -                    | cron: or everySeconds must be given, and not both
                    * * * * *   | -  | Mars/Olympus  | -                    | -                    | timezone: must be a name of the IANA time zones, such as Europe/Berlin
                    * * * * *   | -  | europe/berlin | -                    | -                    | timezone: must be a name of the IANA time zones, such as Europe/Berlin
                    * * * * *   | -  | +02:00        | -                    | -                    | timezone: must be a name of the IANA time zones, such as Europe/Berlin
                    -           | 60 | Mars/Olympus  | -                    | -                    | timezone: must be a name of the IANA time zones, such as Europe/Berlin
                    * * * * *   | -  | UTC           | 2031-01-02T12:00:01Z | -                    | startAt: must be within 5 years of now
                    * * * * *   | -  | UTC           | 2020-01-01T00:00:00Z | -                    | startAt: must be within 5 years of now
                    * * * * *   | -  | UTC           | -                    | 2026-01-01T12:00:00Z | endAt: must be ahead
                    * * * * *   | -  | UTC           | 2026-02-01T00:00:00Z | 2026-02-01T00:00:00Z | endAt: must be after startAt
                    0 0 1 6 *   | -  | UTC           | -                    | 2026-05-31T00:00:00Z | endAt: is before the first time, which would never come
                    0 0 1 6 *   | -  | UTC           | -                    | 2026-06-01T00:00:00Z | -
                    0 0 29 2 *  | -  | UTC           | -                    | -                    | -
                    * * * * *   | -  | Europe/Berlin | 2025-01-01T00:00:00Z | -                    | -
                    -           | 1  | UTC           | -                    | -                    | -
                    """)
    void impossible_timings_are_refused_by_field(
            @Nullable String cron,
            @Nullable Long every,
            String zone,
            @Nullable String start,
            @Nullable String end,
            @Nullable String refusal) {
        var timing = new Timing(cron, every, zone, orNull(start), orNull(end));
        if (refusal == null) {
            timing.check(NOW, NOW);
        } else {
            assertThatThrownBy(() -> timing.check(NOW, NOW))
                    .isInstanceOfSatisfying(
                            InvalidTiming.class,
                            e -> assertThat(e.field() + ": " + e.reason()).isEqualTo(refusal));
        }
    }

    @Test
    void start_and_end_are_times_like_others() {
        var timing = new Timing("0 * * * *", null, "UTC", NOW, NOW + 7_200_000);
        assertThat(timing.times(NOW).after(NOW - 7_200_000, 10))
                .isEqualTo(List.of(NOW, NOW + 3_600_000, NOW + 7_200_000));
    }

    @Test
    void a_fixed_distance_is_counted_from_its_anchor_in_both_directions() {
        var times = new EveryTimes(1000, 300);
        assertThat(times.after(999)).isEqualTo(1000);
        assertThat(times.after(1000)).isEqualTo(1300);
        assertThat(times.after(1299)).isEqualTo(1300);
        assertThat(times.after(350)).isEqualTo(400);
        assertThat(times.after(-1000)).isEqualTo(-800);
    }
}
