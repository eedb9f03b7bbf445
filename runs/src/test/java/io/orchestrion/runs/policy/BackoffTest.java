package io.orchestrion.runs.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.util.Random;
import java.util.stream.LongStream;

/// How long the wait before another attempt is.
class BackoffTest {
    private static final PolicySettings USUAL = PolicySettings.USUAL;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # line | failed | least  | middle | most   | without a longest delay
                    R-141  | 1      | 90     | 100    | 110    | 100
                    R-141  | 2      | 180    | 200    | 220    | 200
                    R-171  | 3      | 360    | 400    | 440    | 400
                    R-275  | 9      | 23040  | 25600  | 28160  | 25600
                    R-275  | 10     | 27000  | 30000  | 33000  | 51200
                    R-275  | 1000   | 27000  | 30000  | 33000  | 109951162777600
                    """)
    void each_delay_is_twice_the_one_before(
            String line, int failed, long least, long middle, long most, long uncapped) {
        assertThat(Backoff.delayMs(failed, USUAL, 0)).as(line).isEqualTo(least);
        assertThat(Backoff.delayMs(failed, USUAL, 0.5)).as(line).isEqualTo(middle);
        assertThat(Backoff.delayMs(failed, USUAL, Math.nextDown(1.0))).as(line).isEqualTo(most);
        assertThat(Backoff.uncappedMs(failed, USUAL)).as(line).isEqualTo(uncapped);
    }

    ///
    @Test
    void chance_spreads_the_delays_within_a_tenth() {
        var random = new Random(275);
        long[] delays =
                LongStream.range(0, 200)
                        .map(_ -> Backoff.delayMs(3, USUAL, random.nextDouble()))
                        .toArray();

        assertThat(LongStream.of(delays).boxed())
                .allSatisfy(each -> assertThat(each).isBetween(360L, 440L));
        assertThat(LongStream.of(delays).distinct().count()).isGreaterThan(20);
    }

    @Test
    void no_setting_overflows() {
        var settings =
                new PolicySettings(
                        Long.MAX_VALUE / 4,
                        Long.MAX_VALUE / 2,
                        0,
                        1,
                        0,
                        0,
                        1,
                        0,
                        0,
                        BigDecimal.ZERO);

        assertThat(Backoff.uncappedMs(100, settings)).isPositive();
    }
}
