package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class CombinerTest {
    private final TestKernel test = new TestKernel();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();

    @BeforeEach
    void makeTable() {
        test.database().execute("create table number (n int primary key)");
    }

    @AfterEach
    void close() {
        test.close();
    }

    private Combiner<Integer, Integer> combiner(int bound, Duration patience) {
        return new Combiner<>(
                new Lane("test", 1, bound, 100, patience), test.kernel().database(), this::insert);
    }

    /// Stores each number and answers with its double.
    private List<Integer> insert(Tx tx, List<Integer> numbers) throws SQLException {
        batches.add(numbers.size());
        var answers = new ArrayList<Integer>();
        for (int number : numbers) {
            run(tx, "insert into number values (" + number + ")");
            answers.add(2 * number);
        }
        return answers;
    }

    private static void run(Tx tx, String sql) throws SQLException {
        try (var statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Object> stored() {
        return test.database().rows("select n from number order by n").stream()
                .map(row -> row.get("n"))
                .toList();
    }

    /// Holds the first commit until released, so that what comes meanwhile is one batch.
    private CountDownLatch parkFirstCommit(CountDownLatch parked) {
        var release = new CountDownLatch(1);
        test.failpoints()
                .arm(
                        "test.before-commit",
                        () -> {
                            parked.countDown();
                            release.await();
                        });
        return release;
    }

    private static List<CompletableFuture<Integer>> callAll(
            Combiner<Integer, Integer> combiner, int... numbers) {
        var calls = new ArrayList<CompletableFuture<Integer>>();
        for (int number : numbers) {
            calls.add(
                    CompletableFuture.supplyAsync(
                            () -> combiner.call(number),
                            Executors.newVirtualThreadPerTaskExecutor()));
        }
        return calls;
    }

    @Test
    void what_arrives_during_a_commit_is_the_next_batch_and_each_gets_its_own_answer()
            throws Exception {
        var parked = new CountDownLatch(1);
        CountDownLatch release = parkFirstCommit(parked);
        try (var combiner = combiner(100, Duration.ofSeconds(30))) {
            var first = callAll(combiner, 1).getFirst();
            parked.await();
            var others = callAll(combiner, 2, 3, 4, 5);
            Until.isTrue("4 wait", Duration.ofSeconds(10), () -> combiner.waitingRequests() == 4);
            // Answers come after the commit: not one of them is there, and nothing is seen.
            assertThat(first).isNotDone();
            assertThat(stored()).isEmpty();
            release.countDown();
            assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(2);
            for (int i = 0; i < 4; i++) {
                assertThat(others.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(2 * (i + 2));
            }
            assertThat(batches).containsExactly(1, 4);
            assertThat(stored()).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void one_bad_request_of_a_batch_fails_alone() throws Exception {
        var parked = new CountDownLatch(1);
        CountDownLatch release = parkFirstCommit(parked);
        try (var combiner = combiner(100, Duration.ofSeconds(30))) {
            var first = callAll(combiner, 7).getFirst();
            parked.await();
            var others = callAll(combiner, 1, 7, 2);
            Until.isTrue("3 wait", Duration.ofSeconds(10), () -> combiner.waitingRequests() == 3);
            release.countDown();
            first.get(60, TimeUnit.SECONDS);
            assertThat(others.get(0).get(60, TimeUnit.SECONDS)).isEqualTo(2);
            assertThat(others.get(2).get(60, TimeUnit.SECONDS)).isEqualTo(4);
            assertThatThrownBy(() -> others.get(1).get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> {
                                assertThat(e.kind()).isEqualTo(Kind.REJECTED);
                                assertThat(e.sqlState()).isEqualTo("23505");
                            });
            assertThat(stored()).containsExactly(1, 2, 7);
        }
    }

    @Test
    void beyond_the_bound_requests_are_refused_at_once_and_nothing_is_tried() throws Exception {
        var parked = new CountDownLatch(1);
        CountDownLatch release = parkFirstCommit(parked);
        try (var combiner = combiner(2, Duration.ofSeconds(30))) {
            var first = callAll(combiner, 1);
            parked.await();
            var waiting = callAll(combiner, 2, 3);
            Until.isTrue("2 wait", Duration.ofSeconds(10), () -> combiner.waitingRequests() == 2);
            assertThatThrownBy(() -> combiner.call(4))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.OVERLOADED));
            release.countDown();
            first.getFirst().get(60, TimeUnit.SECONDS);
            for (var call : waiting) {
                call.get(60, TimeUnit.SECONDS);
            }
            assertThat(stored()).containsExactly(1, 2, 3);
        }
    }

    @Test
    void a_caller_out_of_patience_is_told_whether_its_request_was_begun() throws Exception {
        var parked = new CountDownLatch(1);
        CountDownLatch release = parkFirstCommit(parked);
        try (var combiner = combiner(100, Duration.ofMillis(300))) {
            var begun = callAll(combiner, 1).getFirst();
            parked.await();
            var waiting = callAll(combiner, 2).getFirst();
            assertThatThrownBy(() -> begun.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));
            assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.OVERLOADED));
            release.countDown();
        }
        assertThat(stored()).containsExactly(1);
    }

    /// Fails with the given state of the database's own so many times, then passes.
    private Combiner<Integer, Integer> failing(String state, int times, AtomicInteger tries) {
        return new Combiner<>(
                new Lane("test", 1, 10, 10, Duration.ofSeconds(30)),
                test.kernel().database(),
                (tx, numbers) -> {
                    if (tries.getAndIncrement() < times) {
                        run(
                                tx,
                                "do $$ begin raise exception 'made' using errcode = '"
                                        + state
                                        + "'; end $$");
                    }
                    return insert(tx, numbers);
                });
    }

    @Test
    void deadlocks_and_serialization_failures_are_tried_again_at_most_three_times() {
        for (String state : List.of("40001", "40P01")) {
            var tries = new AtomicInteger();
            try (var combiner = failing(state, 2, tries)) {
                assertThat(combiner.call(tries.hashCode() & 0xffff)).isPositive();
                assertThat(tries.get()).isEqualTo(3);
            }
            tries.set(0);
            try (var combiner = failing(state, 100, tries)) {
                assertThatThrownBy(() -> combiner.call(1))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
                assertThat(tries.get()).isEqualTo(3);
            }
        }
    }

    @Test
    void a_statement_that_ran_into_its_time_limit_is_never_repeated() {
        var tries = new AtomicInteger();
        try (var combiner = failing("57014", 100, tries)) {
            assertThatThrownBy(() -> combiner.call(1))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
            assertThat(tries.get()).isEqualTo(1);
        }
    }

    @Test
    void a_batch_that_failed_after_its_commit_is_not_done_again() {
        test.failpoints()
                .arm(
                        "test.after-commit",
                        () -> {
                            throw new IllegalStateException("the answer was lost");
                        });
        try (var combiner = combiner(10, Duration.ofSeconds(30))) {
            assertThatThrownBy(() -> combiner.call(1))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));
        }
        assertThat(batches).containsExactly(1);
        assertThat(stored()).containsExactly(1);
    }

    @Test
    void a_wrong_number_of_answers_is_found_before_the_commit() {
        try (var combiner =
                new Combiner<Integer, Integer>(
                        new Lane("test", 1, 10, 10, Duration.ofSeconds(30)),
                        test.kernel().database(),
                        (tx, numbers) -> {
                            insert(tx, numbers);
                            return List.of();
                        })) {
            assertThatThrownBy(() -> combiner.call(1)).hasMessageContaining("0 answers for 1");
        }
        assertThat(stored()).isEmpty();
    }

    @Test
    void a_close_finishes_what_waits_and_takes_nothing_new() throws Exception {
        var parked = new CountDownLatch(1);
        CountDownLatch release = parkFirstCommit(parked);
        var combiner = combiner(100, Duration.ofSeconds(30));
        var calls = callAll(combiner, 1);
        parked.await();
        calls.addAll(callAll(combiner, 2));
        Until.isTrue("1 waits", Duration.ofSeconds(10), () -> combiner.waitingRequests() == 1);
        var closing = CompletableFuture.runAsync(combiner::close);
        release.countDown();
        closing.get(60, TimeUnit.SECONDS);
        for (var call : calls) {
            call.get(60, TimeUnit.SECONDS);
        }
        assertThat(stored()).containsExactly(1, 2);
        assertThatThrownBy(() -> combiner.call(3)).hasMessageContaining("stopping");
    }
}
