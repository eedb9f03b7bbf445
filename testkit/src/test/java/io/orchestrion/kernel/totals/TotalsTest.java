package io.orchestrion.kernel.totals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/// What the event log adds up to: each event once, whoever counts, whatever is purged.
@Timeout(180)
class TotalsTest {
    private static final Duration ENOUGH = Duration.ofSeconds(30);

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<Total> totals() {
        return fixture.kernel().totals().read(ENOUGH);
    }

    private long events() {
        return fixture.database().<Long>value("select count(*) from work_event");
    }

    private static long count(List<Total> totals, Predicate<Total> wanted) {
        return totals.stream().filter(wanted).mapToLong(Total::count).sum();
    }

    private static long all(List<Total> totals) {
        return count(totals, total -> true);
    }

    /// One item through some life, chosen by the random number.
    private void live(Profile profile, Random random) {
        UUID id = fixture.submit(profile);
        if (random.nextInt(6) == 0) {
            fixture.command(profile, id, new Command.Cancel(false));
            return;
        }
        if (random.nextInt(6) == 0) {
            return;
        }
        for (var view : fixture.claim(profile, 1)) {
            WorkItem item = view.item();
            Fence fence = Fence.of(item.lease().token());
            if (profile == Profiles.JOBS) {
                fixture.command(profile, item.id(), new Command.Start(fence));
            }
            switch (random.nextInt(4)) {
                case 0 -> fixture.command(profile, item.id(), failed(fence));
                case 1, 2 ->
                        fixture.command(
                                profile, item.id(), new Command.Complete(fence, null, null));
                default -> {}
            }
        }
    }

    private static Command failed(Fence fence) {
        return new Command.Fail(fence, "it broke", null, true);
    }

    /// J-354: what entered a state less what left it is what a count of the table finds.
    @Test
    void what_is_in_a_state_by_the_log_is_what_is_in_it_by_the_table() {
        var random = new Random(7);
        for (int i = 0; i < 120; i++) {
            live(i % 2 == 0 ? Profiles.TASKS : Profiles.JOBS, random);
        }
        fixture.submit(
                fixture.draft(
                        Profiles.TASKS,
                        fixture.kernel().database().transaction(Tx::nowMillis) + 60_000,
                        null,
                        null));
        fixture.advance(Duration.ofSeconds(400));
        fixture.sweep("lease-reaper");
        live(Profiles.TASKS, random);
        List<Total> totals = totals();
        assertThat(all(totals)).isEqualTo(events());
        assertThat(present(totals)).isEqualTo(stored());
        // J-349..J-353: and of those that ended none is missed.
        assertThat(count(totals, total -> total.from().isEmpty()))
                .isEqualTo(fixture.database().<Long>value("select count(*) from work"));
    }

    private static String word(String queue, String state) {
        boolean waits = state.equals("waiting") || state.equals("backoff") || state.equals("ready");
        return queue + "/" + (waits ? "open" : state);
    }

    private static Map<String, Long> present(List<Total> totals) {
        var present = new TreeMap<String, Long>();
        for (Total total : totals) {
            present.merge(word(total.queue(), total.to()), total.count(), Long::sum);
            if (!total.from().isEmpty()) {
                present.merge(word(total.queue(), total.from()), -total.count(), Long::sum);
            }
        }
        present.values().removeIf(count -> count == 0);
        return present;
    }

    private Map<String, Long> stored() {
        var stored = new TreeMap<String, Long>();
        fixture.database()
                .rows("select queue, state, count(*) as n from work group by 1, 2")
                .forEach(
                        row ->
                                stored.merge(
                                        word(
                                                String.valueOf(row.get("queue")),
                                                String.valueOf(row.get("state"))),
                                        (Long) row.get("n"),
                                        Long::sum));
        return stored;
    }

