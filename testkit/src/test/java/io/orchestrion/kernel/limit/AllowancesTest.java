package io.orchestrion.kernel.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

class AllowancesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /// Nobody gives up while a test holds something.
    private final TestKernel kernel = new TestKernel(AllowancesTest::patient);
    private final Allowances allowances = kernel.kernel().allowances();
    private final UUID account = UUID.randomUUID();

    @AfterEach
    void close() {
        kernel.close();
    }

    private static KernelOptions patient(KernelOptions options) {
        return options.withDatabase(options.database().withLockTimeout(Duration.ofMinutes(1)));
    }

    private Window window(String name) {
        return new Window(account, "key", name, MINUTE);
    }

    private Taken take(String name, int max) {
        return allowances.take(List.of(new Ask(window(name), 1, max)), false);
    }

    private void minutes(long minutes) {
        kernel.clock().advance(Duration.ofMinutes(minutes));
    }

    @Test
    void the_first_n_are_granted_and_the_next_is_refused() {
        for (int i = 1; i <= 5; i++) {
            Taken taken = take("five", 5);
            assertThat(taken.granted()).isTrue();
            assertThat(taken.used()).containsExactly(i);
        }
        Taken refused = take("five", 5);
        assertThat(refused.granted()).isFalse();
        assertThat(refused.refusedBy()).isEqualTo(new Ask(window("five"), 1, 5));
        assertThat(refused.waitMs()).isBetween(59 * 60_000L, 60 * 60_000L);
    }

    @Test
    void the_window_slides_by_the_minute() {
        take("slides", 3);
        minutes(20);
        take("slides", 3);
        minutes(20);
        take("slides", 3);
        // The first leaves at minute 60, the second at 80.
        assertThat(take("slides", 3).waitMs()).isCloseTo(20 * 60_000L, within(61_000L));
        minutes(21);
        assertThat(take("slides", 3).granted()).isTrue();
        assertThat(take("slides", 3).waitMs()).isCloseTo(19 * 60_000L, within(61_000L));
        minutes(60);
        assertThat(take("slides", 3).used()).containsExactly(1);
    }

    /// The sum is kept beside the slots, by every way in which a window is written.
    @Test
    void the_sum_of_a_window_is_the_sum_of_its_slots() {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (int step = 0; step < 60; step++) {
            Window window = window("w" + random.nextInt(2));
            int amount = 1 + random.nextInt(3);
            if (random.nextBoolean()) {
                allowances.take(
                        List.of(
                                new Ask(window, amount, 40),
                                new Ask(window("both"), 1, random.nextInt(60))),
                        false);
            } else {
                kernel.kernel()
                        .database()
                        .transaction(
                                tx -> {
                                    Allowances.Look look = allowances.lookLater(tx, window, 40);
                                    LimitSql.used(tx, account, List.of(window));
                                    if (look.seen().granted()) {
                                        allowances.takeHeld(tx, window, amount);
                                    }
                                    return null;
                                });
            }
            assertThat(
                            kernel.database()
                                    .rows(
                                            "select bucket, total, counts from allowance a where"
                                                + " total <> (select sum(c) from unnest(a.counts)"
                                                + " as c)"))
                    .as("seed %d, step %d", seed, step)
                    .isEmpty();
            minutes(random.nextInt(4) == 0 ? random.nextInt(70) : 0);
        }
        assertThat(kernel.database().<Long>value("select count(*) from allowance")).isPositive();
    }

    @Test
    void after_the_wait_that_was_named_there_is_room() {
        take("wait", 1);
        minutes(7);
        Taken refused = take("wait", 1);
        kernel.clock().advance(Duration.ofMillis(refused.waitMs() - 1000));
        assertThat(take("wait", 1).granted()).isFalse();
        kernel.clock().advance(Duration.ofMillis(1000));
        assertThat(take("wait", 1).granted()).isTrue();
    }

    @Test
    void being_refused_does_not_lengthen_the_wait() {
        take("patient", 1);
        long before = take("patient", 1).waitMs();
        minutes(30);
        for (int i = 0; i < 10; i++) {
            assertThat(take("patient", 1).granted()).isFalse();
        }
        assertThat(take("patient", 1).waitMs()).isLessThanOrEqualTo(before - 30 * 60_000L);
    }

    @Test
    void a_request_takes_from_all_its_windows_or_from_none() {
        var both = List.of(new Ask(window("wide"), 1, 100), new Ask(window("narrow"), 1, 1));
        assertThat(allowances.take(both, false).granted()).isTrue();
        Taken refused = allowances.take(both, false);
        assertThat(refused.refusedBy()).isEqualTo(both.get(1));
        assertThat(allowances.used(account, List.of(window("wide"), window("narrow"))))
                .containsExactly(1, 1);
    }

    @Test
    void a_plan_that_allows_more_is_heeded_at_once() {
        take("grows", 1);
        assertThat(take("grows", 1).granted()).isFalse();
        assertThat(take("grows", 2).granted()).isTrue();
    }

    /// L-001: of what two nodes are asked at the same moment, exactly so many are granted.
    @Test
    void two_nodes_together_grant_exactly_what_the_window_holds() {
        Kernel other = kernel.anotherNode(options -> options);
        try (other) {
            List<Taken> taken =
                    Parallel.run(
                            200,
                            i ->
                                    () ->
                                            (i % 2 == 0 ? allowances : other.allowances())
                                                    .take(
                                                            List.of(
                                                                    new Ask(
                                                                            window("shared"),
                                                                            1,
                                                                            77),
                                                                    new Ask(
                                                                            window("own" + i % 5),
                                                                            1,
                                                                            1000)),
                                                            false));
            assertThat(taken.stream().filter(Taken::granted)).hasSize(77);
        }
        List<Integer> own =
                allowances.used(
                        account,
                        List.of(0, 1, 2, 3, 4).stream().map(i -> window("own" + i)).toList());
        assertThat(own.stream().mapToInt(Integer::intValue).sum()).isEqualTo(77);
    }

    /// A window that another session holds, as one of another node does that stands still.
    private final class Held implements AutoCloseable {
        private final Connection connection = kernel.database().connect();

        Held(String name) throws SQLException {
            connection.setAutoCommit(false);
            try (var statement =
                    connection.prepareStatement(
                            "select from allowance where account_id = ? and bucket = ? for"
                                    + " update")) {
                statement.setObject(1, account);
                statement.setString(2, name);
                assertThat(statement.executeQuery().next()).isTrue();
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    @Test
    void a_window_that_another_session_holds_delays_only_who_asks_for_it() throws Exception {
        take("held", 5);
        CompletableFuture<Taken> waiting;
        try (var _ = new Held("held")) {
            waiting = CompletableFuture.supplyAsync(() -> take("held", 5), inThread());
            for (int i = 1; i <= 20; i++) {
                assertThat(take("free", 100).used()).containsExactly(i);
            }
            // Nor does who only looks at it.
            assertThat(allowances.used(account, List.of(window("held"), window("free"))))
                    .containsExactly(1, 20);
        }
        assertThat(waiting.join().used()).containsExactly(2);
    }

    /// What is held is not taken from, and neither are the other windows of the request.
    @Test
    void who_gives_up_on_a_held_window_has_taken_nothing() throws Exception {
        take("held", 5);
        var impatient =
                kernel.anotherNode(
                        options ->
                                options.withDatabase(
                                        options.database().withLockTimeout(Duration.ofMillis(1))));
        try (impatient;
                var _ = new Held("held")) {
            var both = List.of(new Ask(window("free"), 1, 5), new Ask(window("held"), 1, 5));
            assertThatThrownBy(() -> impatient.allowances().take(both, false))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.OVERLOADED));
        }
        assertThat(allowances.used(account, List.of(window("held"), window("free"))))
                .containsExactly(1, 0);
    }

    private static Executor inThread() {
        return task -> Thread.ofVirtual().start(task);
    }

    @Test
    void holders_find_room_however_many_others_wait() throws Exception {
        take("held", 5);
        var small =
                kernel.anotherNode(
                        options ->
                                patient(options)
                                        .withWork(
                                                new Work.Options(
                                                        1, 2, 10, Duration.ofSeconds(30))));
        try (small) {
            var held = List.of(new Ask(window("held"), 1, 5));
            var free = List.of(new Ask(window("free"), 1, 1_000_000));
            var waiting = new CompletableFuture<Taken>();
            try (var _ = new Held("held")) {
                Thread waits =
                        Thread.ofVirtual()
                                .start(
                                        () ->
                                                waiting.complete(
                                                        small.allowances().take(held, false)));
                Until.isTrue(
                        "it waits",
                        Duration.ofSeconds(30),
                        () ->
                                Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING)
                                        .contains(waits.getState()));
                assertThatThrownBy(() -> small.allowances().take(free, false))
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                e ->
                                        assertThat(e.kind())
                                                .isEqualTo(StoreException.Kind.OVERLOADED));
                assertThat(small.allowances().take(free, true).granted()).isTrue();
            }
            assertThat(waiting.join().granted()).isTrue();
            assertThat(small.allowances().take(free, false).granted()).isTrue();
        }
    }

    /// Requests of one batch are decided in their order, each as if it had come alone.
    @Test
    void a_batch_is_decided_as_if_its_requests_had_come_one_by_one() throws Exception {
        List<List<Ask>> batch =
                List.of(
                        List.of(new Ask(window("a"), 2, 5), new Ask(window("b"), 1, 9)),
                        List.of(new Ask(window("a"), 4, 5)),
                        List.of(new Ask(window("b"), 3, 9), new Ask(window("a"), 3, 5)),
                        List.of(new Ask(window("a"), 1, 5), new Ask(window("b"), 1, 9)),
                        List.of(new Ask(window("a"), 1, 6)));
        List<Taken> taken =
                kernel.kernel().database().transaction(tx -> LimitSql.takeOrPass(tx, 0, batch));
        assertThat(taken.stream().map(Taken::granted))
                .containsExactly(true, false, true, false, true);
        assertThat(taken.stream().map(Taken::used))
                .containsExactly(
                        List.of(2, 1), List.of(2), List.of(4, 5), List.of(5, 4), List.of(6));
        assertThat(taken.get(3).refusedBy()).isEqualTo(batch.get(3).getFirst());
        assertThat(taken.get(3).waitMs()).isPositive();
    }

    @Test
    void windows_with_nothing_left_in_them_are_swept_away() {
        take("idle", 5);
        minutes(59);
        take("busy", 5);
        kernel.kernel().sweepOnce("purger");
        assertThat(rows()).isEqualTo(2);
        minutes(2);
        kernel.kernel().sweepOnce("purger");
        assertThat(rows()).isEqualTo(1);
        assertThat(allowances.used(account, List.of(window("busy")))).containsExactly(1);
    }

    private long rows() {
        return kernel.database().value("select count(*) from allowance");
    }
}
