package io.orchestrion.kernel.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

class TurnsTest {

    @Test
    void one_at_a_time_has_its_turn_with_a_thing() {
        var turns = new Turns<String>(Duration.ofSeconds(30));
        var present = new AtomicInteger();
        List<Integer> seen =
                Parallel.run(
                        50,
                        _ ->
                                () ->
                                        turns.inTurn(
                                                "one",
                                                () -> {
                                                    int now = present.incrementAndGet();
                                                    Thread.yield();
                                                    present.decrementAndGet();
                                                    return now;
                                                }));
        assertThat(seen).hasSize(50).containsOnly(1);
    }

    @Test
    void another_thing_is_not_waited_for_and_a_turn_that_lasts_is_given_up() {
        var turns = new Turns<String>(Duration.ofMillis(1));
        int inner =
                turns.inTurn(
                        "one",
                        () -> {
                            assertThatThrownBy(
                                            () ->
                                                    Parallel.run(
                                                            1,
                                                            _ ->
                                                                    () ->
                                                                            turns.inTurn(
                                                                                    "one",
                                                                                    () -> 1)))
                                    .hasCauseInstanceOf(StoreException.class);
                            return Parallel.run(1, _ -> () -> turns.inTurn("two", () -> 2))
                                    .getFirst();
                        });
        assertThat(inner).isEqualTo(2);
        assertThat(turns.inTurn("one", () -> 3)).isEqualTo(3);
    }
}
