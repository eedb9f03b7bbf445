package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.progress.LaneStatus;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Whatever a batch does, its transaction ends in bounded time and the lane goes on.
@Timeout(180)
class StuckLaneTest {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final Duration LOCK = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestKernel test = kernel(LIMIT);
    private final Database database = test.kernel().database();
    private final Executor executor = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicBoolean released = new AtomicBoolean();

    private static TestKernel kernel(Duration limit) {
        return new TestKernel(
                options ->
                        options.withDatabase(
                                options.database()
                                        .withPoolSize(1)
                                        .withTimeouts(Duration.ofSeconds(5), limit, LOCK)));
    }

    @BeforeEach
    void makeTable() {
        test.database().execute("create table number (n int primary key)");
    }

    @AfterEach
    void close() {
        released.set(true);
        test.close();
    }

    private interface Body {
        void run(Tx tx, int number) throws Exception;
    }

    /// Does what the body says with each number, and stores it.
    private Combiner<Integer, Integer> lane(Body body) {
        return new Combiner<>(
                new Lane("test", 1, 100, 100, SOON),
                database,
                (tx, numbers) -> {
                    for (int number : numbers) {
                        say(tx, "insert into number values (" + number + ")");
                        run(body, tx, number);
                    }
                    return numbers;
                });
    }

