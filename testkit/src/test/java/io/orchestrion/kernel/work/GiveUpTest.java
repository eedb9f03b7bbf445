package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.verbs.OwnedItems;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Items that are ended by their own time, by their owner, or by nobody, and what is reported of
/// them afterwards.
class GiveUpTest {
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

    private UUID task(long afterSeconds) {
        return fixture.submit(fixture.draft(Profiles.TASKS).givingUpAfter(afterSeconds * 1000));
    }

    private UUID step(long afterSeconds) {
        return fixture.submit(
                fixture.draft(Profiles.STEPS, null, null, owner)
                        .givingUpAfter(afterSeconds * 1000));
    }

    private static void seconds(WorkFixture fixture, long seconds) {
        fixture.advance(Duration.ofSeconds(seconds));
    }

    private WorkState state(UUID id) {
        return fixture.item(Profiles.TASKS, id).state();
    }

    @Test
    void it_ends_whatever_is_open_and_nothing_else() {
        UUID ready = task(1_000);
        UUID running = task(1_000);
        UUID held = task(1_000);
        UUID waiting =
                fixture.submit(
                        fixture.draft(Profiles.TASKS, ahead(6_000), null, null)
                                .givingUpAfter(1_000_000L));
        UUID done = task(1_000);
        UUID later = task(1_500);
        UUID never = fixture.submit(Profiles.TASKS);
        lease(running);
        fixture.apply(Profiles.TASKS, held, new Command.Hold());
        lease(done);
        fixture.apply(Profiles.TASKS, done, new Command.Complete(Fence.NONE, "{}", null));
        seconds(fixture, 900);
        assertThat(fixture.sweep("give-up")).isZero();
        seconds(fixture, 100);
        assertThat(fixture.sweep("give-up")).isEqualTo(4);
        assertThat(List.of(ready, running, held, waiting))
                .allSatisfy(
                        id -> {
                            WorkItem item = fixture.item(Profiles.TASKS, id);
                            assertThat(item.state()).isEqualTo(WorkState.CANCELLED);
                            assertThat(item.attempts().failure()).isEqualTo(WorkFailures.GAVE_UP);
                            assertThat(fixture.events(id)).endsWith(WorkEvent.GIVE_UP);
                            assertThat(
                                            fixture.view(Profiles.TASKS, id)
                                                    .documents()
                                                    .reported()
                                                    .error())
                                    .contains("\"gave_up\"");
                        });
        assertThat(state(done)).isEqualTo(WorkState.SUCCEEDED);
        assertThat(state(later)).isEqualTo(WorkState.READY);
        assertThat(state(never)).isEqualTo(WorkState.READY);
        assertThat(fixture.sweep("give-up")).as("each once").isZero();
    }

    private long ahead(long seconds) {
        return fixture.item(Profiles.TASKS, fixture.submit(Profiles.TASKS)).times().createdMs()
                + seconds * 1000;
    }

    private WorkItem lease(UUID id) {
        return fixture.apply(Profiles.TASKS, id, new Command.Lease(UUID.randomUUID(), "w1", null));
    }

    @Test
    void a_claim_passes_over_what_is_overdue_and_no_lease_goes_past_its_time() {
        UUID overdue = task(10);
        UUID soon = task(100);
        seconds(fixture, 10);
        WorkItem held = fixture.claim(Profiles.TASKS);
        assertThat(held.id()).as("the older one is overdue").isEqualTo(soon);
        assertThat(held.lease().untilMs()).isEqualTo(held.turn().giveUpMs());
        seconds(fixture, 80);
        WorkItem beaten = fixture.apply(Profiles.TASKS, soon, new Command.Heartbeat(Fence.NONE));
        assertThat(beaten.lease().untilMs()).isEqualTo(held.turn().giveUpMs());
        assertThat(beaten.lease().deadlineMs()).isEqualTo(held.turn().giveUpMs());
        assertThat(fixture.claim(Profiles.TASKS, 5)).isEmpty();
        assertThat(state(overdue)).isEqualTo(WorkState.READY);
        seconds(fixture, 10);
        assertThat(
                        fixture.refused(
                                Profiles.TASKS, soon, new Command.Complete(Fence.NONE, "{}", null)))
                .isInstanceOf(Refusal.LeaseExpired.class);
        // Whichever sweeper comes first.
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(fixture.events(soon)).endsWith(WorkEvent.GIVE_UP);
        assertThat(fixture.sweep("give-up")).isEqualTo(1);
        assertThat(state(overdue)).isEqualTo(WorkState.CANCELLED);
    }

