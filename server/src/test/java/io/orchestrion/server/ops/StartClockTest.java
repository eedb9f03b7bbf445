package io.orchestrion.server.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StartClockTest {
    @Test
    void the_age_of_the_process_is_read_past_a_name_with_blanks_and_brackets() {
        String stat =
                "4711 (my (java) x) S 1 2 3 4 -1 5 6 7 8 9 10 11 12 13 20 0 30 0 255900 1 2 3\n";
        assertThat(StartClock.ageMillis(stat, "2560.25 4000.00\n")).isEqualTo(1250);
    }

    @Test
    void a_start_just_now_is_never_negative() {
        assertThat(new StartClock().millis()).isNotNegative();
    }
}
