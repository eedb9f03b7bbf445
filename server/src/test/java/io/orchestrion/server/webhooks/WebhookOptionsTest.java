package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/// How often a delivery is tried, and how long each try is waited for.
class WebhookOptionsTest {
    private static final RandomGenerator RANDOM = RandomGenerator.of("L64X128MixRandom");

    private static void waits(WebhookOptions options, int tries, Duration meant) {
        assertThat(options.delayMillis(tries, RANDOM))
                .isBetween(meant.toMillis() * 9 / 10, meant.toMillis() * 11 / 10);
    }

    /// J-293.
    @Test
    void without_a_setting_there_are_five_retries_each_after_twice_the_wait() {
        WebhookOptions options = WebhookOptions.DEFAULT;
        assertThat(options.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.attempts()).isEqualTo(1 + 5);
        for (int tries = 1; tries <= 5; tries++) {
            waits(options, tries, Duration.ofSeconds(1L << (tries - 1)));
        }
    }

    /// J-293.
    @Test
    void no_wait_is_longer_than_the_longest() {
        var base = Duration.ofSeconds(1);
        var options = WebhookOptions.DEFAULT.withTries(20, base, Duration.ofSeconds(60), List.of());
        for (int tries = 7; tries <= 20; tries++) {
            waits(options, tries, Duration.ofSeconds(60));
        }
    }

    @Test
    void slow_retries_follow_the_others_where_they_are_set() {
        var options =
                WebhookOptions.DEFAULT.withTries(
                        1,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(60),
                        List.of(Duration.ofMinutes(5), Duration.ofHours(2)));
        assertThat(options.attempts()).isEqualTo(1 + 1 + 2);
        waits(options, 1, Duration.ofSeconds(1));
        waits(options, 2, Duration.ofMinutes(5));
        waits(options, 3, Duration.ofHours(2));
    }
}
