package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// What shares something comes one after the other, and every round does something.
class RoundsTest {
    private final List<List<String>> rounds = new ArrayList<>();

    /// Each letter is something that a request shares with others.
    private List<String> run(List<String> requests) {
        return Rounds.run(
                requests,
                request -> request.chars().boxed().toList(),
                round -> {
                    rounds.add(round);
                    return round;
                });
    }

    @Test
    void those_that_share_nothing_go_together_and_others_in_the_order_in_which_they_came() {
        assertThat(run(List.of("a", "b", "ab", "b", "c", "a")))
                .containsExactly("a", "b", "ab", "b", "c", "a");
        assertThat(rounds)
                .containsExactly(List.of("a", "b", "c"), List.of("ab"), List.of("b", "a"));
    }

    @Test
    void one_that_names_the_same_twice_has_its_turn() {
        assertThat(run(List.of("aa", "aa", "a"))).containsExactly("aa", "aa", "a");
        assertThat(rounds).hasSize(3);
    }

    @Test
    void every_round_does_something_whatever_is_shared() {
        var random = new Random(7);
        for (int i = 0; i < 200; i++) {
            rounds.clear();
            var requests = new ArrayList<String>();
            for (int j = random.nextInt(12); j > 0; j--) {
                requests.add(
                        random.ints(random.nextInt(4), 'a', 'd')
                                .collect(
                                        StringBuilder::new,
                                        StringBuilder::appendCodePoint,
                                        StringBuilder::append)
                                .toString());
            }
            assertThat(run(requests)).isEqualTo(requests);
            assertThat(rounds).noneMatch(List::isEmpty);
        }
    }
}
