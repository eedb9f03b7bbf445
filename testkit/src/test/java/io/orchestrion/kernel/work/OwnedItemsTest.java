package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/// What an engine asks of all items of one owner: to be held back, let go, ended or removed.
class OwnedItemsTest {
    private static final int ALL = 100;

    private final LedgerOwner ledger = new LedgerOwner();
    private final WorkFixture fixture =
            new WorkFixture(options -> options.withOwners(List.of(ledger)));
    private OwnerRef owner;

    @BeforeEach
    void makeTables() {
        LedgerOwner.makeTables(fixture.database());
        owner = LedgerOwner.newOwner(fixture);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID submit(Profile profile, Long runAtMs) {
        return fixture.submit(fixture.draft(profile, runAtMs, null, owner));
    }

    private WorkItem item(Profile profile, UUID id) {
        return fixture.item(profile, id);
    }

    private OwnedItems.Done once(LedgerOwner.Bulk verb, int most) {
        return fixture.kernel()
                .database()
                .retried(
                        tx -> {
                            LedgerOwner.lockOwn(tx, owner);
                            return verb.run(
                                    fixture.kernel().verbs().owned(),
                                    tx,
                                    fixture.account,
                                    owner,
                                    most);
                        });
    }

    @Test
    void a_hold_keeps_from_workers_what_nobody_has_and_a_release_gives_it_back() {
        UUID running = submit(Profiles.STEPS, null);
        assertThat(fixture.claim(Profiles.STEPS).id()).isEqualTo(running);
        UUID ready = submit(Profiles.STEPS, null);
        assertThat(once(OwnedItems::hold, ALL)).isEqualTo(new OwnedItems.Done(1, false));
        assertThat(item(Profiles.STEPS, running).state()).isEqualTo(WorkState.RUNNING);
        assertThat(item(Profiles.STEPS, ready).waitReason()).isEqualTo(WaitReason.HOLD);
        assertThat(fixture.claim(Profiles.STEPS, 5)).isEmpty();
        assertThat(once(OwnedItems::hold, ALL)).isEqualTo(new OwnedItems.Done(0, false));
        assertThat(once(OwnedItems::release, ALL)).isEqualTo(new OwnedItems.Done(1, false));
        assertThat(once(OwnedItems::release, ALL)).isEqualTo(new OwnedItems.Done(0, false));
        assertThat(fixture.events(ready))
                .containsExactly(WorkEvent.SUBMIT, WorkEvent.HOLD, WorkEvent.RELEASE);
        assertThat(fixture.claim(Profiles.STEPS).id()).isEqualTo(ready);
    }

    @Test
    void a_release_restores_the_time_that_was_waited_for() {
        long now = fixture.kernel().database().aboutNowMillis();
        UUID later = submit(Profiles.STEPS, now + 100_000);
        UUID soon = submit(Profiles.STEPS, now + 10_000);
        // A driver's failures are final, a delivery's wait.
        UUID failed = submit(Profiles.DELIVERIES, null);
        fixture.claim(Profiles.DELIVERIES);
        fixture.apply(
                Profiles.DELIVERIES, failed, new Command.Fail(Fence.NONE, "no", 100_000L, true));
        Map<UUID, Long> times =
                Map.of(
                        later, item(Profiles.STEPS, later).runAtMs(),
                        failed, item(Profiles.DELIVERIES, failed).runAtMs());
        assertThat(once(OwnedItems::hold, ALL).changed()).isEqualTo(3);
        fixture.advance(Duration.ofSeconds(20));
        fixture.sweep("due-promoter");
        assertThat(item(Profiles.STEPS, soon).waitReason()).isEqualTo(WaitReason.HOLD);
        assertThat(once(OwnedItems::release, ALL).changed()).isEqualTo(3);
        assertThat(item(Profiles.STEPS, later).waitReason()).isEqualTo(WaitReason.SCHEDULE);
        assertThat(item(Profiles.STEPS, later).runAtMs()).isEqualTo(times.get(later));
        assertThat(item(Profiles.DELIVERIES, failed).waitReason()).isEqualTo(WaitReason.BACKOFF);
        assertThat(item(Profiles.DELIVERIES, failed).runAtMs()).isEqualTo(times.get(failed));
        assertThat(item(Profiles.STEPS, soon).state()).isEqualTo(WorkState.READY);
    }

    /// An engine may hand in what waits for something that only the engine knows.
    @Test
    void a_release_restores_the_wait_for_what_only_the_engine_knows() {
        NewWork plain = fixture.draft(Profiles.STEPS, null, null, owner);
        UUID id =
                fixture.submit(
                        new NewWork(
                                plain.accountId(),
                                plain.profile(),
                                plain.queue(),
                                plain.kind(),
                                plain.payload(),
                                plain.priority(),
                                null,
                                WaitReason.DEPENDENCY,
                                plain.maxAttempts(),
                                plain.leaseSeconds(),
                                null,
                                owner,
                                Terms.NONE));
        for (int i = 0; i < 2; i++) {
            assertThat(once(OwnedItems::hold, ALL).changed()).isEqualTo(1);
            assertThat(item(Profiles.STEPS, id).waitReason()).isEqualTo(WaitReason.HOLD);
            assertThat(once(OwnedItems::release, ALL).changed()).isEqualTo(1);
            assertThat(item(Profiles.STEPS, id).waitReason()).isEqualTo(WaitReason.DEPENDENCY);
        }
        fixture.apply(Profiles.STEPS, id, new Command.Release());
        assertThat(item(Profiles.STEPS, id).state()).isEqualTo(WorkState.READY);
    }

    /// As an engine does that is paused while something of it ends.
    @Test
    void what_is_handed_in_held_waits_for_its_release_and_then_for_its_time() {
        NewWork plain = fixture.draft(Profiles.STEPS).ownedBy(owner).runningAtMost(90_000L);
        long later = fixture.kernel().database().aboutNowMillis() + 100_000;
        UUID now = fixture.submit(plain.heldBack());
        UUID then = fixture.submit(plain.notBefore(later).heldBack());
        assertThat(item(Profiles.STEPS, now).owner()).isEqualTo(owner);
        assertThat(item(Profiles.STEPS, now).timeoutMs()).isEqualTo(90_000);
        assertThat(item(Profiles.STEPS, then).waitReason()).isEqualTo(WaitReason.HOLD);
        assertThat(fixture.claim(Profiles.STEPS, 5)).isEmpty();
        assertThat(once(OwnedItems::release, ALL).changed()).isEqualTo(2);
        assertThat(item(Profiles.STEPS, now).state()).isEqualTo(WorkState.READY);
        assertThat(item(Profiles.STEPS, then).waitReason()).isEqualTo(WaitReason.SCHEDULE);
        assertThat(item(Profiles.STEPS, then).runAtMs()).isEqualTo(later);
    }

    @Test
    void a_timer_runs_on_while_its_owner_holds_the_rest_and_is_never_handed_in_held() {
        UUID timer = submit(Profiles.TIMERS, null);
        assertThat(once(OwnedItems::hold, ALL)).isEqualTo(new OwnedItems.Done(0, false));
        assertThat(fixture.sweep("due-promoter")).isEqualTo(1);
        assertThat(item(Profiles.TIMERS, timer).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThatThrownBy(() -> fixture.draft(Profiles.TIMERS).heldBack())
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// One item alone is held without a word of what it waited for; its time says enough.
    @Test
    void what_was_held_alone_is_released_with_the_others() {
        long now = fixture.kernel().database().aboutNowMillis();
        UUID later = submit(Profiles.STEPS, now + 100_000);
        UUID ready = submit(Profiles.STEPS, null);
        fixture.apply(Profiles.STEPS, later, new Command.Hold());
        fixture.apply(Profiles.STEPS, ready, new Command.Hold("somebody said so"));
        assertThat(once(OwnedItems::release, ALL).changed()).isEqualTo(2);
        assertThat(item(Profiles.STEPS, later).waitReason()).isEqualTo(WaitReason.SCHEDULE);
        assertThat(item(Profiles.STEPS, ready).state()).isEqualTo(WorkState.READY);
    }

    @Test
    void a_revoke_ends_every_open_item_whoever_holds_it_and_the_owner_hears_of_each() {
        UUID running = submit(Profiles.STEPS, null);
        WorkItem held = fixture.claim(Profiles.STEPS);
        UUID ready = submit(Profiles.STEPS, null);
        UUID waiting =
                submit(Profiles.STEPS, fixture.kernel().database().aboutNowMillis() + 60_000);
        UUID leased = submit(Profiles.JOBS, null);
        fixture.claim(Profiles.JOBS);
        UUID begun = submit(Profiles.JOBS, null);
        fixture.claim(Profiles.JOBS);
        fixture.apply(Profiles.JOBS, begun, new Command.Start(Fence.NONE));
        UUID delivery = submit(Profiles.DELIVERIES, null);
        UUID plain = fixture.submit(Profiles.TASKS);
        OwnerRef other = LedgerOwner.newOwner(fixture);
        UUID others = fixture.submit(fixture.draft(Profiles.STEPS, null, null, other));
        assertThat(once(OwnedItems::revoke, ALL)).isEqualTo(new OwnedItems.Done(6, false));
        assertThat(LedgerOwner.entries(fixture.database()))
                .hasSize(6)
                .allMatch(entry -> entry.get("state").equals("cancelled"));
        for (UUID id : List.of(running, ready, waiting)) {
            assertThat(item(Profiles.STEPS, id).state()).isEqualTo(WorkState.CANCELLED);
            assertThat(fixture.events(id)).endsWith(WorkEvent.CANCEL);
        }
        assertThat(item(Profiles.JOBS, leased).state()).isEqualTo(WorkState.CANCELLED);
        assertThat(item(Profiles.DELIVERIES, delivery).purgeAfterMs())
                .as("kept for as long as its profile says")
                .isNotNull();
        assertThat(item(Profiles.STEPS, ready).purgeAfterMs()).isNull();
        assertThat(
                        fixture.refused(
                                Profiles.TASKS,
                                running,
                                new Command.Complete(Fence.of(held.leaseToken()), "{}", null)))
                .isInstanceOf(Refusal.Revoked.class);
        assertThat(fixture.events(running)).endsWith(WorkEvent.CANCEL, WorkEvent.LATE_REPORT);
        assertThat(item(Profiles.TASKS, plain).state()).isEqualTo(WorkState.READY);
        assertThat(item(Profiles.STEPS, others).state()).isEqualTo(WorkState.READY);
        List<HistoryEntry> told = fixture.work().history(fixture.account, running);
        assertThat(told.get(told.size() - 2))
                .satisfies(
                        line -> {
                            assertThat(line.from()).isEqualTo(WorkState.RUNNING);
                            assertThat(line.holder()).isEqualTo("w1");
                        });
    }

    @Test
    void so_many_are_changed_at_a_time_and_the_caller_is_told_whether_more_remain() {
        IntStream.range(0, 7).forEach(_ -> submit(Profiles.STEPS, null));
        assertThat(once(OwnedItems::hold, 3)).isEqualTo(new OwnedItems.Done(3, true));
        assertThat(once(OwnedItems::hold, 3)).isEqualTo(new OwnedItems.Done(3, true));
        assertThat(once(OwnedItems::hold, 3)).isEqualTo(new OwnedItems.Done(1, false));
        assertThat(
                        LedgerOwner.all(
                                fixture.kernel(), fixture.account, owner, OwnedItems::release, 2))
                .isEqualTo(7);
        assertThat(LedgerOwner.all(fixture.kernel(), fixture.account, owner, OwnedItems::revoke, 2))
                .isEqualTo(7);
        assertThat(LedgerOwner.entries(fixture.database())).hasSize(7);
    }

    /// Where waiting is a state of its own to the outside, what is ready never goes back to it.
    @Test
    void a_profile_that_cannot_be_held_is_left_alone_by_a_hold() {
        UUID job = submit(Profiles.JOBS, null);
        assertThat(once(OwnedItems::hold, ALL)).isEqualTo(new OwnedItems.Done(0, false));
        assertThat(item(Profiles.JOBS, job).state()).isEqualTo(WorkState.READY);
    }

    /// By what the type says when the item becomes ready, as after every wait.
    @Test
    void what_a_release_makes_ready_is_claimed_key_by_key_where_its_type_has_limits() {
        NewWork plain = fixture.draft(Profiles.STEPS, null, null, owner);
        UUID id = fixture.submit(plain.with(new Terms("key", null, null, null)));
        once(OwnedItems::hold, ALL);
        fixture.database()
                .execute(
                        "insert into work_type (account_id, queue, kind, concurrency_max, flow,"
                                + " reflow, created_ms, updated_ms) values (?, ?, ?, 1, true, true,"
                                + " 0, 0)",
                        fixture.account,
                        Profiles.STEPS.queue(),
                        WorkFixture.KIND);
        once(OwnedItems::release, ALL);
        assertThat(fixture.database().<String>value("select flow_key from work where id = ?", id))
                .startsWith("key");
    }

    @Test
    void those_who_hold_items_are_asked_to_pause_and_then_to_go_on() {
        UUID running = submit(Profiles.STEPS, null);
        UUID stopped = submit(Profiles.JOBS, null);
        fixture.claim(Profiles.STEPS);
        fixture.claim(Profiles.JOBS);
        fixture.apply(Profiles.JOBS, stopped, new Command.Start(Fence.NONE));
        fixture.database().execute("update work set cancel_requested = true where id = ?", stopped);
        UUID ready = submit(Profiles.STEPS, null);
        int lines = fixture.events(running).size();

        assertThat(once(OwnedItems::askToPause, ALL)).isEqualTo(new OwnedItems.Done(1, false));
        assertThat(item(Profiles.STEPS, running).stop()).isEqualTo(StopRequest.PAUSE);
        assertThat(item(Profiles.STEPS, running).state()).isEqualTo(WorkState.RUNNING);
        assertThat(item(Profiles.STEPS, ready).stop()).isEqualTo(StopRequest.NONE);
        assertThat(item(Profiles.JOBS, stopped).stop()).isEqualTo(StopRequest.CANCEL);
        assertThat(once(OwnedItems::askToPause, ALL)).isEqualTo(new OwnedItems.Done(0, false));
        assertThat(fixture.apply(Profiles.STEPS, running, new Command.Heartbeat(Fence.NONE)).stop())
                .as("as its holder learns of it")
                .isEqualTo(StopRequest.PAUSE);

        assertThat(once(OwnedItems::askToGoOn, ALL)).isEqualTo(new OwnedItems.Done(1, false));
        assertThat(item(Profiles.STEPS, running).stop()).isEqualTo(StopRequest.NONE);
        assertThat(once(OwnedItems::askToGoOn, ALL)).isEqualTo(new OwnedItems.Done(0, false));
        assertThat(fixture.events(running)).as("it is no event").hasSize(lines);
    }

    @Test
    void so_many_holders_are_asked_at_a_time() {
        IntStream.range(0, 5).forEach(_ -> submit(Profiles.STEPS, null));
        fixture.claim(Profiles.STEPS, 5);
        assertThat(once(OwnedItems::askToPause, 3)).isEqualTo(new OwnedItems.Done(3, true));
        assertThat(once(OwnedItems::askToPause, 3)).isEqualTo(new OwnedItems.Done(2, false));
        assertThat(
                        LedgerOwner.all(
                                fixture.kernel(), fixture.account, owner, OwnedItems::askToGoOn, 2))
                .isEqualTo(5);
    }

    @Test
    void a_removal_takes_what_has_ended_with_its_history_and_leaves_the_rest() {
        UUID done = submit(Profiles.STEPS, null);
        fixture.claim(Profiles.STEPS);
        fixture.apply(Profiles.STEPS, done, new Command.Complete(Fence.NONE, "{}", null));
        UUID open = submit(Profiles.STEPS, null);
        OwnerRef other = LedgerOwner.newOwner(fixture);
        UUID others = fixture.submit(fixture.draft(Profiles.DELIVERIES, null, null, other));
        fixture.claim(Profiles.DELIVERIES);
        fixture.apply(Profiles.DELIVERIES, others, new Command.Complete(Fence.NONE, "{}", null));

        assertThat(once(OwnedItems::remove, ALL)).isEqualTo(new OwnedItems.Done(1, false));
        assertThat(fixture.work().history(fixture.account, done)).isEmpty();
        assertThat(fixture.database().<Long>value("select count(*) from work where id = ?", done))
                .isZero();
        assertThat(item(Profiles.STEPS, open).state()).isEqualTo(WorkState.READY);
        assertThat(item(Profiles.DELIVERIES, others).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(once(OwnedItems::remove, ALL)).isEqualTo(new OwnedItems.Done(0, false));
    }

    /// The row may be gone before its items are.
    @Test
    void many_are_removed_in_batches_also_without_their_owner() {
        IntStream.range(0, 7).forEach(_ -> submit(Profiles.STEPS, null));
        once(OwnedItems::revoke, ALL);
        fixture.database().execute("delete from ledger where id = ?", owner.id());
        assertThat(once(OwnedItems::remove, 3)).isEqualTo(new OwnedItems.Done(3, true));
        assertThat(once(OwnedItems::remove, 3)).isEqualTo(new OwnedItems.Done(3, true));
        assertThat(once(OwnedItems::remove, 3)).isEqualTo(new OwnedItems.Done(1, false));
    }
}
