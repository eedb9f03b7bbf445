package io.orchestrion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class OutputLinesTest {
    private static List<String> lines(byte[] output) throws IOException {
        var lines = new ArrayList<String>();
        new OutputLines(lines::add).read(new ByteArrayInputStream(output));
        return lines;
    }

    private static List<String> lines(String output) throws IOException {
        return lines(output.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void lines_end_with_a_feed_a_return_or_both_and_the_last_one_with_the_output()
            throws IOException {
        assertThat(lines("one\ntwo\r\n\n10%\r20%\r\nlast"))
                .containsExactly("one", "two", "", "10%", "20%", "last");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void a_line_without_end_is_cut_and_says_how_much_is_gone() throws IOException {
        List<String> lines = lines("x".repeat(10_000) + "\nnext\n");
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .hasSize(OutputLines.LONGEST)
                .startsWith("xxx")
                .endsWith("x… (6000 more characters)");
        assertThat(lines.get(1)).isEqualTo("next");
    }

    @Test
    void no_half_of_a_character_is_left_by_the_cut() throws IOException {
        for (int shift = 0; shift < 2; shift++) {
            String cut = lines("x".repeat(shift) + "😀".repeat(5_000)).getFirst();
            assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(cut)
                    .doesNotContain("\uFFFD")
                    .doesNotContain("?");
        }
    }

    @Test
    void colours_are_taken_out_and_bytes_that_are_no_text_replaced() throws IOException {
        assertThat(lines("\u001b[31mred\u001b[0m \u001b[1;32;40mgreen\u001b[K"))
                .containsExactly("red green");
        assertThat(lines(new byte[] {'a', (byte) 0xC3, '\n', (byte) 0xFF}))
                .containsExactly("a\uFFFD", "\uFFFD");
    }
}
