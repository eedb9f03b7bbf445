package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Profiles;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;

/// Keys take turns, however much each of them has.
class FlowFairnessTest {
    private final FlowFixture flow = new FlowFixture();

    @AfterEach
    void close() {
        flow.close();
    }

    @Test
    void a_key_with_one_is_served_in_the_next_round_though_another_has_a_thousand() {
        flow.concurrency(Profiles.TASKS, 1000);
        flow.submit("a", 1000);
        flow.claim(3);
        flow.submit("b", 1);
        assertThat(flow.claimedKeys(1)).containsExactly("b");
        assertThat(flow.claimedKeys(1)).containsExactly("a");
    }

    @Test
    void in_one_claim_each_key_gets_the_same_share() {
        flow.concurrency(Profiles.TASKS, 1000);
        flow.submit("a", 100);
        flow.submit("b", 20);
        flow.submit("c", 2);
        List<String> keys = flow.claimedKeys(12);
        assertThat(keys).hasSize(12);
        assertThat(Collections.frequency(keys, "a")).isEqualTo(5);
        assertThat(Collections.frequency(keys, "b")).isEqualTo(5);
        assertThat(Collections.frequency(keys, "c")).isEqualTo(2);
    }

    @Test
    void single_claims_go_round_and_round() {
        flow.concurrency(Profiles.TASKS, 1000);
        flow.submit("a", 10);
        flow.submit("b", 10);
        flow.submit("c", 10);
        var order = new StringBuilder();
        for (int i = 0; i < 9; i++) {
            order.append(flow.claimedKeys(1).getFirst());
        }
        assertThat(order).hasToString("abcabcabc");
    }

    @Test
    void a_claim_takes_all_it_asked_for_when_few_keys_have_it() {
        flow.concurrency(Profiles.TASKS, 1000);
        flow.submit("a", 300);
        flow.submit("b", 1);
        assertThat(flow.claim(301)).hasSize(301);
    }
}
