package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.DeadlinePassed;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// J-287 below the door: what a caller gives up at its deadline is never done, and what is being
/// committed is waited for.
@Timeout(180)
class DeadlineTest {
    private static final Duration SHORT = Duration.ofMillis(100);

    private final TestKernel test = new TestKernel();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Combiner<Integer, Integer> combiner =
            new Combiner<>(
                    new Lane("test", 1, 100, 100, Duration.ofSeconds(30)),
                    test.kernel().database(),
                    this::insert);

    @BeforeEach
    void makeTable() {
        test.database().execute("create table number (n int primary key)");
    }

    @AfterEach
    void close() {
        goOn.countDown();
        combiner.close();
        test.close();
    }

    /// Stores each number; the first batch stops halfway until it may go on.
    private List<Integer> insert(Tx tx, List<Integer> numbers) throws SQLException {
        for (int number : numbers) {
            try (var statement = tx.connection().createStatement()) {
                statement.execute("insert into number values (" + number + ")");
            }
        }
        begun.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return numbers;
    }

    private List<Object> stored() {
        return test.database().rows("select n from number order by n").stream()
                .map(row -> row.get("n"))
                .toList();
    }

    private CompletableFuture<Integer> call(int number) {
        return CompletableFuture.supplyAsync(
                () -> combiner.call(number), Executors.newVirtualThreadPerTaskExecutor());
    }

    @Test
    void a_request_that_was_begun_and_given_up_is_not_done() throws Exception {
        // Long enough to open a connection before it is over, also on a busy machine.
        assertThatThrownBy(() -> Deadline.within(SHORT.multipliedBy(30), () -> combiner.call(1)))
                .isInstanceOf(DeadlinePassed.class);
        assertThat(begun.getCount()).isZero();
        goOn.countDown();
        assertThat(combiner.call(2)).isEqualTo(2);
        assertThat(stored()).containsExactly(2);
    }

    @Test
    void a_request_that_still_waited_is_not_done() throws Exception {
        CompletableFuture<Integer> first = call(1);
        begun.await();
        assertThatThrownBy(() -> Deadline.within(SHORT, () -> combiner.call(2)))
                .isInstanceOf(DeadlinePassed.class);
        assertThat(combiner.waitingRequests()).isZero();
        goOn.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(stored()).containsExactly(1);
    }

    /// Three in one batch, one of which is given up while it is being done.
    @Test
    void the_others_of_its_batch_are_done_without_it() throws Exception {
        var parked = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        test.failpoints()
                .arm(
                        "test.before-commit",
                        () -> {
                            parked.countDown();
                            release.await();
                        });
        goOn.countDown();
        CompletableFuture<Integer> first = call(1);
        parked.await();
        CompletableFuture<Integer> second = call(2);
        CompletableFuture<Object> given =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                // Seen in the line before it is over, also on a busy machine.
                                return Deadline.within(
                                        Duration.ofSeconds(3), () -> combiner.call(3));
                            } catch (Exception e) {
                                return e;
                            }
                        },
                        Executors.newVirtualThreadPerTaskExecutor());
        Until.isTrue("2 wait", Duration.ofSeconds(10), () -> combiner.waitingRequests() == 2);
        assertThat(given.get(60, TimeUnit.SECONDS)).isInstanceOf(DeadlinePassed.class);
        test.failpoints().disarm("test.before-commit");
        release.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(2);
        assertThat(stored()).containsExactly(1, 2);
    }

    /// A commit that has begun is not said to be nothing.
    @Test
    void what_is_being_committed_is_waited_for() throws Exception {
        var release = new CountDownLatch(1);
        var parked = new CountDownLatch(1);
        test.failpoints()
                .arm(
                        "test.before-commit",
                        () -> {
                            parked.countDown();
                            release.await();
                        });
        goOn.countDown();
        CompletableFuture<Integer> call =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return Deadline.within(
                                        Duration.ofSeconds(1), () -> combiner.call(7));
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        Executors.newVirtualThreadPerTaskExecutor());
        parked.await();
        assertThatThrownBy(() -> call.get(1500, TimeUnit.MILLISECONDS)).isNotNull();
        release.countDown();
        assertThat(call.get(60, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(stored()).containsExactly(7);
    }

    @Test
    void a_transaction_of_ones_own_is_not_committed_after_the_deadline() {
        Database database = test.kernel().database();
        assertThatThrownBy(
                        () ->
                                Deadline.within(
                                        SHORT,
                                        () ->
                                                database.transaction(
                                                        tx -> {
                                                            try (var statement =
                                                                    tx.connection()
                                                                            .createStatement()) {
                                                                statement.execute(
                                                                        "insert into number values"
                                                                                + " (9)");
                                                                statement.execute(
                                                                        "select pg_sleep(0.15)");
                                                            }
                                                            return 0;
                                                        })))
                .isInstanceOf(DeadlinePassed.class);
        assertThat(stored()).isEmpty();
    }
}