    @Test
    void a_claim_by_name_finds_what_is_overdue_ended() {
        UUID id = task(10);
        seconds(fixture, 10);
        assertThat(
                        fixture.refused(
                                Profiles.TASKS,
                                id,
                                new Command.Lease(UUID.randomUUID(), "w", null)))
                .isInstanceOf(Refusal.WrongState.class);
        assertThat(state(id)).isEqualTo(WorkState.CANCELLED);
    }

    @Test
    void an_owner_hears_of_it_and_one_that_cannot_go_on_holds_up_no_other() {
        UUID mine = step(10);
        UUID plain = task(10);
        seconds(fixture, 10);
        ledger.failing = true;
        assertThat(fixture.sweep("give-up")).as("the other one").isEqualTo(1);
        assertThat(state(plain)).isEqualTo(WorkState.CANCELLED);
        ledger.failing = false;
        seconds(fixture, 11);
        assertThat(fixture.sweep("give-up")).isEqualTo(1);
        assertThat(fixture.item(Profiles.STEPS, mine).state()).isEqualTo(WorkState.FAILED);
        assertThat(LedgerOwner.entries(fixture.database()))
                .singleElement()
                .satisfies(entry -> assertThat(entry).containsEntry("event", "give_up"));
    }

    @Test
    void two_nodes_end_each_once() {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < 60; i++) {
            ids.add(i % 2 == 0 ? task(10) : step(10));
        }
        seconds(fixture, 10);
        try (Kernel other =
                fixture.test.anotherNode(options -> options.withOwners(List.of(ledger)))) {
            List<Kernel> nodes = List.of(fixture.kernel(), other);
            List<Integer> swept = Parallel.run(4, i -> () -> nodes.get(i % 2).sweepOnce("give-up"));
            int rest = fixture.sweep("give-up");
            assertThat(swept.stream().mapToInt(n -> n).sum() + rest).isEqualTo(ids.size());
        }
        assertThat(ids)
                .allSatisfy(
                        id ->
                                assertThat(
                                                fixture.events(id).stream()
                                                        .filter(e -> e == WorkEvent.GIVE_UP))
                                        .hasSize(1));
        assertThat(LedgerOwner.entries(fixture.database())).hasSize(30);
    }

    /// The database itself: from every open state, from no other, and only where the profile says
    /// where to.
    @Test
    void the_database_refuses_other_ends() {
        UUID step = step(10);
        UUID task = task(10);
        assertThatThrownBy(() -> end(step, "dead")).hasStackTraceContaining("cannot go from");
        assertThatThrownBy(() -> end(task, "failed")).hasStackTraceContaining("cannot go from");
        end(step, "failed");
        assertThatThrownBy(() -> end(step, "cancelled")).hasStackTraceContaining("cannot go from");
    }

    private void end(UUID id, String state) {
        fixture.database()
                .execute("update work set state = ?, finished_ms = 1 where id = ?", state, id);
    }

    @Test
    void a_profile_without_an_end_for_it_takes_no_such_time() {
        for (Profile profile : List.of(Profiles.JOBS, Profiles.QUEUE, Profiles.TIMERS)) {
            assertThatThrownBy(() -> fixture.draft(profile).givingUpAfter(1000L))
                    .hasMessageContaining("never given up");
        }
    }

    private List<FeedEvent> lateReports(UUID id) {
        return fixture
                .kernel()
                .events()
                .ofItem(fixture.account, Profiles.STEPS.log(), id, EventCursor.START, 50)
                .items()
                .stream()
                .filter(event -> event.entry().event() == WorkEvent.LATE_REPORT)
                .toList();
    }

    /// By a command on the one item, or with all items of its owner.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_revoked_holder_is_told_so_and_its_report_is_kept_as_evidence(boolean withAll) {
        UUID id = step(100);
        WorkItem held = fixture.claim(Profiles.TASKS);
        if (withAll) {
            LedgerOwner.all(fixture.kernel(), fixture.account, owner, OwnedItems::revoke, 10);
        } else {
            fixture.apply(Profiles.STEPS, id, new Command.Cancel());
        }
        Fence mine = Fence.of(held.lease().token());
        var report = new Report(null, "{\"tokens\":9}", null);
        for (Command said :
                List.of(
                        new Command.Heartbeat(mine),
                        new Command.Heartbeat(Fence.NONE),
                        new Command.Complete(mine, "{\"a\":1}", null, report, UUID.randomUUID()),
                        new Command.Fail(mine, "stopped", null, true))) {
            assertThat(fixture.refused(Profiles.TASKS, id, said))
                    .as(said.toString())
                    .isInstanceOf(Refusal.Revoked.class);
        }
        assertThat(
                        fixture.refused(
                                Profiles.TASKS,
                                id,
                                new Command.Complete(Fence.of(UUID.randomUUID()), "{}", null)))
                .isInstanceOf(Refusal.WrongState.class);
        assertThat(lateReports(id).stream().map(event -> event.entry().detail()))
                .containsExactly(
                        "{\"report\":\"complete\",\"result\":{\"a\":1},\"usage\":{\"tokens\":9}}",
                        "{\"report\":\"fail\",\"reason\":\"stopped\"}");
        WorkView view = fixture.view(Profiles.STEPS, id);
        assertThat(view.item().state()).isEqualTo(WorkState.CANCELLED);
        assertThat(view.documents().result()).isNull();
        assertThat(view.documents().reported()).isEqualTo(Documents.Reported.NOTHING);
        assertThat(LedgerOwner.entries(fixture.database())).as("the owner hears once").hasSize(1);
    }

    @Test
    void only_so_many_late_reports_are_kept_and_repeats_are_none() {
        UUID id = step(100);
        WorkItem held = fixture.claim(Profiles.TASKS);
        var done =
                new Command.Complete(Fence.of(held.lease().token()), "{}", null, UUID.randomUUID());
        fixture.apply(Profiles.TASKS, id, done);
        assertThat(fixture.command(Profiles.TASKS, id, done)).isInstanceOf(Ack.Repeated.class);
        assertThat(lateReports(id)).isEmpty();
        for (int i = 0; i < Profiles.STEPS.keeping().lateReports() + 3; i++) {
            var other =
                    new Command.Complete(
                            Fence.of(held.lease().token()),
                            "\"" + "x".repeat(5000) + "\"",
                            null,
                            UUID.randomUUID());
            assertThat(fixture.refused(Profiles.TASKS, id, other))
                    .isInstanceOf(Refusal.WrongState.class);
        }
        assertThat(lateReports(id))
                .hasSize(Profiles.STEPS.keeping().lateReports())
                .allSatisfy(
                        event ->
                                assertThat(event.entry().detail())
                                        .isEqualTo(
                                                "{\"report\":\"complete\",\"result_length\":5002}"));
        assertThat(fixture.view(Profiles.STEPS, id).documents().result()).isEqualTo("{}");
    }

    @Test
    void a_report_after_the_lease_had_ended_the_step_is_kept() {
        UUID id = step(1000);
        WorkItem held = fixture.claim(Profiles.TASKS);
        seconds(fixture, 61);
        fixture.sweep("lease-reaper");
        assertThat(fixture.item(Profiles.STEPS, id).state()).isEqualTo(WorkState.FAILED);
        fixture.refused(
                Profiles.TASKS,
                id,
                new Command.Complete(Fence.of(held.lease().token()), "{\"paid\":true}", null));
        assertThat(lateReports(id)).hasSize(1);
    }

    @Test
    void a_holder_that_is_asked_to_pause_hears_it_and_its_word_still_counts() {
        UUID id = step(100);
        fixture.claim(Profiles.TASKS);
        fixture.apply(Profiles.STEPS, id, new Command.AskPause(true));
        assertThat(
                        fixture.apply(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE))
                                .holding()
                                .stop())
                .isEqualTo(StopRequest.PAUSE);
        fixture.apply(Profiles.STEPS, id, new Command.AskPause(false));
        assertThat(
                        fixture.apply(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE))
                                .holding()
                                .stop())
                .isEqualTo(StopRequest.NONE);
        assertThat(fixture.refused(Profiles.TASKS, id, new Command.AskPause(true)))
                .as("its owner alone asks")
                .isInstanceOf(Refusal.Managed.class);
        fixture.apply(Profiles.TASKS, id, new Command.Complete(Fence.NONE, "{}", null));
        assertThat(fixture.item(Profiles.STEPS, id).state()).isEqualTo(WorkState.SUCCEEDED);
    }
}
