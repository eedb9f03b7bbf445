package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Items of an engine: it is called in the transaction that ends one, and its lock comes first.
class OwnedWorkTest {
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

    private UUID submit(Long timeoutMs) {
        return fixture.submit(fixture.draft(Profiles.STEPS, null, timeoutMs, owner));
    }

    private void assertTold(UUID id, WorkEvent event, WorkState state) {
        assertThat(LedgerOwner.entries(fixture.database()))
                .containsExactly(
                        Map.of("work_id", id, "event", event.word(), "state", state.word()));
        assertThat(fixture.item(Profiles.STEPS, id).state()).isEqualTo(state);
        assertThat(fixture.events(id)).endsWith(event);
    }

    @Test
    void the_owner_hears_of_a_completion_through_the_queues_own_door() {
        UUID id = submit(null);
        WorkItem held = fixture.claim(Profiles.TASKS);
        fixture.apply(
                Profiles.TASKS,
                id,
                new Command.Complete(Fence.of(held.lease().token()), "{\"a\": 1}", null));
        assertTold(id, WorkEvent.COMPLETE, WorkState.SUCCEEDED);
        assertThat(fixture.view(Profiles.STEPS, id).documents().result()).isEqualTo("{\"a\": 1}");
    }

    @Test
    void the_owner_gets_the_whole_end() {
        UUID done = submit(null);
        fixture.claim(Profiles.STEPS);
        var said = new Report(null, "{\"tokens\": 3}", "s3://logs");
        fixture.apply(
                Profiles.STEPS,
                done,
                new Command.Complete(Fence.NONE, "{\"a\": 1}", "s3://x", said, null));
        assertThat(ledger.ends.getLast())
                .satisfies(
                        end -> {
                            assertThat(end.event()).isEqualTo(WorkEvent.COMPLETE);
                            assertThat(end.from()).isEqualTo(WorkState.RUNNING);
                            assertThat(end.result()).isEqualTo("{\"a\": 1}");
                            assertThat(end.outputRef()).isEqualTo("s3://x");
                            assertThat(end.report()).isEqualTo(said);
                        });
        UUID failed = submit(null);
        fixture.claim(Profiles.STEPS);
        var why = new Report(WorkError.of("no_disk", "the disk is full"), null, null);
        fixture.apply(
                Profiles.STEPS, failed, new Command.Fail(Fence.NONE, null, null, true, why, null));
        assertThat(ledger.ends.getLast().report()).isEqualTo(why);
        assertThat(ledger.ends.getLast().result()).isNull();
    }

    @Test
    void every_failure_has_an_error_that_a_program_can_go_by() {
        UUID failed = submit(null);
        fixture.claim(Profiles.STEPS);
        var why = Report.of(WorkError.of("no_disk", "the disk is full"));
        fixture.apply(
                Profiles.STEPS, failed, new Command.Fail(Fence.NONE, "no", null, true, why, null));
        assertThat(ledger.ends.getLast().error()).isEqualTo(why.error());

        for (String reason : new String[] {"it rained", "", "\uD83D\uDE00".repeat(600)}) {
            UUID told = submit(null);
            fixture.claim(Profiles.STEPS);
            fixture.apply(Profiles.STEPS, told, new Command.Fail(Fence.NONE, reason, null, true));
            WorkError error = ledger.ends.getLast().error();
            assertThat(error.code()).isEqualTo(WorkError.UNSPECIFIED);
            assertThat(error.message())
                    .isEqualTo(
                            reason.isEmpty()
                                    ? WorkFailures.NO_REASON
                                    : reason.substring(0, Math.min(reason.length(), 1000)));
        }

        UUID lapsed = submit(null);
        fixture.claim(Profiles.STEPS);
        fixture.advance(Duration.ofSeconds(61));
        fixture.sweep("lease-reaper");
        assertThat(ledger.ends.getLast().item().id()).isEqualTo(lapsed);
        assertThat(ledger.ends.getLast().error()).isEqualTo(WorkError.LEASE_EXPIRED);

        UUID done = submit(null);
        fixture.claim(Profiles.STEPS);
        fixture.apply(Profiles.STEPS, done, new Command.Complete(Fence.NONE, "{}", null));
        assertThat(ledger.ends.getLast().error()).isNull();
    }

    @Test
    void an_engine_may_come_to_a_kernel_that_is_there_already() {
        assertThatThrownBy(() -> fixture.kernel().add(new LedgerOwner()))
                .hasMessageContaining("ledger");
        try (Kernel node = fixture.test.anotherNode(options -> options)) {
            var late = new LedgerOwner();
            node.add(late);
            UUID id = submit(null);
            fixture.claim(Profiles.STEPS);
            node.work()
                    .command(
                            fixture.order(
                                    Profiles.STEPS,
                                    id,
                                    new Command.Complete(Fence.NONE, "{}", null)));
            assertThat(late.ends).hasSize(1);
            assertThat(ledger.ends).isEmpty();
        }
    }

