package io.orchestrion.kernel.bulk;

import static io.orchestrion.kernel.bulk.BulkFixture.KIND;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Explained;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/// Operations under crashes, between several nodes, and with items that cannot be changed.
class BulkTroubleTest {
    private final BulkFixture bulk = new BulkFixture();

    @AfterEach
    void close() {
        bulk.close();
    }

    /// As a node that dies there: nothing that it meant to do afterwards happens.
    private static final class Dead extends Error {
        private static final long serialVersionUID = 1;
    }

    /// Every task once, in storage and in the numbers.
    private void assertExact(BulkOperation operation, int items) {
        BulkOperation now = bulk.now(operation);
        assertThat(now.state()).isEqualTo(BulkState.FINISHED);
        assertThat(now.done()).isEqualTo(items);
        assertThat(now.skipped() + now.failed()).isZero();
        assertThat(bulk.count("work where state = 'cancelled'")).isEqualTo(items);
        assertThat(bulk.count("work_event where event = 'cancel'")).isEqualTo(items);
        assertThat(bulk.audited(bulk.owner))
                .containsExactly("key.created", "operation.created", "operation.finished");
        Explained.assertAll(bulk.database());
    }

    /// Before the commit nothing has happened, after it everything has: whoever goes on starts from
    /// what is stored.
    @ParameterizedTest
    @CsvSource({
        "bulk.before-commit, 1, 0",
        "bulk.before-commit, 2, 500",
        "bulk.before-commit, 3, 1000",
        "bulk.after-step, 1, 500",
        "bulk.after-step, 3, 1300"
    })
    void a_crash_in_any_window_loses_nothing_and_repeats_nothing(
            String place, int step, int doneBefore) {
        int items = 1300;
        bulk.tasks(items);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        var hits = new AtomicInteger();
        bulk.test
                .failpoints()
                .arm(
                        place,
                        () -> {
                            if (hits.incrementAndGet() == step) {
                                throw new Dead();
                            }
                        });
        assertThatThrownBy(bulk::sweepAll).isInstanceOf(Dead.class);
        bulk.test.failpoints().disarm(place);
        assertThat(bulk.now(operation).done()).isEqualTo(doneBefore);
        try (Kernel another = bulk.test.anotherNode(options -> options)) {
            while (another.sweepOnce("bulk-runner") > 0) {
                assertThat(bulk.now(operation).done()).isPositive();
            }
        }
        assertExact(operation, items);
    }

