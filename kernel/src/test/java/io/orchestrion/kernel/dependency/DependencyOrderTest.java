package io.orchestrion.kernel.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

class DependencyOrderTest {
    /// `a:b c, d` is: a names b and c, d names none.
    private static LinkedHashMap<String, List<String>> names(String text) {
        var names = new LinkedHashMap<String, List<String>>();
        for (String one : text.split(",")) {
            String[] parts = one.strip().split(":");
            names.put(parts[0], parts.length == 1 ? List.of() : List.of(parts[1].split(" ")));
        }
        return names;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a                     | a
                    b:a, a                | a b
                    c:b, b:a, a           | a b c
                    d:b c, c:a, b:a, a    | a c b d
                    a:elsewhere           | a
                    b:a a, a              | a b
                    """)
    void each_comes_after_those_it_names(String given, String order) {
        assertThat(DependencyOrder.of(names(given)))
                .isEqualTo(new DependencyOrder.Ordered<>(List.of(order.split(" "))));
    }

    /// L-011: a cycle is found and named.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a:a                   | a
                    a:b, b:a              | a b
                    x, a:b, b:c, c:a      | a b c
                    d:a, a:b, b:a         | a b
                    """)
    void a_ring_is_found(String given, String ring) {
        assertThat(DependencyOrder.of(names(given)))
                .isEqualTo(new DependencyOrder.Cycle<>(List.of(ring.split(" "))));
    }

    @Test
    void any_graph_whose_names_point_back_is_ordered() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            var names = new LinkedHashMap<Integer, List<Integer>>();
            for (int i = 0; i < 60; i++) {
                int one = i;
                names.putFirst(
                        one,
                        random.ints(3, 0, Math.max(1, one))
                                .filter(other -> other < one)
                                .boxed()
                                .toList());
            }
            var found = DependencyOrder.of(names);
            assertThat(found).isInstanceOf(DependencyOrder.Ordered.class);
            List<Integer> order = ((DependencyOrder.Ordered<Integer>) found).order();
            assertThat(order).containsExactlyInAnyOrderElementsOf(names.keySet());
            names.forEach(
                    (one, named) ->
                            named.forEach(
                                    other ->
                                            assertThat(order.indexOf(other))
                                                    .isLessThan(order.indexOf(one))));
        }
    }
}
