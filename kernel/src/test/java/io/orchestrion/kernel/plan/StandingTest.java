package io.orchestrion.kernel.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

class StandingTest {
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final Plans PLANS = Plans.PUBLISHED;

    private static Standing with(Period... periods) {
        return new Standing(PLANS, PLANS.free(), List.of(periods));
    }

    private static Period period(String plan, long from, long until) {
        return new Period(plan, from * DAY, until * DAY);
    }

    @Test
    void without_a_purchase_an_account_is_on_its_base_plan_and_nothing_expires() {
        Standing standing = with();
        assertThat(standing.at(0).id()).isEqualTo("free");
        assertThat(standing.expiresMs(0)).isNull();
        assertThat(standing.lapsed(0)).isEmpty();
    }

    /// T-186, T-187, T-197: which plan is in force when, and when the last one ends.
    @ParameterizedTest
    @CsvSource({
        // day, plan in force, falls back on day
        "-1, free, 60",
        "0, basic, 60",
        "9, basic, 60",
        "10, pro, 60",
        "39, pro, 60",
        "40, basic, 60",
        "59, basic, 60",
        "60, free, ",
        "99, free, ",
    })
    void the_plan_in_force_is_that_of_the_period(int day, String plan, Integer end) {
        Standing standing =
                with(period("basic", 40, 60), period("basic", 0, 10), period("pro", 10, 40));
        assertThat(standing.at(day * DAY).id()).isEqualTo(plan);
        assertThat(standing.expiresMs(day * DAY)).isEqualTo(end == null ? null : end * DAY);
    }

    /// T-186: the first moment without a plan is the thirtieth day to the millisecond.
    @Test
    void a_period_covers_its_first_moment_and_not_its_last() {
        Standing standing = with(period("basic", 0, 30));
        assertThat(standing.at(30 * DAY - 1).id()).isEqualTo("basic");
        assertThat(standing.at(30 * DAY).id()).isEqualTo("free");
    }

    @Test
    void the_plan_that_ended_last_is_remembered_while_none_is_in_force() {
        Standing standing = with(period("pro", 0, 30), period("basic", 30, 60));
        assertThat(standing.lapsed(59 * DAY)).isEmpty();
        assertThat(standing.lapsed(60 * DAY)).map(Plan::id).contains("basic");
    }

    @Test
    void a_plan_that_left_the_catalogue_counts_as_free() {
        assertThat(with(period("vintage", 0, 30)).at(1).id()).isEqualTo("free");
    }

    /// C-12: calendar months in UTC, also across the year's end and February.
    @ParameterizedTest
    @CsvSource({
        "2026-11-30T23:59:59.999Z, 202611, 2026-11-01T00:00:00Z, 2026-12-01T00:00:00Z",
        "2026-12-01T00:00:00Z, 202612, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z",
        "2028-02-29T12:00:00Z, 202802, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
    })
    void a_month_is_a_calendar_month_in_utc(Instant now, int number, Instant start, Instant end) {
        assertThat(Usage.Month.at(now.toEpochMilli()))
                .isEqualTo(new Usage.Month(number, start.toEpochMilli(), end.toEpochMilli()));
    }
}