    /// The commit stands, only its answer is lost.
    @Test
    void a_step_whose_commit_is_not_confirmed_is_not_done_again() {
        bulk.tasks(700);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        var hits = new AtomicInteger();
        bulk.test
                .failpoints()
                .arm(
                        "pool.after-commit",
                        () -> {
                            // The look for what is due comes first.
                            if (hits.incrementAndGet() == 2) {
                                throw new IllegalStateException("the line broke");
                            }
                        });
        assertThatThrownBy(bulk::sweep)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.OUTCOME_UNKNOWN));
        bulk.test.failpoints().disarm("pool.after-commit");
        assertThat(bulk.now(operation).done()).isEqualTo(500);
        assertThat(bulk.now(operation).tries()).as("nobody's fault").isZero();
        bulk.sweepAll();
        assertExact(operation, 700);
    }

    /// Two nodes and four threads want the same operation.
    @Test
    void many_nodes_at_once_do_each_task_once() {
        int items = 2600;
        bulk.tasks(items);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        try (Kernel another = bulk.test.anotherNode(options -> options)) {
            List<Kernel> nodes = List.of(bulk.kernel(), another);
            Parallel.run(
                    4,
                    i ->
                            () -> {
                                while (bulk.now(operation).state() == BulkState.RUNNING) {
                                    nodes.get(i % 2).sweepOnce("bulk-runner");
                                }
                                return null;
                            });
        }
        assertExact(operation, items);
    }

    /// Another account's operation is done in the very pass in which this one meets its bad rows,
    /// which are counted, named and left behind (sweep that starves behind one bad row).
    @Test
    void sweep_that_starves_behind_one_bad_row() {
        List<UUID> tasks = bulk.tasks(120);
        bulk.breakItems(List.of(tasks.get(0), tasks.get(60)));
        Principal other = bulk.account();
        BulkOperation bad = bulk.cancelAll(bulk.owner);
        bulk.submit(other, Profiles.TASKS, KIND, 5);
        bulk.test.clock().advance(Duration.ofSeconds(1));
        BulkOperation good = bulk.cancelAll(other);
        bulk.sweep();
        assertThat(bulk.now(good).state()).isEqualTo(BulkState.FINISHED);
        assertThat(bulk.now(good).done()).isEqualTo(5);
        bulk.sweepAll();
        BulkOperation now = bulk.now(bad);
        assertThat(now.state()).isEqualTo(BulkState.FINISHED);
        assertThat(now.done()).isEqualTo(118);
        assertThat(now.failed()).isEqualTo(2);
        assertThat(now.skipped()).isZero();
        assertThat(now.failures())
                .extracting(BulkOperation.Failure::id)
                .containsExactly(tasks.get(0), tasks.get(60));
        assertThat(now.failures())
                .extracting(BulkOperation.Failure::reason)
                .containsOnly("the store refused the change");
    }

    /// As many in front as a step takes at once, and more operations than get a turn in a pass.
    @Test
    void a_whole_batch_of_bad_rows_keeps_neither_the_rest_nor_the_others_waiting() {
        List<UUID> tasks = bulk.tasks(620);
        bulk.breakItems(tasks.subList(0, 600));
        BulkOperation bad = bulk.cancelAll(bulk.owner);
        bulk.test.clock().advance(Duration.ofSeconds(1));
        var good = new ArrayList<BulkOperation>();
        for (int i = 0; i < BulkRunner.OPERATIONS + 2; i++) {
            Principal other = bulk.account();
            bulk.submit(other, Profiles.TASKS, KIND, 1);
            good.add(bulk.cancelAll(other));
        }
        bulk.test.clock().advance(Duration.ofSeconds(1));
        bulk.sweep();
        bulk.sweep();
        assertThat(good).allMatch(each -> bulk.now(each).state() == BulkState.FINISHED);
        assertThat(bulk.now(bad).state()).isEqualTo(BulkState.RUNNING);
        bulk.sweepAll();
        assertThat(bulk.now(bad).failed()).isEqualTo(600);
        assertThat(bulk.now(bad).done()).isEqualTo(20);
        assertThat(bulk.now(bad).failures()).hasSize(BulkOperation.FAILURES_KEPT);
    }

    /// A row that somebody else does not let go.
    @Test
    void a_row_that_stays_locked_is_left_behind() throws SQLException {
        List<UUID> tasks = bulk.tasks(4);
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        try (Connection connection = bulk.database().connect()) {
            connection.setAutoCommit(false);
            try (var lock =
                    connection.prepareStatement("select from work where id = ? for update")) {
                lock.setObject(1, tasks.get(2));
                lock.executeQuery().close();
            }
            bulk.sweepAll();
            connection.rollback();
        }
        BulkOperation now = bulk.now(operation);
        assertThat(now.state()).isEqualTo(BulkState.FINISHED);
        assertThat(now.done()).isEqualTo(3);
        assertThat(now.failures())
                .containsExactly(
                        new BulkOperation.Failure(
                                tasks.get(2), "something else held it for too long"));
    }

    /// Where no item is to blame it is tried again, later and later, and given up in the end.
    @Test
    void an_operation_that_cannot_go_on_is_put_off_and_in_the_end_given_up() {
        BulkOperation operation = bulk.cancelAll(bulk.owner);
        bulk.test
                .failpoints()
                .arm(
                        "bulk.before-commit",
                        () -> {
                            throw new IllegalStateException("no way");
                        });
        assertThatThrownBy(bulk::sweep).hasMessage("no way");
        assertThat(bulk.sweep()).as("not at once again").isZero();
        assertThat(bulk.now(operation).tries()).isEqualTo(1);
        for (int i = 1; i < BulkRunner.TRIES_MAX; i++) {
            assertThat(bulk.now(operation).state()).isEqualTo(BulkState.RUNNING);
            bulk.test.clock().advance(Duration.ofMinutes(1));
            assertThatThrownBy(bulk::sweep).hasMessage("no way");
        }
        assertThat(bulk.now(operation).state()).isEqualTo(BulkState.FAILED);
        assertThat(bulk.audited(bulk.owner)).endsWith("operation.created", "operation.failed");
    }

    /// The number of operations under way holds under a rush, too.
    @Test
    void no_more_than_ten_are_under_way_in_one_account() {
        List<Boolean> made =
                Parallel.run(
                        16,
                        _ ->
                                () -> {
                                    try {
                                        bulk.cancelAll(bulk.owner);
                                        return true;
                                    } catch (AssertionError e) {
                                        return false;
                                    }
                                });
        assertThat(made.stream().filter(each -> each)).hasSize(Bulk.RUNNING_MAX);
        bulk.sweepAll();
        assertThat(bulk.cancelAll(bulk.owner)).isNotNull();
        assertThat(bulk.cancelAll(bulk.account())).as("another account's own").isNotNull();
    }
}
