package io.orchestrion.kernel.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Three nodes without a leader do the same duties at the same time, and each change happens once.
class ManyNodesTest {
    private static final int ITEMS = 300;

    private final WorkFixture fixture = new WorkFixture();
    private final List<Kernel> nodes =
            List.of(
                    fixture.kernel(),
                    fixture.test.anotherNode(options -> options),
                    fixture.test.anotherNode(options -> options));

    @AfterEach
    void close() {
        nodes.get(1).close();
        nodes.get(2).close();
        fixture.close();
    }

    /// All nodes at once, again and again until none of them finds anything; the sum of what they
    /// say.
    private int sweepEverywhere(String duty) {
        return Parallel.run(
                        6,
                        i ->
                                () -> {
                                    int changed = 0;
                                    int last;
                                    do {
                                        last = nodes.get(i % 3).sweepOnce(duty);
                                        changed += last;
                                    } while (last > 0);
                                    return changed;
                                })
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    private long count(String sql) {
        return fixture.database().value("select count(*) from " + sql);
    }

    /// K-08.
    @Test
    void each_lapsed_lease_ends_once() {
        for (int i = 0; i < ITEMS; i++) {
            fixture.submit(Profiles.TASKS);
        }
        fixture.claim(Profiles.TASKS, ITEMS);
        fixture.advance(Duration.ofSeconds(301));
        assertThat(sweepEverywhere("lease-reaper")).isEqualTo(ITEMS);
        assertThat(count("work_event where event = 'expire'")).isEqualTo(ITEMS);
        assertThat(count("work where state = 'ready' and attempt = 1 and event_seq = 3"))
                .isEqualTo(ITEMS);
    }

    /// K-08.
    @Test
    void each_due_item_is_promoted_once() {
        long now = fixture.view(Profiles.JOBS, fixture.submit(Profiles.JOBS)).nowMs();
        for (int i = 0; i < ITEMS; i++) {
            fixture.submit(fixture.draft(Profiles.JOBS, now + 600_000, null, null));
        }
        fixture.advance(Duration.ofSeconds(601));
        assertThat(sweepEverywhere("due-promoter")).isEqualTo(ITEMS);
        // And the first one, which was due when it came.
        assertThat(count("work_event where event = 'promote'")).isEqualTo(ITEMS + 1);
        assertThat(count("work where state = 'ready' and event_seq = 2")).isEqualTo(ITEMS + 1);
    }

    private List<UUID> complete(int items) {
        for (int i = 0; i < items; i++) {
            fixture.submit(Profiles.TASKS);
        }
        List<UUID> ids =
                fixture.claim(Profiles.TASKS, items).stream()
                        .map(view -> view.item().id())
                        .toList();
        ids.forEach(
                id ->
                        fixture.apply(
                                Profiles.TASKS, id, new Command.Complete(Fence.NONE, "1", null)));
        return ids;
    }

    /// K-08.
    @Test
    void each_old_item_is_purged_once_with_all_that_hangs_on_it() {
        complete(ITEMS);
        fixture.submit(Profiles.TASKS);
        fixture.advance(Duration.ofDays(91));
        assertThat(sweepEverywhere("purger")).isEqualTo(ITEMS);
        assertThat(count("work")).isEqualTo(1);
        assertThat(count("work_event")).isEqualTo(1);
    }
}
