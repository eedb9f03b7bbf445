package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.itemlog.LogLevel;
import io.orchestrion.kernel.itemlog.LogLine;
import io.orchestrion.kernel.lanes.MeteredLanes;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.policy.Policy;
import io.orchestrion.kernel.progress.LaneStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// A transaction that hangs, in whatever lane: the other lanes go on, and it ends.
@Timeout(180)
class HangingLanesTest {
    private final Executor executor = Executors.newVirtualThreadPerTaskExecutor();

    private static UnaryOperator<KernelOptions> transactionsEndAfter(Duration limit) {
        return options ->
                options.withPace(Duration.ofHours(1), Duration.ofHours(1), false)
                        .withDatabase(
                                options.database()
                                        .withTimeouts(
                                                options.database().statementTimeout(),
                                                limit,
                                                options.database().lockTimeout()));
    }

    /// A call in each of the lanes, by the lane's name. Each changes something of its own.
    private static Map<String, Runnable> calls(QueueFixture queue) {
        WorkFixture tasks = queue.fixture;
        var keys = new AtomicInteger();
        var calls = new LinkedHashMap<String, Runnable>();
        var cancelled = tasks.submit(Profiles.TASKS);
        var held = queue.held("worker");
        tasks.submit(Profiles.TASKS);
        var beating = tasks.claim(Profiles.TASKS).id();
        calls.put("submit", () -> tasks.submit(Profiles.TASKS));
        calls.put(
                "submit-keyed",
                () ->
                        tasks.work()
                                .submit(tasks.keyed(Profiles.TASKS, "k" + keys.getAndIncrement())));
        calls.put("claim", () -> tasks.claim(Profiles.TASKS, 1));
        int lanes = Work.Options.DEFAULT.committers();
        for (int number = 1; number <= lanes; number++) {
            UUID metered = meteredAccount(queue, number, lanes);
            Runnable counted =
                    () -> tasks.submit(NewWork.of(metered, Profiles.TASKS, "build", "{}"));
            // From its first task on the node knows that the account is counted.
            counted.run();
            calls.put("submit-metered-" + number, counted);
            calls.put(
                    "claim-metered-" + number,
                    () ->
                            tasks.work()
                                    .claim(
                                            new ClaimRequest(
                                                    metered,
                                                    Profiles.TASKS.queue(),
                                                    "build",
                                                    1,
                                                    "worker",
                                                    null),
                                            Duration.ZERO));
        }
        calls.put(
                "holder",
                () -> tasks.apply(Profiles.TASKS, beating, new Command.Heartbeat(Fence.NONE)));
        var settling = tasks.submit(Profiles.TASKS);
        // The state does not allow it, which the second lane of holders finds out.
        calls.put(
                "settle",
                () ->
                        tasks.command(
                                Profiles.TASKS,
                                settling,
                                new Command.Fail(Fence.NONE, "no", null, true)));
        calls.put("command", () -> tasks.command(Profiles.TASKS, cancelled, new Command.Cancel()));
        calls.put("claim-policy", () -> queue.claim(Policy.ANYTHING, "worker", 1));
        calls.put(
                "log",
                () ->
                        queue.work()
                                .append(
                                        new LogLine(
                                                queue.account,
                                                QueueFixture.QUEUE,
                                                held,
                                                QueueFixture.by("worker"),
                                                LogLevel.INFO,
                                                "line",
                                                null)));
        return calls;
    }

    private static UUID meteredAccount(QueueFixture queue, int lane, int lanes) {
        while (true) {
            UUID account = queue.kernel().identity().register("metered", Plan.FREE_ID).accountId();
            if (MeteredLanes.number(account, lanes) == lane) {
                return account;
            }
        }
    }

    @Test
    void the_other_lanes_go_on_while_one_hangs() throws Exception {
        try (var queue = new QueueFixture(transactionsEndAfter(Duration.ofSeconds(60)))) {
            Map<String, Runnable> calls = calls(queue);
            Map<String, Runnable> others = calls(queue.another());
            assertThat(calls.keySet())
                    .containsAll(
                            queue.kernel().lanes().stream()
                                    .map(LaneStatus::name)
                                    .filter(name -> !name.matches("limits|worker-tokens"))
                                    .toList());
            for (String lane : calls.keySet()) {
                var parked = new CountDownLatch(1);
                var release = new CountDownLatch(1);
                String place = lane + ".before-commit";
                queue.fixture
                        .test
                        .failpoints()
                        .arm(
                                place,
                                () -> {
                                    parked.countDown();
                                    release.await();
                                });
                var hanging = CompletableFuture.runAsync(calls.get(lane), executor);
                parked.await();
                others.forEach(
                        (name, call) -> {
                            if (!name.equals(lane)) {
                                call.run();
                            }
                        });
                assertThat(hanging).as(lane).isNotDone();
                queue.fixture.test.failpoints().disarm(place);
                release.countDown();
                hanging.get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void a_transaction_that_hangs_is_ended_in_every_lane_and_the_lane_works_again()
            throws Exception {
        try (var queue = new QueueFixture(transactionsEndAfter(Duration.ofSeconds(1)))) {
            // Of an account each, lest one wait for what another has locked.
            var calls = new LinkedHashMap<String, Runnable>();
            for (String lane : calls(queue).keySet()) {
                calls.put(lane, calls(queue.another()).get(lane));
            }
            var parked = new CountDownLatch(calls.size());
            var never = new CountDownLatch(1);
            for (String lane : calls.keySet()) {
                var hits = new AtomicInteger();
                queue.fixture
                        .test
                        .failpoints()
                        .arm(
                                lane + ".before-commit",
                                () -> {
                                    if (hits.getAndIncrement() == 0) {
                                        parked.countDown();
                                        never.await();
                                    }
                                });
            }
            var hanging = new LinkedHashMap<String, CompletableFuture<Void>>();
            calls.forEach(
                    (lane, call) -> hanging.put(lane, CompletableFuture.runAsync(call, executor)));
            parked.await();
            hanging.forEach(
                    (lane, call) ->
                            assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
                                    .as(lane)
                                    .isInstanceOf(ExecutionException.class)
                                    .cause()
                                    .isInstanceOfSatisfying(
                                            StoreException.class,
                                            e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT)));
            calls.values().forEach(Runnable::run);
            assertThat(queue.kernel().lanes())
                    .filteredOn(lane -> calls.containsKey(lane.name()))
                    .allSatisfy(
                            lane -> {
                                assertThat(lane.transactionsEnded()).isEqualTo(1);
                                assertThat(lane.threadsLost()).isZero();
                                assertThat(lane.stuck()).isFalse();
                            });
        }
    }
}
