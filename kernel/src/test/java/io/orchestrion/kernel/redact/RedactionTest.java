package io.orchestrion.kernel.redact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Bearer s3cretpart.and.more",
                "authorization=Basic s3cretpart==",
                "sent bearer s3cretpartAndMore to it",
                "X-Api-Key: s3cretpart",
                "{\"password\":\"s3cretpart with blanks\"}",
                "client_secret=s3cretpart&x=1",
                "https://user:s3cretpart@host/path",
                "key orch_live_s3cretpart12345 was refused"
            })
    void what_looks_like_a_secret_is_taken_out(String text) {
        assertThat(Redaction.summary(text)).contains("[redacted]").doesNotContain("s3cretpart");
    }

    @Test
    void what_is_none_stays_as_it_is() {
        assertThat(Redaction.summary("a plain sentence about order 17"))
                .isEqualTo("a plain sentence about order 17");
        assertThat(Redaction.summary(null)).isNull();
    }

    @Test
    void a_summary_has_at_most_500_characters_and_no_character_in_two_halves() {
        assertThat(Redaction.summary("x".repeat(10_000))).hasSize(500);
        String faces = Redaction.summary("\uD83D\uDE00".repeat(10_000));
        assertThat(faces).isEqualTo("\uD83D\uDE00".repeat(500));
    }

    /// No text of the database holds U+0000.
    @Test
    void a_summary_can_be_stored() {
        assertThat(Redaction.summary("a\0b")).isEqualTo("ab");
    }
}
