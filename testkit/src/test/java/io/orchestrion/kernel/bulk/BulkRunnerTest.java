package io.orchestrion.kernel.bulk;

import static io.orchestrion.kernel.bulk.BulkFixture.KIND;
import static io.orchestrion.kernel.bulk.BulkFixture.PENDING;
import static io.orchestrion.kernel.bulk.BulkFixture.ofKind;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.verbs.RetentionSql;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Explained;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// What an operation does to the items, and what it says of it.
class BulkRunnerTest {
    private final BulkFixture bulk = new BulkFixture();

    @AfterEach
    void close() {
        bulk.close();
    }

    private void expect(BulkOperation operation, BulkState state, int done, int skipped) {
        BulkOperation now = bulk.now(operation);
        assertThat(List.of(now.state(), now.done(), now.skipped(), now.failed()))
                .isEqualTo(List.of(state, done, skipped, 0));
        assertThat(now.finishedMs() != null).isEqualTo(state != BulkState.RUNNING);
    }

    /// L-024: how far it came is seen while it runs, a step after another.
    @Test
    void it_goes_on_step_by_step_and_says_how_far_it_is() {
        bulk.tasks(1200);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        assertThat(operation.matched()).isEqualTo(1200);
        assertThat(operation.matchedAll()).isTrue();
        expect(operation, BulkState.RUNNING, 0, 0);
        assertThat(bulk.sweep()).isEqualTo(1);
        expect(operation, BulkState.RUNNING, 500, 0);
        assertThat(bulk.count("work where state = 'cancelled'")).isEqualTo(500);
        bulk.sweep();
        expect(operation, BulkState.RUNNING, 1000, 0);
        bulk.sweep();
        expect(operation, BulkState.FINISHED, 1200, 0);
        assertThat(bulk.sweep()).isZero();
        assertThat(bulk.count("work_event where event = 'cancel'")).isEqualTo(1200);
        assertThat(bulk.audited(bulk.owner))
                .containsExactly("key.created", "operation.created", "operation.finished");
    }

