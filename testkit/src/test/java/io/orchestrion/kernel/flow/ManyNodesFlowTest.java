package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Two nodes without a word between them hold to one limit.
class ManyNodesFlowTest {
    private static final int MAX = 2;
    private static final int KEYS = 5;
    private static final int EACH = 50;

    private final FlowFixture flow = new FlowFixture();
    private final Kernel other = flow.fixture.test.anotherNode(options -> options);
    private final Map<String, AtomicInteger> atWork = new ConcurrentHashMap<>();
    private final AtomicInteger mostAtWork = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void close() {
        other.close();
        flow.close();
    }

    @Test
    void parallel_claims_by_type_and_by_id_never_hold_more_of_a_key_than_allowed() {
        flow.concurrency(Profiles.TASKS, MAX);
        for (int key = 0; key < KEYS; key++) {
            flow.submit("k" + key, EACH);
        }
        var mostHeld = new AtomicLong();
        Parallel.run(
                9,
                i ->
                        () -> {
                            while (done.get() < KEYS * EACH) {
                                if (i == 8) {
                                    mostHeld.accumulateAndGet(flow.mostHeld(), Math::max);
                                } else {
                                    work(i % 2 == 0 ? flow.kernel() : other, i);
                                }
                            }
                            return i;
                        });
        assertThat(mostAtWork).hasValueLessThanOrEqualTo(MAX);
        assertThat(mostHeld).hasValueBetween(1, MAX);
        assertThat(done).hasValue(KEYS * EACH);
        assertThat(flow.rows("select id from work where attempt <> 1 or state <> 'succeeded'"))
                .isEmpty();
    }

    private void work(Kernel node, int worker) {
        List<WorkItem> items = worker < 6 ? flow.claim(node, 1 + worker % 3) : someNamedItem(node);
        for (WorkItem item : items) {
            AtomicInteger mine =
                    atWork.computeIfAbsent(
                            item.links().keys().concurrency(), _ -> new AtomicInteger());
            mostAtWork.accumulateAndGet(mine.incrementAndGet(), Math::max);
        }
        for (WorkItem item : items) {
            atWork.get(item.links().keys().concurrency()).decrementAndGet();
            assertThat(flow.complete(node, item)).isInstanceOf(Ack.Applied.class);
            done.incrementAndGet();
        }
    }

    private List<WorkItem> someNamedItem(Kernel node) {
        List<Map<String, Object>> ready =
                flow.rows("select id from work where state = 'ready' limit 20");
        if (ready.isEmpty()) {
            return List.of();
        }
        int place = ThreadLocalRandom.current().nextInt(ready.size());
        return flow.claimThis(node, (UUID) ready.get(place).get("id"))
                        instanceof Ack.Applied(var item, _, _)
                ? List.of(item)
                : List.of();
    }
}
