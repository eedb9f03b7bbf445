package io.orchestrion.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class SpecCoveragePageTest {
    @Test
    void ids_above_a_test_are_those_it_covers() {
        List<String> source =
                """
                /// About all of it.
                class SomeTest {
                    private void helper() {}

                    /// X-001, Y-002: the first,
                    /// and X-010..X-012.
                    @ParameterizedTest
                    @ValueSource(strings = {"void not_this("})
                    void one(String a) {

                    /// Nothing named.
                    @Test
                    void two() {

                    /// X-013..15.
                    @CsvSource({
                        "X-020, a row of a table",
                    })
                    void three() {
                        "X-999 in a body";
                """
                        .replace('X', 'T')
                        .replace('Y', 'K')
                        .lines()
                        .toList();
        assertThat(SpecCoveragePage.read("SomeTest", source))
                .extracting(each -> each.test() + each.ids())
                .containsExactly(
                        "one[" + "T-001, K-002, T-010, T-011, T-012]",
                        "three[" + "T-013, T-014, T-015, T-020]");
    }

    @Test
    void neighbours_are_written_as_a_range() {
        assertThat(SpecCoveragePage.ranges(List.of(1, 2, 3, 5, 7, 8))).isEqualTo("1–3, 5, 7–8");
        assertThat(SpecCoveragePage.ranges(List.of())).isEmpty();
    }
}