    /// L-024: it concerns what was there when it was made.
    @Test
    void what_is_created_later_is_not_touched() {
        bulk.tasks(3);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        bulk.test.clock().advance(Duration.ofMillis(50));
        List<UUID> later = bulk.tasks(2);
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 3, 0);
        assertThat(bulk.count("work where state = 'ready' and id = any(?)", ids(later)))
                .isEqualTo(2);
    }

    private static Object ids(List<UUID> items) {
        return items.toArray(UUID[]::new);
    }

    private void die(UUID id) {
        bulk.kernel()
                .database()
                .transaction(
                        tx -> {
                            bulk.kernel()
                                    .verbs()
                                    .execute(
                                            tx,
                                            bulk.owner.accountId(),
                                            List.of(
                                                    new CommandRequest(
                                                            bulk.owner.accountId(),
                                                            Profiles.TASKS,
                                                            id,
                                                            new Command.Fail(
                                                                    Fence.NONE, "gone", null, true),
                                                            false)));
                            return null;
                        });
    }

    private List<UUID> claim(int count) {
        return bulk
                .kernel()
                .work()
                .claim(
                        new ClaimRequest(bulk.owner.accountId(), "tasks", KIND, count, "w", null),
                        Duration.ZERO)
                .items()
                .stream()
                .map(view -> view.item().id())
                .toList();
    }

    /// L-024: a dead letter that became one only afterwards is not brought back unseen.
    @Test
    void what_dies_after_the_requeue_was_asked_for_stays_dead() {
        bulk.tasks(4);
        bulk.database().execute("update work set max_attempts = 1");
        List<UUID> held = claim(4);
        die(held.get(0));
        die(held.get(1));
        bulk.test.clock().advance(Duration.ofSeconds(1));
        BulkOperation operation =
                bulk.make(
                        bulk.owner, BulkAction.REQUEUE, ofKind(Set.of(WorkState.DEAD), KIND), 100);
        bulk.test.clock().advance(Duration.ofSeconds(1));
        die(held.get(2));
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 2, 0);
        assertThat(bulk.count("work where state = 'ready' and attempt = 0")).isEqualTo(2);
        assertThat(bulk.count("work where state = 'dead'")).isEqualTo(1);
    }

    /// What fitted and is in another state when its turn comes is counted, whether or not the walk
    /// still came by it.
    @Test
    void what_was_claimed_meanwhile_is_skipped_and_keeps_its_lease() {
        bulk.tasks(10);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        assertThat(claim(3)).hasSize(3);
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 7, 3);
        assertThat(bulk.count("work where state = 'running'")).isEqualTo(3);
    }

    /// Between the look and the lock somebody else is faster.
    @Test
    void what_changes_between_the_look_and_the_lock_is_skipped() {
        List<UUID> tasks = bulk.tasks(2);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        bulk.kernel()
                .database()
                .transaction(
                        tx ->
                                bulk.kernel()
                                        .verbs()
                                        .remove(tx, bulk.owner.accountId(), Profiles.TASKS, tasks));
        assertThat(bulk.count("work")).as("pending ones are never removed").isEqualTo(2);
        bulk.database().execute("delete from work where id = ?", tasks.getFirst());
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 1, 1);
    }

    /// An engine's items share the queue, and are its own.
    @Test
    void items_of_engines_and_of_other_doors_are_never_touched() {
        bulk.tasks(2);
        bulk.submit(bulk.owner, Profiles.STEPS, KIND, 2);
        bulk.submit(bulk.owner, Profiles.JOBS, KIND, 2);
        Principal other = bulk.account();
        bulk.submit(other, Profiles.TASKS, KIND, 2);
        List<UUID> steps =
                bulk.database().rows("select id from work where profile = 'steps'").stream()
                        .map(row -> (UUID) row.get("id"))
                        .toList();
        BulkOperation all = bulk.cancelAll(bulk.owner);
        BulkOperation named =
                bulk.make(
                        bulk.owner,
                        BulkAction.CANCEL,
                        new BulkFilter(PENDING, null, null, null, null, null, steps),
                        100);
        bulk.sweepAll();
        expect(all, BulkState.FINISHED, 2, 0);
        expect(named, BulkState.FINISHED, 0, 0);
        assertThat(bulk.count("work where state = 'cancelled' and profile = 'tasks'")).isEqualTo(2);
        assertThat(bulk.count("work where state = 'ready'")).isEqualTo(6);
    }

    @Test
    void no_more_than_the_maximum_are_changed_and_the_oldest_first() {
        List<UUID> tasks = bulk.tasks(700);
        BulkOperation operation =
                bulk.make(bulk.owner, BulkAction.CANCEL, ofKind(PENDING, KIND), 600);
        assertThat(operation.matched()).isEqualTo(700);
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 600, 0);
        assertThat(
                        bulk.count(
                                "work where state = 'cancelled' and id = any(?)",
                                ids(tasks.subList(0, 600))))
                .isEqualTo(600);
    }

    /// Rows that do not fit cost their look, a bounded number of them in each step.
    @Test
    void a_few_among_many_others_are_found() {
        bulk.submit(bulk.owner, Profiles.TASKS, "other", 2500);
        bulk.tasks(3);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        assertThat(bulk.sweep()).isEqualTo(1);
        expect(operation, BulkState.RUNNING, 0, 0);
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 3, 0);
        assertThat(bulk.count("work where state = 'ready'")).isEqualTo(2500);
    }

    /// L-024: nothing of a purged task is left behind.
    @Test
    void purging_removes_all_that_hangs_on_a_task() {
        bulk.tasks(5);
        List<UUID> held = claim(3);
        for (UUID id : held) {
            bulk.kernel()
                    .work()
                    .command(
                            new CommandRequest(
                                    bulk.owner.accountId(),
                                    Profiles.TASKS,
                                    id,
                                    new Command.Complete(Fence.NONE, "{\"r\":1}", "out"),
                                    false));
        }
        bulk.test.clock().advance(Duration.ofSeconds(1));
        BulkOperation operation =
                bulk.make(
                        bulk.owner,
                        BulkAction.PURGE,
                        ofKind(Set.of(WorkState.SUCCEEDED), null),
                        100);
        bulk.sweepAll();
        expect(operation, BulkState.FINISHED, 3, 0);
        assertThat(bulk.count("work")).isEqualTo(2);
        assertThat(bulk.count("work_event")).isEqualTo(2);
        Explained.assertAll(bulk.database());
    }

    /// The two ways in which ended items go take the same things with them.
    @Test
    void what_retention_removes_with_an_item_a_purge_removes_too() {
        var texts = RetentionSql.statements().texts();
        String retention = texts.get("purge");
        String purge = texts.get("remove");
        String rest = retention.substring(retention.indexOf("logs as ("));
        assertThat(rest).contains("job_event", "work_receipt", "idempotency");
        assertThat(purge.substring(purge.indexOf("logs as ("))).isEqualTo(rest);
    }

    @Test
    void a_stopped_operation_does_nothing_more_and_keeps_what_was_done() {
        bulk.tasks(800);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        bulk.sweep();
        assertThat(bulk.kernel().bulk().cancel(bulk.owner, operation.id()))
                .isInstanceOf(BulkStop.Stopped.class);
        bulk.sweepAll();
        expect(operation, BulkState.CANCELLED, 500, 0);
        assertThat(bulk.count("work where state = 'ready'")).isEqualTo(300);
        assertThat(bulk.kernel().bulk().cancel(bulk.owner, operation.id()))
                .as("once more")
                .isInstanceOf(BulkStop.Stopped.class);
        assertThat(bulk.audited(bulk.owner))
                .containsExactly("key.created", "operation.created", "operation.cancelled");
        assertThat(bulk.kernel().bulk().cancel(bulk.account(), operation.id()))
                .isInstanceOf(BulkStop.NotFound.class);
    }

    @Test
    void an_operation_is_kept_for_thirty_days_after_its_end() {
        BulkOperation ended = bulk.cancelAll(bulk.owner);
        bulk.sweepAll();
        bulk.test.clock().advance(BulkPurger.KEPT.minusHours(1));
        assertThat(bulk.kernel().sweepOnce("bulk-purger")).isZero();
        BulkOperation running = bulk.cancelAll(bulk.owner);
        bulk.test.clock().advance(Duration.ofDays(60));
        assertThat(bulk.kernel().sweepOnce("bulk-purger")).isEqualTo(1);
        assertThat(bulk.kernel().bulk().get(bulk.owner.accountId(), ended.id())).isNull();
        expect(running, BulkState.RUNNING, 0, 0);
    }
}
