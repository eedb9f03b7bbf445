package io.orchestrion.kernel.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// What purchases do to an account's periods, in whole days from the first moment.
class PeriodsTest {
    private static final long DAY = Duration.ofDays(1).toMillis();

    private static List<Period> bought(List<Period> periods, String plan, long day) {
        return Periods.afterPurchase(periods, plan, Plans.PUBLISHED, day * DAY);
    }

    /// `basic@0 pro@10`: what was bought on which day.
    private static List<Period> after(String purchases) {
        List<Period> periods = List.of();
        for (String purchase : purchases.split(" ")) {
            String[] parts = purchase.split("@");
            periods = bought(periods, parts[0], Long.parseLong(parts[1]));
        }
        return periods;
    }

    private static String words(List<Period> periods) {
        return String.join(
                " ",
                periods.stream()
                        .map(
                                period ->
                                        period.planId()
                                                + ":"
                                                + period.fromMs() / DAY
                                                + "-"
                                                + period.untilMs() / DAY)
                        .toList());
    }

    /// T-186: to the millisecond.
    @Test
    void a_first_purchase_ends_exactly_thirty_days_later() {
        long now = 1_700_000_000_123L;
        assertThat(Periods.afterPurchase(List.of(), "basic", Plans.PUBLISHED, now))
                .containsExactly(new Period("basic", now, now + Duration.ofDays(30).toMillis()));
    }

    /// T-187, T-197: the account falls back at max(now, old end) + 30 days whatever was bought, and
    /// within that time the higher tier comes first.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    basic@0                  | basic:0-30
                    basic@0 basic@10         | basic:0-60
                    basic@0 basic@30         | basic:0-60
                    basic@0 basic@40         | basic:0-30 basic:40-70
                    basic@0 pro@10           | basic:0-10 pro:10-40 basic:40-60
                    pro@0 basic@10           | pro:0-30 basic:30-60
                    pro@0 basic@40           | pro:0-30 basic:40-70
                    basic@0 pro@10 agency@20 | basic:0-10 pro:10-20 agency:20-50 pro:50-70 basic:70-90
                    basic@0 pro@10 pro@20    | basic:0-10 pro:10-70 basic:70-90
                    basic@0 pro@10 basic@45  | basic:0-10 pro:10-40 basic:40-90
                    basic@0 basic@0          | basic:0-60
                    basic@0 agency@0         | agency:0-30 basic:30-60
                    """)
    void purchases_lay_out_periods(String purchases, String periods) {
        assertThat(words(after(purchases))).isEqualTo(periods);
    }

    /// T-187, T-197: whatever is bought whenever, each purchase adds thirty days to the end,
    /// nothing overlaps, no paid day of any plan is lost, and the past stays as it was.
    @Test
    void every_sequence_of_purchases_keeps_the_formula() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int run = 0; run < 300; run++) {
            List<Period> periods = new ArrayList<>();
            long now = 0;
            long end = 0;
            for (int i = 0; i < 8; i++) {
                now += random.nextLong(40 * DAY);
                String plan = List.of("basic", "pro", "agency").get(random.nextInt(3));
                List<Period> before = List.copyOf(periods);
                periods = Periods.afterPurchase(periods, plan, Plans.PUBLISHED, now);
                end = Math.max(now, end) + Plan.PERIOD.toMillis();
                assertThat(periods.getLast().untilMs()).as("seed " + seed).isEqualTo(end);
                for (int at = 1; at < periods.size(); at++) {
                    assertThat(periods.get(at).fromMs())
                            .as("seed " + seed)
                            .isGreaterThanOrEqualTo(periods.get(at - 1).untilMs());
                }
                for (String each : List.of("basic", "pro", "agency")) {
                    long added = each.equals(plan) ? Plan.PERIOD.toMillis() : 0;
                    assertThat(paidFor(periods, each))
                            .as("seed " + seed + " " + each)
                            .isEqualTo(paidFor(before, each) + added);
                }
                long moment = now;
                if (moment > 0) {
                    long past = random.nextLong(moment);
                    assertThat(planAt(periods, past)).isEqualTo(planAt(before, past));
                }
            }
        }
    }

    private static long paidFor(List<Period> periods, String plan) {
        return periods.stream()
                .filter(period -> period.planId().equals(plan))
                .mapToLong(period -> period.untilMs() - period.fromMs())
                .sum();
    }

    private static String planAt(List<Period> periods, long moment) {
        return new Standing(Plans.PUBLISHED, Plans.PUBLISHED.free(), periods).at(moment).id();
    }

    /// T-197: nobody turns cheap months into dear ones.
    @Test
    void a_higher_tier_lasts_only_as_long_as_it_was_paid_for() {
        List<Period> periods = after("basic@0 basic@0 basic@0 agency@1");
        assertThat(words(periods)).isEqualTo("basic:0-1 agency:1-31 basic:31-120");
        assertThat(paidFor(periods, "agency")).isEqualTo(Plan.PERIOD.toMillis());
    }

    @Test
    void a_plan_that_left_the_catalogue_comes_last() {
        var old = new Period("vintage", 0, 30 * DAY);
        assertThat(words(bought(new ArrayList<>(Arrays.asList(old)), "basic", 10)))
                .isEqualTo("vintage:0-10 basic:10-40 vintage:40-60");
    }
}
