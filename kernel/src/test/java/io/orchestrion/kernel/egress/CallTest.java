package io.orchestrion.kernel.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.egress.CallOutcome.Answered;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class CallTest {
    private static final String URL = "https://example.com/";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Transfer-Encoding",
                "CONNECTION",
                "Upgrade",
                "Proxy-Authorization",
                "Accept-Encoding",
                "a b",
                "a\r\nb",
                "",
                "grün"
            })
    void a_header_that_changes_the_request_itself_is_refused(String name) {
        assertThat(Call.headerFault(name, "x")).startsWith("must ");
        assertThatThrownBy(() -> Call.of("GET", URL).header(name, "x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_header_has_one_line_of_printable_characters() {
        assertThat(Call.headerFault("X-Key", "a\r\nHost: b")).startsWith("must ");
        assertThat(Call.headerFault("X-Key", "grün")).startsWith("must ");
        assertThat(Call.headerFault("X-Key", "a".repeat(8193))).startsWith("must ");
        assertThat(Call.headerFault("X-Key", "a, \"b\"")).isNull();
        assertThat(Call.headerFault("Authorization", "Bearer x")).isNull();
    }

    @Test
    void a_later_value_takes_the_place_of_an_earlier_one_whatever_its_case() {
        Call call =
                Call.of("POST", URL).json(new byte[] {'1'}).header("content-type", "text/plain");
        assertThat(call.headers()).isEqualTo(Map.of("content-type", "text/plain"));
    }

    @Test
    void what_is_no_call_is_refused() {
        assertThatThrownBy(() -> Call.of("CONNECT", URL))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Call.of("GET", URL).json(new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Call.of("GET", URL).within(Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_answer_says_in_seconds_how_long_to_wait() {
        assertThat(asking("120").retryAfterSeconds()).isEqualTo(120);
        assertThat(asking("0").retryAfterSeconds()).isZero();
        assertThat(asking("soon").retryAfterSeconds()).isNull();
        assertThat(asking("-1").retryAfterSeconds()).isNull();
        assertThat(asking("99999999").retryAfterSeconds()).isNull();
        assertThat(new Answered(200, Map.of(), new byte[0]).retryAfterSeconds()).isNull();
    }

    private static Answered asking(String value) {
        return new Answered(503, Map.of("retry-after", List.of(value)), new byte[0]);
    }
}
