package io.orchestrion.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.flow.KeyLimits.Busy;
import io.orchestrion.kernel.flow.KeyLimits.Limit;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// At most so many live leases of one concurrency key.
class ConcurrencyLimitTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final FlowFixture flow = new FlowFixture();

    @AfterEach
    void close() {
        flow.close();
    }

    @Test
    void no_more_of_a_key_are_held_than_its_type_allows() {
        flow.concurrency(Profiles.TASKS, 2);
        flow.submit("a", 5);
        List<WorkItem> first = flow.claim(10);
        assertThat(first).hasSize(2);
        assertThat(flow.claim(10)).isEmpty();
        flow.complete(flow.kernel(), first.getFirst());
        assertThat(flow.claim(10)).hasSize(1);
        assertThat(flow.claim(10)).isEmpty();
    }

    @Test
    void each_key_has_its_own_slots_and_a_task_without_a_key_needs_none() {
        flow.concurrency(Profiles.TASKS, 1);
        flow.submit("a", 3);
        flow.submit("b", 3);
        for (int i = 0; i < 7; i++) {
            flow.submit((String) null, (String) null);
        }
        assertThat(flow.claimedKeys(50))
                .hasSize(9)
                .containsOnlyOnce("a", "b")
                .filteredOn(key -> key == null)
                .hasSize(7);
    }

    /// Rate keys split the line of a concurrency key in several, and its slots they do not.
    @Test
    void slots_are_shared_by_all_lines_of_a_key() {
        flow.concurrency(Profiles.TASKS, 3);
        for (String rate : List.of("r1", "r2", "r3")) {
            for (int i = 0; i < 4; i++) {
                flow.submit("a", rate);
            }
        }
        assertThat(flow.claim(20))
                .hasSize(3)
                .extracting(i -> i.links().keys().rate())
                .containsExactlyInAnyOrder("r1", "r2", "r3");
        assertThat(flow.claim(20)).isEmpty();
    }

    /// More keys than one page has, all but the last without a slot.
    @Test
    void keys_without_a_slot_do_not_hide_those_behind_them() {
        flow.concurrency(Profiles.TASKS, 1);
        for (int i = 100; i < 400; i++) {
            flow.submit("k" + i, 2);
        }
        assertThat(flow.claim(299)).hasSize(299);
        assertThat(flow.claimedKeys(1)).hasSize(1);
        assertThat(flow.claimedKeys(1)).isEmpty();
        flow.submit("z", (String) null);
        assertThat(flow.claimedKeys(1)).containsExactly("z");
    }

    @Test
    void within_a_key_the_best_comes_first() {
        flow.concurrency(Profiles.TASKS, 1);
        flow.submit("a", 1);
        UUID urgent =
                flow.fixture.submit(
                        flow.draft(Profiles.TASKS, FlowFixture.keys("a", null)).prioritised(50));
        assertThat(flow.claim(5)).extracting(WorkItem::id).containsExactly(urgent);
    }

    @Test
    void a_claim_of_a_named_item_waits_for_its_slot_like_any_other() {
        flow.concurrency(Profiles.TASKS, 1);
        List<UUID> ids = flow.submit("a", 3);
        assertThat(flow.claimThis(ids.get(1))).isInstanceOf(Ack.Applied.class);
        Refusal refusal = ((Ack.Refused) flow.claimThis(ids.get(2))).refusal();
        Busy busy = ((Refusal.KeyBusy) refusal).busy();
        assertThat(busy.limit()).isEqualTo(Limit.CONCURRENCY);
        assertThat(busy.max()).isEqualTo(1);
        assertThat(busy.waitMs()).isBetween(1L, 300_000L);
        assertThat(flow.claim(5)).isEmpty();
        assertThat(flow.fixture.item(Profiles.TASKS, ids.get(2)).attempt()).isZero();
    }

    /// Its own lease that has run out is no lease of another.
    @Test
    void a_named_item_whose_lease_ran_out_takes_over_its_own_slot() {
        flow.concurrency(Profiles.TASKS, 1);
        UUID id = flow.submit("a", 1).getFirst();
        assertThat(flow.claim(1)).hasSize(1);
        flow.fixture.advance(Duration.ofSeconds(301));
        assertThat(flow.claimThis(id)).isInstanceOf(Ack.Applied.class);
        assertThat(flow.mostHeld()).isEqualTo(1);
    }

    /// Until the sweep has ended it, it may still be renewed by a holder that was just in time.
    @Test
    void a_lease_that_ran_out_has_its_slot_until_the_sweep_ends_it() {
        flow.concurrency(Profiles.TASKS, 1);
        flow.submit("a", 2);
        assertThat(flow.claim(1)).hasSize(1);
        flow.fixture.advance(Duration.ofSeconds(301));
        assertThat(flow.claim(1)).isEmpty();
        assertThat(flow.fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(flow.claim(5)).hasSize(1);
    }

    @Test
    void a_limit_counts_the_leases_from_before_it() {
        flow.submit("a", 5);
        assertThat(flow.claim(2)).hasSize(2);
        flow.concurrency(Profiles.TASKS, 3);
        assertThat(flow.claim(5)).hasSize(1);
        flow.concurrency(Profiles.TASKS, 1);
        assertThat(flow.claim(5)).isEmpty();
    }

    /// Every way out of a lease gives its slot back, because a slot is nothing but a lease.
    @ParameterizedTest
    @ValueSource(
            strings = {"complete", "fail", "fail with a delay", "expiry", "force cancel", "crash"})
    void concurrency_slot_lost_on_release(String way) {
        flow.concurrency(Profiles.TASKS, 1);
        flow.concurrency(Profiles.JOBS, 1);
        var profile = way.equals("force cancel") ? Profiles.JOBS : Profiles.TASKS;
        for (int i = 0; i < 2; i++) {
            flow.fixture.submit(flow.draft(profile, FlowFixture.keys("a", null)));
        }
        if (way.equals("crash")) {
            flow.fixture
                    .test
                    .failpoints()
                    .arm(
                            "claim.before-commit",
                            () -> {
                                throw new IllegalStateException("gone");
                            });
            assertThat(catchAll(() -> flow.claim(1))).isInstanceOf(RuntimeException.class);
            flow.fixture.test.failpoints().arm("claim.before-commit", () -> {});
            assertThat(flow.claim(5)).hasSize(1);
            return;
        }
        WorkItem held = flow.fixture.claim(profile);
        assertThat(flow.fixture.claim(profile, 5)).isEmpty();
        Fence fence = Fence.of(held.lease().token());
        switch (way) {
            case "complete" -> flow.complete(flow.kernel(), held);
            case "fail" ->
                    flow.fixture.apply(profile, held.id(), new Command.Fail(fence, "no", 0L, true));
            case "fail with a delay" ->
                    flow.fixture.apply(
                            profile, held.id(), new Command.Fail(fence, "no", 60_000L, true));
            case "expiry" -> {
                flow.fixture.advance(Duration.ofSeconds(301));
                flow.fixture.sweep("lease-reaper");
            }
            case "force cancel" -> {
                WorkItem cancelled = flow.fixture.apply(profile, held.id(), new Command.Cancel());
                assertThat(cancelled.state()).isEqualTo(WorkState.CANCELLED);
            }
            default -> throw new IllegalArgumentException(way);
        }
        assertThat(flow.fixture.claim(profile, 5)).hasSize(1);
        assertThat(flow.mostHeld()).isEqualTo(1);
    }

    private static Throwable catchAll(Runnable body) {
        try {
            body.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    /// No sweep runs here: only the end of the lease can wake the one who waits.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_freed_slot_wakes_who_waits_for_it(boolean well) throws Exception {
        flow.concurrency(Profiles.TASKS, 1);
        flow.submit("a", 2);
        WorkItem held = flow.claim(1).getFirst();
        CompletableFuture<Claimed> waiting =
                CompletableFuture.supplyAsync(
                        () ->
                                flow.kernel()
                                        .work()
                                        .claim(flow.fixture.wish(Profiles.TASKS, 1), LONG));
        Until.isTrue("somebody waits", LONG, () -> flow.kernel().waiters().waiting() == 1);
        if (well) {
            flow.complete(flow.kernel(), held);
        } else {
            flow.fixture.apply(
                    Profiles.TASKS,
                    held.id(),
                    new Command.Fail(Fence.of(held.lease().token()), "no", 60_000L, true));
        }
        assertThat(waiting.get(20, TimeUnit.SECONDS).items()).hasSize(1);
    }
}