    @Test
    void an_engine_that_got_no_item_is_not_left_in_doubt() {
        assertThat(new Submitted.ScheduleRefused(1))
                .satisfies(
                        refused ->
                                assertThatThrownBy(refused::made)
                                        .hasMessageContaining("ScheduleRefused"));
    }

    @Test
    void a_completion_that_the_owner_rejects_is_a_failure_with_the_owners_error() {
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        ledger.rejection = WorkError.of("schema_violation", "a must be a number");
        var said = new Report(null, "{\"tokens\": 3}", "s3://logs");
        Refusal refusal =
                fixture.refused(
                        Profiles.TASKS,
                        id,
                        new Command.Complete(Fence.NONE, "{\"a\": \"x\"}", null, said, null));
        assertThat(refusal)
                .isInstanceOfSatisfying(
                        Refusal.Rejected.class,
                        rejected -> assertThat(rejected.error()).isEqualTo(ledger.rejection));
        assertTold(id, WorkEvent.FAIL, WorkState.FAILED);
        assertThat(ledger.ends.getLast().report())
                .isEqualTo(new Report(ledger.rejection, "{\"tokens\": 3}", "s3://logs"));
        Documents documents = fixture.view(Profiles.STEPS, id).documents();
        assertThat(documents.result()).isNull();
        assertThat(documents.reported().error()).contains("schema_violation");
        assertThat(fixture.item(Profiles.STEPS, id).attempts().failure())
                .isEqualTo("a must be a number");
    }

    @Test
    void only_a_completion_that_holds_is_judged() {
        UUID id = submit(null);
        ledger.rejection = WorkError.of("schema_violation", "a must be a number");
        fixture.claim(Profiles.STEPS);
        assertThat(
                        fixture.refused(
                                Profiles.STEPS,
                                id,
                                new Command.Complete(Fence.of(UUID.randomUUID()), "{}", null)))
                .isInstanceOf(Refusal.LeaseLost.class);
        UUID plain = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        fixture.apply(Profiles.TASKS, plain, new Command.Complete(Fence.NONE, "{}", null));
        assertThat(LedgerOwner.entries(fixture.database())).isEmpty();
    }

    @Test
    void the_owner_hears_of_a_failure() {
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        fixture.apply(Profiles.STEPS, id, new Command.Fail(Fence.NONE, "no", null, true));
        assertTold(id, WorkEvent.FAIL, WorkState.FAILED);
    }

    @Test
    void the_owner_hears_of_an_expiry() {
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertTold(id, WorkEvent.EXPIRE, WorkState.FAILED);
    }

    @Test
    void the_owner_hears_of_an_attempt_that_ran_too_long_although_it_was_kept_alive() {
        UUID id = submit(100_000L);
        fixture.claim(Profiles.STEPS);
        fixture.advance(Duration.ofSeconds(50));
        fixture.apply(Profiles.STEPS, id, new Command.Heartbeat(Fence.NONE));
        fixture.advance(Duration.ofSeconds(51));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertTold(id, WorkEvent.TIME_OUT, WorkState.FAILED);
    }

    @Test
    void the_owner_hears_of_a_cancellation() {
        UUID id = submit(null);
        fixture.apply(Profiles.STEPS, id, new Command.Cancel());
        assertTold(id, WorkEvent.CANCEL, WorkState.CANCELLED);
    }

    @Test
    void what_the_owner_hands_in_is_there_with_the_end_and_claimable() {
        ledger.followUp = true;
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        fixture.apply(Profiles.STEPS, id, new Command.Complete(Fence.NONE, null, null));
        ledger.followUp = false;
        var next =
                fixture.work()
                        .claim(
                                new ClaimRequest(fixture.account, "tasks", "next", 5, "w", null),
                                Duration.ZERO)
                        .items();
        assertThat(next).hasSize(1);
        assertThat(next.getFirst().item().owner()).isEqualTo(owner);
    }

    /// K-02.
    @Test
    void an_owner_that_throws_leaves_everything_as_it_was() {
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        var before = Snapshot.of(fixture.database(), "ledger_entry");
        ledger.failing = true;
        ledger.followUp = true;
        assertThatThrownBy(
                        () ->
                                fixture.command(
                                        Profiles.STEPS,
                                        id,
                                        new Command.Complete(Fence.NONE, "{}", null)))
                .hasMessageContaining("cannot go on");
        assertThat(Snapshot.of(fixture.database(), "ledger_entry")).isEqualTo(before);
        ledger.failing = false;
        ledger.followUp = false;
        fixture.apply(Profiles.STEPS, id, new Command.Complete(Fence.NONE, "{}", null));
        assertTold(id, WorkEvent.COMPLETE, WorkState.SUCCEEDED);
    }

