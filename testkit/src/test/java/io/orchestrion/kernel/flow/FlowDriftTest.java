package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// What becomes of limits after a long time of everything.
class FlowDriftTest {
    private static final int MAX = 4;
    private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f", "g", "h");
    private static final int STEPS = 350;

    private final FlowFixture flow = new FlowFixture();

    @AfterEach
    void close() {
        flow.close();
    }

    /// Thousands of claims, ends, lapses, crashes before the commit and lost answers on two nodes:
    /// in the end each key has room for exactly what its leases leave.
    @Test
    void limit_counter_drift() {
        long seed = 20_260_101;
        var random = new Random(seed);
        flow.concurrency(Profiles.TASKS, MAX);
        int claimed = 0;
        var held = new ArrayList<WorkItem>();
        try (Kernel other = flow.fixture.test.anotherNode(options -> options)) {
            for (int step = 0; step < STEPS; step++) {
                Kernel node = random.nextBoolean() ? flow.kernel() : other;
                flow.submitAll(
                        12, _ -> FlowFixture.keys(KEYS.get(random.nextInt(KEYS.size())), null));
                switch (random.nextInt(20)) {
                    case 0 -> crash("claim.before-commit");
                    case 1 -> crash("holder.before-commit");
                    case 2 -> flow.fixture.advance(Duration.ofSeconds(200));
                    case 3 -> flow.kernel().sweepOnce("lease-reaper");
                    case 4 -> crash("settle.before-commit");
                    default -> {}
                }
                try {
                    List<WorkItem> got = flow.claim(node, 1 + random.nextInt(20));
                    claimed += got.size();
                    // The answer to some is lost on the way: nobody will ever end these leases.
                    got.stream().filter(_ -> random.nextInt(15) > 0).forEach(held::add);
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessage("gone");
                }
                while (!held.isEmpty() && random.nextInt(12) > 0) {
                    end(node, held.remove(random.nextInt(held.size())), random);
                }
                if (step % 10 == 0) {
                    assertThat(flow.mostHeld()).as("step " + step).isLessThanOrEqualTo(MAX);
                }
            }
        }
        assertThat(claimed).as("seed " + seed).isGreaterThan(1500);
        roomIsWhatTheLeasesLeave();
    }

    private void crash(String failpoint) {
        flow.fixture
                .test
                .failpoints()
                .arm(
                        failpoint,
                        () -> {
                            flow.fixture.test.failpoints().arm(failpoint, () -> {});
                            throw new IllegalStateException("gone");
                        });
    }

    private void end(Kernel node, WorkItem item, Random random) {
        Fence fence = Fence.of(item.lease().token());
        Command command =
                switch (random.nextInt(4)) {
                    case 0 -> new Command.Fail(fence, "no", 0L, true);
                    case 1 -> new Command.Fail(fence, "no", 5000L, true);
                    default -> new Command.Complete(fence, "{}", null);
                };
        try {
            node.work().command(flow.fixture.order(Profiles.TASKS, item.id(), command));
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("gone");
        }
    }

    private void roomIsWhatTheLeasesLeave() {
        KEYS.forEach(key -> flow.submit(key, MAX + 1));
        Map<String, Integer> live = new HashMap<>();
        for (Map<String, Object> row :
                flow.rows(
                        "select concurrency_key, count(*)::int as n from work"
                                + " where state in ('leased', 'running') group by 1")) {
            live.put((String) row.get("concurrency_key"), (Integer) row.get("n"));
        }
        Map<String, Integer> room = new HashMap<>();
        for (String key : flow.claimedKeys(500)) {
            room.merge(key, 1, Integer::sum);
        }
        for (String key : KEYS) {
            assertThat(room.getOrDefault(key, 0))
                    .as(key + " of " + live)
                    .isEqualTo(MAX - live.getOrDefault(key, 0));
        }
    }
}