    /// J-355, J-356, J-360: each state is measured by itself.
    @Test
    void how_long_each_state_lasted_is_counted_by_its_bounds() {
        UUID id = fixture.submit(Profiles.JOBS);
        // Each time is far below its bound: what the machine takes itself is added to it.
        fixture.advance(Duration.ofSeconds(11));
        WorkItem item = fixture.claim(Profiles.JOBS);
        fixture.advance(Duration.ofMillis(2600));
        fixture.command(Profiles.JOBS, id, new Command.Start(Fence.of(item.lease().token())));
        fixture.advance(Duration.ofSeconds(12));
        fixture.command(
                Profiles.JOBS,
                id,
                new Command.Complete(Fence.of(item.lease().token()), null, null));
        List<Total> totals = totals();
        lasted(totals, "lease", 11_000, 30_000);
        lasted(totals, "start", 2600, 5000);
        lasted(totals, "complete", 12_000, 30_000);
        assertThat(totals).allMatch(total -> total.kind().equals(WorkFixture.KIND));
    }

    private static void lasted(List<Total> totals, String event, long millis, long below) {
        Total total =
                totals.stream()
                        .filter(each -> each.event().equals(event))
                        .findFirst()
                        .orElseThrow();
        assertThat(total.millis()).as(event).isBetween(millis, below);
        assertThat(Totals.BOUNDS_MS.get(total.bucket())).as(event).isEqualTo(below);
    }

    /// A task that was scheduled waits from its time on.
    @Test
    void a_wait_for_a_time_is_not_a_wait_in_the_queue() {
        long now = fixture.kernel().database().transaction(Tx::nowMillis);
        fixture.submit(fixture.draft(Profiles.TASKS, now + 50_000, null, null));
        fixture.advance(Duration.ofSeconds(53));
        fixture.claim(Profiles.TASKS);
        lasted(totals(), "lease", 3000, 5000);
        assertThat(totals()).noneMatch(total -> !total.kind().isEmpty());
    }

    @Test
    void two_nodes_that_count_at_once_count_each_event_once() {
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            var random = new Random(11);
            Parallel.run(
                    8,
                    i ->
                            () -> {
                                for (int n = 0; n < 25; n++) {
                                    if (i < 6) {
                                        live(Profiles.TASKS, new Random(random.nextLong()));
                                    } else {
                                        (i == 6 ? fixture.kernel() : other)
                                                .totals()
                                                .read(Duration.ofSeconds(1));
                                    }
                                }
                                return i;
                            });
            assertThat(all(totals())).isEqualTo(events());
            assertThat(all(other.totals().read(ENOUGH))).isEqualTo(events());
        }
    }

    /// J-361: nothing is lost or counted twice by a death in the middle.
    @Test
    void a_count_that_was_not_committed_is_done_again() {
        fixture.submit(Profiles.TASKS);
        var commits = new AtomicInteger();
        fixture.test
                .failpoints()
                .arm(
                        "pool.before-commit",
                        () -> {
                            // The looks before it are transactions too.
                            if (commits.incrementAndGet() == 5) {
                                throw new Failpoints.Injected("count");
                            }
                        });
        assertThatThrownBy(this::totals);
        fixture.test.failpoints().disarm("pool.before-commit");
        assertThat(all(totals())).isEqualTo(1);
        try (Kernel after = fixture.test.anotherNode(options -> options)) {
            fixture.submit(Profiles.TASKS);
            assertThat(all(after.totals().read(ENOUGH)))
                    .as("found without being told")
                    .isEqualTo(2);
        }
    }

    @Test
    void what_is_purged_before_it_is_counted_stays_counted() {
        fixture.submit(Profiles.JOBS);
        WorkItem counted = fixture.claim(Profiles.JOBS);
        assertThat(all(totals())).isEqualTo(events());
        fixture.command(
                Profiles.JOBS, counted.id(), new Command.Start(Fence.of(counted.lease().token())));
        fixture.command(
                Profiles.JOBS,
                counted.id(),
                new Command.Complete(Fence.of(counted.lease().token()), null, null));
        UUID never = fixture.submit(Profiles.JOBS);
        fixture.command(Profiles.JOBS, never, new Command.Cancel(false));
        long happened = events();
        fixture.advance(Duration.ofDays(3700));
        fixture.sweep("purger");
        assertThat(events()).isZero();
        List<Total> totals = totals();
        assertThat(all(totals)).isEqualTo(happened);
        assertThat(present(totals)).isEqualTo(Map.of("jobs/succeeded", 1L, "jobs/cancelled", 1L));
    }
}
