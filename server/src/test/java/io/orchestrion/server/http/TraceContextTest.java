package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceContextTest {
    /// L-035: what the W3C calls a valid traceparent goes on, and nothing else.
    @ParameterizedTest
    @CsvSource({
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,"
                + " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more,"
                + " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01,",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more,",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01,",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01,",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01,",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01,",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7,",
        "nonsense,"
    })
    void a_traceparent_is_read_as_its_standard_says(String sent, String read) {
        assertThat(TraceContext.read(sent)).isEqualTo(read);
    }
}
