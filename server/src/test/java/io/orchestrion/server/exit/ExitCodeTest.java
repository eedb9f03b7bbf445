package io.orchestrion.server.exit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;

class ExitCodeTest {
    @Test
    void no_number_means_two_things() {
        assertThat(Arrays.stream(ExitCode.values()).map(ExitCode::number)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(ExitCode.class)
    void every_code_fits_a_process_and_says_what_to_do(ExitCode code) {
        // Shells use 126 to 128 themselves, and 128 + n for a signal n.
        assertThat(code.number()).isBetween(0, 130).isNotIn(1, 2, 126, 127, 128);
        assertThat(code.meaning()).endsWith(".");
        assertThat(code.advice()).endsWith(".");
    }
}
