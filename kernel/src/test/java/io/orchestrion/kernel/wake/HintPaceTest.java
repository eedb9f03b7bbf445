package io.orchestrion.kernel.wake;

import static io.orchestrion.kernel.wake.HintPace.AT_ONCE;
import static io.orchestrion.kernel.wake.HintPace.EVERY_NANOS;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HintPaceTest {
    /// Near the end of what the clock counts to, where it starts again below zero.
    private static final long BEGIN = Long.MAX_VALUE - 10 * EVERY_NANOS;

    private final HintPace pace = new HintPace(BEGIN);

    @Test
    void a_few_go_at_once_and_the_next_waits() {
        for (int i = 1; i < AT_ONCE; i++) {
            assertThat(pace.sent(BEGIN)).isZero();
        }
        assertThat(pace.sent(BEGIN)).isEqualTo(EVERY_NANOS);
    }

    @Test
    void under_load_the_pace_is_steady() {
        long now = BEGIN;
        int sent = 0;
        while (now - BEGIN < 1000 * EVERY_NANOS) {
            now += pace.sent(now);
            sent++;
        }
        assertThat(sent).isEqualTo(1000 + AT_ONCE - 1);
    }

    @Test
    void after_a_rest_a_few_go_at_once_again_and_no_more() {
        for (int i = 0; i < AT_ONCE; i++) {
            pace.sent(BEGIN);
        }
        long later = BEGIN + 1000 * EVERY_NANOS;
        for (int i = 1; i < AT_ONCE; i++) {
            assertThat(pace.sent(later)).isZero();
        }
        assertThat(pace.sent(later)).isEqualTo(EVERY_NANOS);
    }
}