    private static void run(Body body, Tx tx, int number) throws SQLException {
        try {
            body.run(tx, number);
        } catch (SQLException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void say(Tx tx, String sql) throws SQLException {
        try (var statement = tx.connection().createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Object> stored() {
        return test.database().rows("select n from number order by n").stream()
                .map(row -> row.get("n"))
                .toList();
    }

    private LaneStatus status() {
        return test.kernel().lanes().stream()
                .filter(lane -> lane.name().equals("test"))
                .findFirst()
                .orElseThrow();
    }

    private static void isOfKind(Kind kind, ThrowableCall call) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    private interface ThrowableCall {
        void run() throws Throwable;
    }

    private void endsAndWorksAgain(Body body) {
        try (var combiner =
                lane(
                        (tx, number) -> {
                            if (number == 1) {
                                body.run(tx, number);
                            }
                        })) {
            isOfKind(Kind.TIMED_OUT, () -> combiner.call(1));
            assertThat(combiner.call(2)).isEqualTo(2);
            assertThat(stored()).containsExactly(2);
            assertThat(status().transactionsEnded()).isEqualTo(1);
            assertThat(status().threadsLost()).isZero();
            Until.isTrue("nothing is in hand", SOON, () -> status().inHand() == 0);
        }
    }

    @Test
    void a_thread_that_waits_for_something_else_is_freed() {
        endsAndWorksAgain((_, _) -> never.await());
    }

    /// What went on in a loop that never ended: each statement was short, and nothing was idle.
    @Test
    void a_loop_of_short_statements_is_ended() {
        endsAndWorksAgain(
                (tx, _) -> {
                    while (true) {
                        say(tx, "select 1");
                    }
                });
    }

    @Test
    void statements_that_only_together_take_too_long_are_ended() {
        endsAndWorksAgain(
                (tx, _) -> {
                    for (int i = 0; i < 1000; i++) {
                        say(tx, "select pg_sleep(0.2)");
                    }
                });
    }

    /// The thread itself looks how it is reported, so that no moment of it can be missed.
    @Test
    void a_thread_that_does_not_come_back_is_seen_and_replaced() throws Exception {
        var seen = new CompletableFuture<LaneStatus>();
        try (var combiner =
                lane(
                        (_, number) -> {
                            while (number == 1 && !released.get()) {
                                LaneStatus now = status();
                                if (now.stuck()) {
                                    seen.complete(now);
                                }
                            }
                        })) {
            var stuck = CompletableFuture.supplyAsync(() -> combiner.call(1), executor);
            Until.isTrue("the first is in hand", SOON, () -> status().inHand() == 1);
            var waits = CompletableFuture.supplyAsync(() -> combiner.call(2), executor);
            LaneStatus then = seen.get(60, TimeUnit.SECONDS);
            assertThat(then.sinceProgressMs()).isGreaterThan(LIMIT.toMillis());
            assertThat(then.inHand()).isEqualTo(1);
            assertThat(then.waiting()).isEqualTo(1);
            assertThat(waits.get(60, TimeUnit.SECONDS)).isEqualTo(2);
            assertThatThrownBy(() -> stuck.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.OUTCOME_UNKNOWN));
            assertThat(status().threadsLost()).isEqualTo(1);
            assertThat(status().stuck()).isFalse();
            released.set(true);
            Until.isTrue("it has ended", SOON, () -> status().threadsLost() == 0);
            assertThat(stored()).containsExactly(2);
        }
    }

    @Test
    void a_transaction_of_the_pool_that_hangs_gives_its_connection_back() {
        isOfKind(
                Kind.TIMED_OUT,
                () ->
                        database.transaction(
                                tx -> {
                                    say(tx, "insert into number values (1)");
                                    run((_, _) -> never.await(), tx, 1);
                                    return null;
                                }));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        database.transaction(
                tx -> {
                    say(tx, "insert into number values (2)");
                    return null;
                });
        assertThat(stored()).containsExactly(2);
        assertThat(database.endedTransactions("pool")).isEqualTo(1);
    }

    @Test
    void where_the_database_can_it_bounds_transactions_by_itself() {
        String known =
                (String)
                        test.database()
                                .value(
                                        "select current_setting('transaction_timeout', true)"
                                                + " || ''");
        String ours =
                database.transaction(
                        tx -> {
                            try (var statement = tx.connection().createStatement();
                                    var rows =
                                            statement.executeQuery(
                                                    "select current_setting('transaction_timeout',"
                                                            + " true)")) {
                                rows.next();
                                return String.valueOf(rows.getString(1));
                            }
                        });
        assertThat(ours).isEqualTo(known == null ? "null" : "1333ms");
    }

    private record Wish(UUID accountId, int number) implements OfAccount {}

    /// One account's requests wait for rows that somebody else has locked, each for as long as it
    /// may: after two of them the rest is refused, and the other account's is done before that.
    @Test
    void going_on_singly_one_account_does_not_hold_up_another() throws Exception {
        UUID slow = UUID.randomUUID();
        UUID quick = UUID.randomUUID();
        var done = new CopyOnWriteArrayList<List<Integer>>();
        var first = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var patient = kernel(SOON);
                var other = patient.database().connect();
                var combiner =
                        new Combiner<Wish, Integer>(
                                new Lane("test", 1, 100, 100, SOON),
                                patient.kernel().database(),
                                (tx, wishes) -> {
                                    done.add(wishes.stream().map(Wish::number).toList());
                                    for (Wish wish : wishes) {
                                        if (wish.number() == 0) {
                                            first.countDown();
                                            run((_, _) -> go.await(), tx, 0);
                                        }
                                        say(
                                                tx,
                                                "update number set n = n where n = "
                                                        + wish.number());
                                    }
                                    return wishes.stream().map(Wish::number).toList();
                                })) {
            patient.database().execute("create table number (n int primary key)");
            patient.database().execute("insert into number select * from generate_series(1, 20)");
            other.setAutoCommit(false);
            other.createStatement().execute("select * from number where n <= 10 for update");
            var calls = new ArrayList<CompletableFuture<Integer>>();
            calls.add(call(combiner, new Wish(slow, 0)));
            first.await();
            for (int i = 1; i <= 6; i++) {
                calls.add(call(combiner, new Wish(slow, i)));
                int sent = i;
                Until.isTrue("it waits", SOON, () -> combiner.waitingRequests() == sent);
            }
            calls.add(call(combiner, new Wish(quick, 11)));
            Until.isTrue("all wait", SOON, () -> combiner.waitingRequests() == 7);
            go.countDown();
            assertThat(calls.getLast().get(60, TimeUnit.SECONDS)).isEqualTo(11);
            for (int i = 1; i <= 6; i++) {
                CompletableFuture<Integer> call = calls.get(i);
                Kind kind = i <= 2 ? Kind.LOCKED : Kind.OVERLOADED;
                assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOfSatisfying(
                                StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
            }
            assertThat(done)
                    .containsExactly(
                            List.of(0),
                            List.of(1, 2, 3, 4, 5, 6, 11),
                            List.of(1),
                            List.of(11),
                            List.of(2));
            other.rollback();
        }
    }

    private CompletableFuture<Integer> call(Combiner<Wish, Integer> combiner, Wish wish) {
        return CompletableFuture.supplyAsync(() -> combiner.call(wish), executor);
    }
}
