package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class GateTest {
    private final Gate gate = new Gate(1, 1);
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
    void the_next_batch_runs_while_one_commits() throws Exception {
        first.enter();
        first.toCommit();
        assertThat(gate.free()).isEqualTo(1);
        second.enter();
        assertThat(gate.free()).isZero();
        first.leave();
        second.toCommit();
        assertThat(gate.freeToCommit()).isZero();
        second.leave();
        assertThat(gate.freeToCommit()).isEqualTo(1);
    }

    @Test
    void a_turn_to_commit_is_kept_by_one_that_goes_on_singly() throws Exception {
        first.enter();
        first.toCommit();
        first.toCommit();
        first.leave();
        assertThat(gate.freeToCommit()).isEqualTo(1);
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
