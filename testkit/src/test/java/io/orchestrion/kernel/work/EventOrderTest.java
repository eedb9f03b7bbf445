package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

class EventOrderTest {
    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    static void assertExplains(List<HistoryEntry> history, WorkItem item) {
        assertThat(history.getFirst().event()).isEqualTo(WorkEvent.SUBMIT);
        for (int i = 0; i < history.size(); i++) {
            HistoryEntry entry = history.get(i);
            assertThat(entry.seq()).isEqualTo(i + 1);
            if (i > 0) {
                HistoryEntry before = history.get(i - 1);
                assertThat(entry.atMs()).isGreaterThan(before.atMs());
                assertThat(entry.from()).isEqualTo(before.to());
                assertThat(entry.leaseNumber()).isGreaterThanOrEqualTo(before.leaseNumber());
            }
        }
        assertThat(history.getLast().to()).isEqualTo(item.state());
        assertThat(history.getLast().seq()).isEqualTo(item.place().eventSeq());
        assertThat(history.getLast().atMs()).isEqualTo(item.place().eventMs());
    }

    private static Command random(Random random) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new Command.Lease(UUID.randomUUID(), "w", null);
            case 2 -> new Command.Fail(Fence.NONE, "no", 0L, true);
            case 3 -> new Command.Heartbeat(Fence.NONE);
            case 4 -> new Command.Reopen();
            case 5 -> new Command.Hold();
            case 6 -> new Command.Release();
            default -> new Command.Start(Fence.NONE);
        };
    }

    /// K-05.
    @Test
    void many_writers_of_two_nodes_leave_one_gapless_history_with_growing_times() {
        UUID id = fixture.submit(Profiles.TASKS);
        try (var other = fixture.test.anotherNode(options -> options)) {
            Parallel.run(
                    16,
                    i ->
                            () -> {
                                Work node = i % 2 == 0 ? fixture.work() : other.work();
                                var random = new Random(i);
                                for (int n = 0; n < 25; n++) {
                                    node.command(fixture.order(Profiles.TASKS, id, random(random)));
                                }
                                return null;
                            });
        }
        List<HistoryEntry> history = fixture.work().history(fixture.account, id);
        assertThat(history.size()).isGreaterThan(20);
        assertExplains(history, fixture.item(Profiles.TASKS, id));
    }

    /// K-05: the database's clock may be set back; the history goes on.
    @Test
    void times_grow_also_when_the_clock_goes_back() {
        UUID id = fixture.submit(Profiles.TASKS);
        for (int i = 0; i < 3; i++) {
            fixture.claim(Profiles.TASKS);
            fixture.advance(Duration.ofSeconds(-30));
            fixture.apply(Profiles.TASKS, id, new Command.Fail(Fence.NONE, "no", null, true));
            fixture.advance(Duration.ofSeconds(-30));
        }
        List<HistoryEntry> history = fixture.work().history(fixture.account, id);
        assertThat(history).hasSize(7);
        assertExplains(history, fixture.item(Profiles.TASKS, id));
    }

    /// K-03.
    @Test
    void the_end_of_a_backoff_is_no_event_and_the_end_of_a_jobs_schedule_is_one() {
        long now = fixture.view(Profiles.QUEUE, fixture.submit(Profiles.QUEUE)).nowMs();
        UUID queued = fixture.claim(Profiles.QUEUE).id();
        fixture.apply(Profiles.QUEUE, queued, new Command.Fail(Fence.NONE, "no", null, true));
        UUID job = fixture.submit(fixture.draft(Profiles.JOBS, now + 60_000, null, null));
        UUID task = fixture.submit(fixture.draft(Profiles.TASKS, now + 60_000, null, null));
        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.sweep("due-promoter")).isEqualTo(3);
        assertThat(fixture.events(queued))
                .containsExactly(WorkEvent.SUBMIT, WorkEvent.LEASE, WorkEvent.FAIL);
        assertThat(fixture.events(task)).containsExactly(WorkEvent.SUBMIT);
        assertThat(fixture.events(job)).containsExactly(WorkEvent.SUBMIT, WorkEvent.PROMOTE);
    }
}