    @Test
    void the_owners_lock_is_taken_before_the_items() throws Exception {
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        assertOwnerComesFirst(id, new Command.Complete(Fence.NONE, null, null));
        assertThat(fixture.item(Profiles.STEPS, id).state()).isEqualTo(WorkState.SUCCEEDED);
    }

    @Test
    void a_heartbeat_in_time_does_not_wait_for_the_owner() throws Exception {
        UUID id = submit(null);
        fixture.claim(Profiles.STEPS);
        try (Connection engine = fixture.database().connect();
                Statement statement = engine.createStatement()) {
            engine.setAutoCommit(false);
            statement.execute("select 1 from ledger for update");
            fixture.apply(Profiles.STEPS, id, new Command.Heartbeat(Fence.NONE));
            engine.rollback();
        }
    }

    /// An engine that holds its own row can always get at its items: whoever waits for the engine
    /// does not sit on one of them.
    private void assertOwnerComesFirst(UUID id, Command command) throws Exception {
        CompletableFuture<Ack> waiting;
        try (Connection engine = fixture.database().connect();
                Statement statement = engine.createStatement()) {
            engine.setAutoCommit(false);
            statement.execute("select 1 from ledger for update");
            waiting =
                    CompletableFuture.supplyAsync(
                            () -> fixture.command(Profiles.STEPS, id, command));
            Until.isTrue(
                    "the holder has found the owner busy",
                    Duration.ofSeconds(10),
                    () -> ledger.passedOver(owner) > 0);
            statement.execute("select 1 from work where id = '" + id + "' for update nowait");
            assertThat(waiting).isNotDone();
            engine.rollback();
        }
        waiting.get(10, TimeUnit.SECONDS);
    }

    @Test
    void ends_of_one_owners_items_from_everywhere_at_once_do_not_deadlock() {
        List<UUID> ids =
                java.util.stream.IntStream.range(0, 40).mapToObj(_ -> submit(null)).toList();
        fixture.claim(Profiles.STEPS, 40);
        fixture.test.account();
        io.orchestrion.testkit.Parallel.run(
                8,
                i ->
                        () -> {
                            for (int k = i; k < ids.size(); k += 8) {
                                Command verb =
                                        k % 2 == 0
                                                ? new Command.Complete(Fence.NONE, null, null)
                                                : new Command.Cancel();
                                fixture.apply(Profiles.STEPS, ids.get(k), verb);
                                asEngine(OwnedItems::hold);
                                asEngine(OwnedItems::release);
                            }
                            return null;
                        });
        assertThat(LedgerOwner.entries(fixture.database())).hasSize(40);
    }

    private void asEngine(LedgerOwner.Bulk verb) {
        LedgerOwner.all(fixture.kernel(), fixture.account, owner, verb, 7);
    }

    @Test
    void another_door_of_the_queue_works_on_owned_items_and_may_not_manage_them() {
        UUID id = submit(null);
        for (Command command :
                List.of(
                        new Command.Cancel(),
                        new Command.Hold(),
                        new Command.Release(),
                        new Command.Reopen(),
                        new Command.Retry())) {
            assertThat(fixture.refused(Profiles.TASKS, id, command))
                    .isInstanceOf(Refusal.Managed.class);
        }
        assertThat(fixture.refused(Profiles.JOBS, id, new Command.Cancel()))
                .isInstanceOf(Refusal.NotFound.class);
    }

    /// One item whose owner cannot go on must not keep the others from being swept.
    @Test
    void an_item_that_cannot_be_ended_holds_up_no_other() {
        submit(null);
        UUID free = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS, 2);
        ledger.failing = true;
        fixture.advance(Duration.ofSeconds(301));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(fixture.item(Profiles.TASKS, free).state()).isEqualTo(WorkState.READY);
        ledger.failing = false;
        assertThat(fixture.sweep("lease-reaper")).isZero();
        fixture.advance(Duration.ofSeconds(11));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
    }

    /// As many as the reaper takes at once, all of them in front (river 1318).
    @Test
    void a_whole_batch_that_cannot_be_ended_does_not_starve_the_rest() {
        for (int i = 0; i < 200; i++) {
            submit(null);
        }
        fixture.claim(Profiles.STEPS, 200);
        fixture.advance(Duration.ofSeconds(1));
        UUID free = fixture.submit(Profiles.TASKS);
        fixture.claim(Profiles.TASKS);
        ledger.failing = true;
        fixture.advance(Duration.ofSeconds(301));
        fixture.sweep("lease-reaper");
        fixture.sweep("lease-reaper");
        assertThat(fixture.item(Profiles.TASKS, free).state()).isEqualTo(WorkState.READY);
    }
}
