package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class GateTest {
    private final Gate gate = new Gate(1);
    private final Gate.Pass first = gate.pass();
    private final Gate.Pass second = gate.pass();

    @Test
    void a_place_is_taken_until_it_is_given_back() throws Exception {
        first.enter();
        assertThat(gate.free()).isZero();
        first.leave();
        assertThat(gate.free()).isEqualTo(1);
    }

    @Test
    void a_place_is_given_back_once() throws Exception {
        first.enter();
        first.leave();
        first.leave();
        assertThat(gate.free()).isEqualTo(1);
    }

    @Test
    void whoever_is_held_up_goes_on_without_a_place() throws Exception {
        first.enter();
        CompletableFuture<Void> other =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                second.enter();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        // The first never leaves.
        other.get(30, TimeUnit.SECONDS);
        second.leave();
        assertThat(gate.free()).isZero();
        first.leave();
        assertThat(gate.free()).isEqualTo(1);
    }
}
