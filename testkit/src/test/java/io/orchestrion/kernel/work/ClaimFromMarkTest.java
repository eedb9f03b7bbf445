package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.ClaimMarks.Line;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Claims on a node for which every look takes long, so that it begins at a mark as soon as it may.
class ClaimFromMarkTest {
    private final AtomicLong ticks = new AtomicLong();
    private final WorkFixture fixture =
            new WorkFixture(
                    options ->
                            options.withTicker(
                                    () -> ticks.addAndGet(Duration.ofMillis(25).toNanos())));

    @AfterEach
    void stop() {
        fixture.close();
    }

    private List<UUID> submit(int count) {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < count; i++) {
            ids.add(fixture.submit(Profiles.TASKS));
        }
        return ids;
    }

    private List<UUID> claim(int count) {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < count; i++) {
            fixture.claim(Profiles.TASKS, 1).forEach(view -> ids.add(view.item().id()));
        }
        return ids;
    }

    private UUID withPriority(int priority) {
        return fixture.submit(fixture.draft(Profiles.TASKS).prioritised(priority));
    }

    private long now() {
        return fixture.database()
                .value("select floor(extract(epoch from clock_timestamp()) * 1000)::bigint");
    }

    private void assertMarked() {
        assertThat(
                        fixture.kernel()
                                .verbs()
                                .marks()
                                .of(new Line(fixture.account, "tasks", WorkFixture.KIND)))
                .isNotNull();
    }

    @Test
    void the_order_is_the_same() {
        List<UUID> ids = submit(20);
        List<UUID> first = claim(5);
        assertMarked();
        first.addAll(claim(15));
        assertThat(first).isEqualTo(ids);
        assertThat(claim(1)).isEmpty();
        List<UUID> later = submit(3);
        assertThat(claim(5)).isEqualTo(later);
    }

    @Test
    void what_has_a_better_or_a_worse_priority_is_found_in_its_place() {
        List<UUID> ids = submit(8);
        claim(5);
        assertMarked();
        UUID worse = withPriority(-1);
        UUID better = withPriority(9);
        assertThat(claim(10)).containsExactly(better, ids.get(5), ids.get(6), ids.get(7), worse);
    }

    @Test
    void what_this_node_makes_ready_again_comes_first() {
        List<UUID> ids = submit(8);
        claim(5);
        assertMarked();
        fixture.advance(Duration.ofHours(1));
        fixture.sweep("lease-reaper");
        assertThat(claim(8)).isEqualTo(ids);
    }

    @Test
    void what_is_due_is_found_by_the_very_claim_that_makes_it_ready() {
        UUID due = fixture.submit(fixture.draft(Profiles.TASKS, now() + 60_000, null, null));
        List<UUID> ids = submit(8);
        claim(5);
        assertMarked();
        fixture.advance(Duration.ofMinutes(2));
        assertThat(claim(1)).containsAnyOf(due, ids.get(5));
        assertThat(claim(3)).contains(ids.get(7));
        assertThat(claim(1)).isEmpty();
        assertThat(fixture.item(Profiles.TASKS, due).state()).isEqualTo(WorkState.RUNNING);
    }

    /// The time of the one that becomes due lies before that of the mark.
    @Test
    void what_is_due_comes_first_also_where_it_stands_before_the_mark() {
        for (int i = 0; i < 8; i++) {
            fixture.submit(fixture.draft(Profiles.TASKS, now() + 60_000, null, null));
        }
        UUID due = fixture.submit(fixture.draft(Profiles.TASKS, now() + 3_600_000, null, null));
        fixture.advance(Duration.ofMinutes(2));
        assertThat(claim(5)).hasSize(5);
        assertMarked();
        fixture.database().execute("update work set run_at_ms = 5, order_ms = 5 where id = ?", due);
        assertThat(claim(1)).containsExactly(due);
    }

    @Test
    void what_another_node_makes_ready_again_is_found_when_nothing_else_is_left() {
        List<UUID> ids = submit(8);
        claim(5);
        assertMarked();
        fixture.advance(Duration.ofHours(1));
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            other.sweepOnce("lease-reaper");
        }
        assertThat(claim(8)).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void many_at_once_get_each_item_once() throws Exception {
        List<UUID> ids = submit(200);
        claim(5).forEach(ids::remove);
        assertMarked();
        Callable<List<UUID>> claimer =
                () -> {
                    var mine = new ArrayList<UUID>();
                    List<UUID> got = claim(1);
                    while (!got.isEmpty()) {
                        mine.addAll(got);
                        got = claim(1);
                    }
                    return mine;
                };
        var all = new ArrayList<UUID>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<UUID>> each :
                    threads.invokeAll(java.util.Collections.nCopies(8, claimer))) {
                all.addAll(each.get());
            }
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    }
}
