package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.flow.KeyLimits.Busy;
import io.orchestrion.kernel.flow.KeyLimits.Limit;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/// At most so many starts of one rate key in any stretch of time as long as the period.
class StartRateTest {
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private final FlowFixture flow = new FlowFixture();

    @AfterEach
    void close() {
        flow.close();
    }

    private void submit(String rate, int count) {
        for (int i = 0; i < count; i++) {
            flow.submit(null, rate);
        }
    }

    @Test
    void a_key_starts_no_more_than_its_share_in_a_period() {
        flow.rate(3, MINUTE);
        submit("r", 10);
        submit("s", 1);
        assertThat(flow.claim(20)).hasSize(4);
        assertThat(flow.claim(20)).isEmpty();
        flow.fixture.advance(Duration.ofSeconds(30));
        assertThat(flow.claim(20)).isEmpty();
        flow.fixture.advance(Duration.ofSeconds(31));
        assertThat(flow.claim(20)).hasSize(3);
        assertThat(flow.claim(20)).isEmpty();
    }

    /// What was started at the end of one fixed minute and at the start of the next would be twice
    /// the share in a moment.
    @Test
    void the_window_slides() {
        flow.rate(2, MINUTE);
        submit("r", 10);
        assertThat(flow.claim(1)).hasSize(1);
        flow.fixture.advance(Duration.ofSeconds(50));
        assertThat(flow.claim(5)).hasSize(1);
        flow.fixture.advance(Duration.ofSeconds(11));
        assertThat(flow.claim(5)).hasSize(1);
        assertThat(flow.claim(5)).isEmpty();
    }

    @Test
    void a_retry_is_a_start_and_so_is_a_claim_of_a_named_item() {
        flow.rate(3, MINUTE);
        submit("r", 3);
        WorkItem first = flow.claim(1).getFirst();
        flow.fixture.apply(
                Profiles.TASKS,
                first.id(),
                new Command.Fail(Fence.of(first.lease().token()), "no", 0L, true));
        assertThat(flow.claimThis(first.id())).isInstanceOf(Ack.Applied.class);
        List<WorkItem> third = flow.claim(5);
        assertThat(third).hasSize(1);
        UUID left =
                flow.rows("select id from work where state = 'ready'").stream()
                        .map(row -> (UUID) row.get("id"))
                        .findFirst()
                        .orElseThrow();
        Refusal refusal = ((Ack.Refused) flow.claimThis(left)).refusal();
        Busy busy = ((Refusal.KeyBusy) refusal).busy();
        assertThat(busy.limit()).isEqualTo(Limit.RATE);
        assertThat(busy.waitMs()).isBetween(50_000L, 60_000L);
        flow.fixture.advance(Duration.ofMillis(busy.waitMs()));
        assertThat(flow.claimThis(left)).isInstanceOf(Ack.Applied.class);
    }

    /// Two nodes, a clock that jumps, claims by type and by id: checked afterwards by the times
    /// that the leases themselves have in their history.
    @Test
    void no_window_of_the_period_ever_has_more_starts_across_two_nodes() {
        int max = 5;
        flow.rate(max, MINUTE);
        submit("r", 120);
        try (Kernel other = flow.fixture.test.anotherNode(options -> options)) {
            var random = new Random(7);
            for (int round = 0; round < 60; round++) {
                Parallel.run(
                        4,
                        i ->
                                () -> {
                                    Kernel node = i % 2 == 0 ? flow.kernel() : other;
                                    return flow.claim(node, 1 + i).size();
                                });
                flow.fixture.advance(Duration.ofMillis(random.nextInt(12_000)));
            }
        }
        List<Long> starts =
                flow
                        .rows("select at_ms from work_event where event = 'lease' order by at_ms")
                        .stream()
                        .map(row -> (Long) row.get("at_ms"))
                        .toList();
        // The clock moved by six minutes on average: that many windows were used at the least.
        assertThat(starts).hasSizeGreaterThanOrEqualTo(max * 4);
        for (int i = 0; i + max < starts.size(); i++) {
            assertThat(starts.get(i + max) - starts.get(i))
                    .as("start " + i + " and the one after " + max + " more")
                    .isGreaterThanOrEqualTo(MINUTE.toMillis());
        }
    }

    @Test
    void counts_that_no_window_reaches_are_removed() {
        flow.rate(3, MINUTE);
        submit("r", 3);
        flow.claim(3);
        flow.fixture.advance(Duration.ofSeconds(61));
        assertThat(flow.fixture.sweep("start-purger")).isZero();
        flow.fixture.advance(Duration.ofSeconds(61));
        assertThat(flow.fixture.sweep("start-purger")).isEqualTo(1);
        assertThat(flow.rows("select * from flow_start")).isEmpty();
    }

    @Test
    void both_limits_hold_together() {
        flow.limit(Profiles.TASKS, 2, 3, MINUTE);
        flow.settle();
        for (int i = 0; i < 10; i++) {
            flow.submit("c", "r");
        }
        List<WorkItem> two = flow.claim(10);
        assertThat(two).hasSize(2);
        flow.complete(two);
        assertThat(flow.claim(10)).hasSize(1);
        assertThat(flow.claim(10)).isEmpty();
    }
}
