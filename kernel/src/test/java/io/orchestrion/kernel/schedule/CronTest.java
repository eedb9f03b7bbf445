package io.orchestrion.kernel.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/// What a cron expression means on a calendar without time zones. January 1, 2026 is a Thursday.
class CronTest {
    private static String next(String cron, String from) {
        return String.valueOf(Cron.parse(cron).firstFrom(LocalDateTime.parse(from)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    * * * * *         | 2026-01-01T00:00       | 2026-01-01T00:00
                    * * * * *         | 2026-01-01T00:00:00.001| 2026-01-01T00:01
                    59 23 31 12 *     | 2026-01-01T00:00       | 2026-12-31T23:59
                    */15 * * * *      | 2026-01-01T00:46       | 2026-01-01T01:00
                    5-20/5 * * * *    | 2026-01-01T00:16       | 2026-01-01T00:20
                    5-20/5 * * * *    | 2026-01-01T00:21       | 2026-01-01T01:05
                    0 9-17 * * 1-5    | 2026-01-02T17:01       | 2026-01-05T09:00
                    0 9-17 * * MON-fri| 2026-01-02T17:01       | 2026-01-05T09:00
                    0 0 * * 0         | 2026-01-01T00:00       | 2026-01-04T00:00
                    0 0 * * 7         | 2026-01-01T00:00       | 2026-01-04T00:00
                    0 0 * * 5-7       | 2026-01-03T00:01       | 2026-01-04T00:00
                    0 0 31 * *        | 2026-02-01T00:00       | 2026-03-31T00:00
                    0 0 29 2 *        | 2026-01-01T00:00       | 2028-02-29T00:00
                    0 0 29 2 *        | 2096-03-01T00:00       | 2104-02-29T00:00
                    0 0 13 * 5        | 2026-01-01T00:00       | 2026-01-02T00:00
                    0 0 13 * 5        | 2026-01-10T00:00       | 2026-01-13T00:00
                    0 0 */2 * 1       | 2026-01-01T00:00       | 2026-01-05T00:00
                    0 0 1 jan,JUL *   | 2026-01-02T00:00       | 2026-07-01T00:00
                    1,1,3 2 * * *     | 2026-01-01T02:02       | 2026-01-01T02:03
                    @hourly           | 2026-01-01T00:01       | 2026-01-01T01:00
                    @daily            | 2026-01-01T00:01       | 2026-01-02T00:00
                    @weekly           | 2026-01-01T00:00       | 2026-01-04T00:00
                    @monthly          | 2026-01-01T00:01       | 2026-02-01T00:00
                    0 0 30 2 *        | 2026-01-01T00:00       | null
                    0 0 31 4,6,9,11 * | 2026-01-01T00:00       | null
                    """)
    void the_first_minute_that_fits(String cron, String from, String expected) {
        assertThat(next(cron, from)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``              | must have 5 fields (minute, hour, day of month, month, day of week), has 1
                    * * * *         | must have 5 fields (minute, hour, day of month, month, day of week), has 4
                    * * * * * *     | must have 5 fields (minute, hour, day of month, month, day of week), has 6
                    60 * * * *      | has a bad minute "60": must be from 0 to 59
                    -1 * * * *      | has a bad minute "-1": must be from 0 to 59
                    a * * * *       | has a bad minute "a": must be from 0 to 59
                    1,, * * * *     | has a bad minute "": must be from 0 to 59
                    99999 * * * *   | has a bad minute "99999": must be from 0 to 59
                    * 24 * * *      | has a bad hour "24": must be from 0 to 23
                    * 22-2 * * *    | has a bad hour "22-2": a range must not run backwards
                    * 1- * * *      | has a bad hour "1-": must be from 0 to 23
                    * * 0 * *       | has a bad day of month "0": must be from 1 to 31
                    * * L * *       | has a bad day of month "L": must be from 1 to 31
                    * * ? * *       | has a bad day of month "?": must be from 1 to 31
                    * * * 13 *      | has a bad month "13": must be from 1 to 12 or a name such as JAN
                    * * * MON *     | has a bad month "MON": must be from 1 to 12 or a name such as JAN
                    * * * * 8       | has a bad day of week "8": must be from 0 to 7 or a name such as SUN
                    * * * * 1#2     | has a bad day of week "1#2": must be from 0 to 7 or a name such as SUN
                    */0 * * * *     | has a bad minute "*/0": a step must be from 1 to 59
                    */60 * * * *    | has a bad minute "*/60": a step must be from 1 to 59
                    */2/3 * * * *   | has a bad minute "*/2/3": a step must be from 1 to 59
                    0/15 * * * *    | has a bad minute "0/15": a step needs * or a range before it
                    @reboot         | must be one of @hourly, @daily, @weekly, @monthly, or five fields; was @reboot
                    """)
    void a_bad_expression_is_refused_by_the_part_that_is_wrong(String cron, String message) {
        assertThatThrownBy(() -> Cron.parse(cron))
                .isInstanceOfSatisfying(
                        InvalidTiming.class,
                        e -> {
                            assertThat(e.field()).isEqualTo("cron");
                            assertThat(e.reason()).isEqualTo(message);
                        });
    }

    /// A random expression with the sets that it was written from.
    private record Written(String cron, List<TreeSet<Integer>> sets, boolean either) {
        private static final int[][] BOUNDS = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};

        static Written by(Random random) {
            var fields = new ArrayList<String>();
            var sets = new ArrayList<TreeSet<Integer>>();
            for (int[] bounds : BOUNDS) {
                var set = new TreeSet<Integer>();
                fields.add(field(random, bounds[0], bounds[1], set));
                sets.add(set);
            }
            boolean either = !fields.get(2).startsWith("*") && !fields.get(4).startsWith("*");
            return new Written(String.join(" ", fields), sets, either);
        }

        private static String field(Random random, int min, int max, TreeSet<Integer> set) {
            int low = random.nextInt(min, max + 1);
            int high = random.nextInt(low, max + 1);
            int step = random.nextInt(1, 8);
            String range;
            switch (random.nextInt(4)) {
                case 0 -> {
                    low = min;
                    high = max;
                    range = "*/" + step;
                }
                case 1 -> range = low + "-" + high + "/" + step;
                case 2 -> {
                    high = low;
                    range = "" + low;
                }
                default -> {
                    low = min;
                    high = max;
                    step = 1;
                    range = "*";
                }
            }
            for (int value = low; value <= high; value += step) {
                set.add(value);
            }
            return range;
        }

        /// Minute by minute, without any thought.
        @Nullable LocalDateTime firstFrom(LocalDateTime from) {
            LocalDateTime time = from;
            while (time.isBefore(from.plusDays(60))) {
                boolean day = sets.get(2).contains(time.getDayOfMonth());
                boolean week = sets.get(4).contains(time.getDayOfWeek().getValue() % 7);
                if (sets.get(0).contains(time.getMinute())
                        && sets.get(1).contains(time.getHour())
                        && sets.get(3).contains(time.getMonthValue())
                        && (either ? day || week : day && week)) {
                    return time;
                }
                time = time.plusMinutes(1);
            }
            return null;
        }
    }

    @Test
    void random_expressions_give_what_a_look_at_every_minute_gives() {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        int found = 0;
        for (int i = 0; i < 300; i++) {
            Written written = Written.by(random);
            LocalDateTime from =
                    LocalDateTime.of(2024, 1, 1, 0, 0).plusMinutes(random.nextInt(2_000_000));
            LocalDateTime expected = written.firstFrom(from);
            LocalDateTime answer = Cron.parse(written.cron()).firstFrom(from);
            String what = "seed " + seed + ": " + written.cron() + " from " + from;
            if (expected != null) {
                found++;
                assertThat(answer).as(what).isEqualTo(expected);
            } else if (answer != null) {
                assertThat(answer).as(what).isAfterOrEqualTo(from.plusDays(60));
            }
        }
        assertThat(found).isGreaterThan(50);
    }
}
