package io.orchestrion.kernel.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Explained;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// Every third commit breaks under 32 callers, before or after it: who was told yes finds it
/// stored, who was told no does not, and nobody finds it twice.
class LostAnswersTest {
    private enum Told {
        YES,
        NO,
        UNKNOWN
    }

    /// Small batches, so that there are many commits to break.
    private final WorkFixture fixture =
            new WorkFixture(
                    options ->
                            options.withWork(new Work.Options(2, 1000, 3, Duration.ofSeconds(30))));

    @AfterEach
    void close() {
        fixture.close();
    }

    private void breakEveryThird(String place) {
        var hits = new AtomicInteger();
        fixture.test
                .failpoints()
                .arm(
                        place,
                        () -> {
                            if (hits.incrementAndGet() % 3 == 0) {
                                throw new Failpoints.Injected(place);
                            }
                        });
    }

    private static Told told(Runnable call) {
        try {
            call.run();
            return Told.YES;
        } catch (Failpoints.Injected e) {
            return Told.NO;
        } catch (StoreException e) {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.OUTCOME_UNKNOWN);
            return Told.UNKNOWN;
        }
    }

    private List<Told> createMany(int calls) {
        return Parallel.run(
                calls,
                i ->
                        () ->
                                told(
                                        () ->
                                                fixture.work()
                                                        .submit(
                                                                Submission.of(
                                                                        NewWork.of(
                                                                                fixture.account,
                                                                                Profiles.TASKS,
                                                                                "build",
                                                                                "" + i)))));
    }

    private List<Integer> stored() {
        return fixture.database().rows("select payload::int as n from work").stream()
                .map(row -> (Integer) row.get("n"))
                .toList();
    }

    private void assertStoredAsTold(List<Told> told) {
        List<Integer> stored = stored();
        assertThat(stored).doesNotHaveDuplicates();
        Set<Integer> there = new HashSet<>(stored);
        assertThat(told).contains(Told.YES);
        for (int i = 0; i < told.size(); i++) {
            // Unknown comes after the commit only here, so it is there as well.
            assertThat(there.contains(i)).as("create " + i).isEqualTo(told.get(i) != Told.NO);
        }
        Explained.assertAll(fixture.database());
    }

    @Test
    void creates_that_break_before_their_commit() {
        breakEveryThird("submit.before-commit");
        List<Told> told = createMany(96);
        assertThat(told).contains(Told.NO).doesNotContain(Told.UNKNOWN);
        assertStoredAsTold(told);
    }

    @Test
    void creates_that_break_after_their_commit() {
        breakEveryThird("submit.after-commit");
        List<Told> told = createMany(96);
        assertThat(told).contains(Told.UNKNOWN).doesNotContain(Told.NO);
        assertStoredAsTold(told);
    }

    private void finishesAsTold(String place, boolean completes) {
        for (int i = 0; i < 64; i++) {
            fixture.submit(Profiles.TASKS);
        }
        List<UUID> ids =
                fixture.claim(Profiles.TASKS, 64).stream()
                        .map(WorkView::item)
                        .map(item -> item.id())
                        .toList();
        breakEveryThird(place);
        List<Told> told =
                Parallel.run(
                        64,
                        i ->
                                () ->
                                        told(
                                                () -> {
                                                    Ack ack =
                                                            fixture.command(
                                                                    Profiles.TASKS,
                                                                    ids.get(i),
                                                                    completes
                                                                            ? new Command.Complete(
                                                                                    Fence.NONE,
                                                                                    "1",
                                                                                    null)
                                                                            : new Command.Fail(
                                                                                    Fence.NONE,
                                                                                    "no",
                                                                                    null,
                                                                                    true));
                                                    assertThat(ack).isInstanceOf(Ack.Applied.class);
                                                }));
        fixture.test.failpoints().disarm(place);
        assertThat(told).contains(place.contains("before") ? Told.NO : Told.UNKNOWN);
        for (int i = 0; i < 64; i++) {
            boolean there = told.get(i) != Told.NO;
            WorkState done = completes ? WorkState.SUCCEEDED : WorkState.READY;
            assertThat(fixture.item(Profiles.TASKS, ids.get(i)).state())
                    .isEqualTo(there ? done : WorkState.RUNNING);
            assertThat(
                            Explained.count(
                                    fixture.database(),
                                    ids.get(i),
                                    completes ? "complete" : "fail",
                                    1))
                    .isEqualTo(there ? 1 : 0);
        }
        Explained.assertAll(fixture.database());
    }

    @Test
    void completions_that_break_before_their_commit() {
        finishesAsTold("holder.before-commit", true);
    }

    @Test
    void completions_that_break_after_their_commit() {
        finishesAsTold("holder.after-commit", true);
    }

    @Test
    void failures_that_break_before_their_commit() {
        finishesAsTold("settle.before-commit", false);
    }

    @Test
    void failures_that_break_after_their_commit() {
        finishesAsTold("settle.after-commit", false);
    }
}
