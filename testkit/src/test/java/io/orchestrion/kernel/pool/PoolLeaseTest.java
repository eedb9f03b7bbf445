package io.orchestrion.kernel.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkFailures;
import io.orchestrion.kernel.work.WorkFixture;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.testkit.CallHandler;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// What runs in the pool keeps its lease, and stops when that is gone or the server stops.
class PoolLeaseTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String LOOK = "worked-on";
    private static final String KEEPER = "lease-keeper";

    private final WorkFixture fixture = new WorkFixture();
    private final Parking parking = new Parking();

    @AfterEach
    void close() {
        parking.open();
        fixture.close();
    }

    private static PoolWork work(Profile profile, String kind, Duration grace) {
        return new PoolWork(LOOK, profile, kind, 4, 4).withPace(Duration.ofSeconds(10), grace);
    }

    private void handle(Kernel node, Profile profile, Handler handler) {
        node.pool().add(work(profile, "it", Duration.ofMillis(50)), handler);
    }

    private UUID submit(Profile profile) {
        return fixture.submit(NewWork.of(fixture.account, profile, "it", "{}"));
    }

    private static void until(String what, BooleanSupplier condition) {
        Until.isTrue(what, SOON, condition);
    }

    /// Begins what there is and waits until it runs.
    private void begin(Kernel node, Parking handler) {
        int before = handler.began.get();
        assertThat(node.sweepOnce(LOOK)).isEqualTo(1);
        until("it runs", () -> handler.began.get() > before);
    }

    @Test
    void leases_are_renewed_while_their_work_goes_on() {
        handle(fixture.kernel(), Profiles.BUILTIN, parking);
        UUID id = submit(Profiles.BUILTIN);
        begin(fixture.kernel(), parking);
        for (int i = 0; i < 6; i++) {
            fixture.advance(Duration.ofSeconds(11));
            assertThat(fixture.sweep(KEEPER)).isEqualTo(1);
            assertThat(fixture.sweep("lease-reaper")).isZero();
        }
        assertThat(fixture.sweep(KEEPER)).as("not before it is time").isZero();
        parking.let(1);
        until(
                "it has ended",
                () -> fixture.item(Profiles.BUILTIN, id).state() == WorkState.SUCCEEDED);
        assertThat(parking.interrupted.get()).isZero();
        fixture.advance(Duration.ofSeconds(11));
        until("nothing is kept any more", () -> fixture.sweep(KEEPER) == 0);
    }

    /// However rarely the keeper looks otherwise.
    @Test
    void a_lease_is_renewed_when_it_is_time_and_not_a_look_later() {
        var keeper =
                new LeaseKeeper(
                        "keeper",
                        fixture.work(),
                        fixture.kernel().database(),
                        fixture.test.clock(),
                        Duration.ofSeconds(4));
        submit(Profiles.BUILTIN);
        WorkItem item =
                fixture.work()
                        .claim(
                                new ClaimRequest(
                                        fixture.account,
                                        Profiles.BUILTIN.queue(),
                                        "it",
                                        1,
                                        "w",
                                        null),
                                Duration.ZERO)
                        .items()
                        .getFirst()
                        .item();
        assertThat(keeper.pace(Duration.ZERO)).isEqualTo(Duration.ofSeconds(4));
        var lease =
                new LeaseKeeper.Lease(
                        fixture.account,
                        Profiles.BUILTIN,
                        item.id(),
                        Fence.of(item.lease().token()),
                        Duration.ofSeconds(30),
                        false,
                        Duration.ofSeconds(10));
        try (var _ = keeper.keep(lease, fixture.test.clock().nanos(), _ -> {})) {
            fixture.advance(Duration.ofSeconds(8));
            assertThat(keeper.runOnce()).isZero();
            assertThat(keeper.pace(Duration.ZERO)).isLessThanOrEqualTo(Duration.ofSeconds(2));
            fixture.advance(Duration.ofSeconds(2));
            assertThat(keeper.runOnce()).isEqualTo(1);
            assertThat(keeper.pace(Duration.ZERO)).isEqualTo(Duration.ofSeconds(4));
        }
    }

    @Test
    void what_a_dead_node_held_is_taken_over_and_its_late_word_counts_for_nothing() {
        Parking there = parking.elsewhere();
        handle(fixture.kernel(), Profiles.DRIVERS, parking);
        try (Kernel second = fixture.test.anotherNode(options -> options)) {
            handle(second, Profiles.DRIVERS, there);
            UUID id = submit(Profiles.DRIVERS);
            begin(fixture.kernel(), parking);
            assertThat(second.sweepOnce(LOOK)).as("while it is held").isZero();
            fixture.advance(Duration.ofSeconds(31));
            second.sweepOnce("lease-reaper");
            // The first one is still at it and does not know: only then is anything twice.
            begin(second, there);
            fixture.sweep(KEEPER);
            until("it is told", () -> parking.interrupted.get() == 1);
            WorkItem held = fixture.item(Profiles.DRIVERS, id);
            assertThat(held.state()).isEqualTo(WorkState.RUNNING);
            assertThat(held.attempt()).isEqualTo(2);
            there.let(1);
            until(
                    "it has ended",
                    () -> fixture.item(Profiles.DRIVERS, id).state() == WorkState.SUCCEEDED);
            there.open();
        }
    }

    @Test
    void work_is_told_when_its_item_is_cancelled_and_its_place_is_free_again() {
        handle(fixture.kernel(), Profiles.BUILTIN, parking);
        UUID id = submit(Profiles.BUILTIN);
        begin(fixture.kernel(), parking);
        fixture.sweep(KEEPER);
        assertThat(parking.interrupted.get()).isZero();
        fixture.apply(Profiles.BUILTIN, id, new Command.Cancel());
        fixture.sweep(KEEPER);
        until("it is told", () -> parking.interrupted.get() == 1);
        until("its place is free", () -> status().busy() == 0);
        assertThat(fixture.item(Profiles.BUILTIN, id).state()).isEqualTo(WorkState.CANCELLED);
    }

    @Test
    void a_call_that_is_under_way_is_broken_off_when_its_item_is_cancelled() {
        try (var receiver = new HookReceiver();
                var calling = new CallHandler()) {
            receiver.hanging("/slow");
            fixture.kernel()
                    .pool()
                    .add(work(Profiles.BUILTIN, "http", Duration.ofMillis(50)), calling);
            UUID good = call(receiver.url("/good"), "key-1");
            fixture.sweep(LOOK);
            until(
                    "it has ended",
                    () -> fixture.item(Profiles.BUILTIN, good).state() == WorkState.SUCCEEDED);
            assertThat(receiver.got("/good").getFirst().header("Idempotency-Key"))
                    .isEqualTo("key-1");
            UUID slow = call(receiver.url("/slow"), "key-2");
            fixture.sweep(LOOK);
            receiver.await("/slow", 1);
            fixture.apply(Profiles.BUILTIN, slow, new Command.Cancel());
            fixture.sweep(KEEPER);
            until("the call is broken off", () -> calling.interrupted() == 1);
            until("its place is free", () -> status().busy() == 0);
        }
    }

    private UUID call(String url, String key) {
        return fixture.submit(
                NewWork.of(
                        fixture.account, Profiles.BUILTIN, "http", CallHandler.payload(url, key)));
    }

    @Test
    void an_attempt_ends_at_its_deadline() {
        handle(fixture.kernel(), Profiles.BUILTIN, parking);
        UUID id =
                fixture.submit(
                        NewWork.of(fixture.account, Profiles.BUILTIN, "it", "{}")
                                .runningAtMost(15_000L));
        begin(fixture.kernel(), parking);
        fixture.advance(Duration.ofSeconds(14));
        fixture.sweep(KEEPER);
        assertThat(parking.interrupted.get()).isZero();
        fixture.advance(Duration.ofSeconds(2));
        fixture.sweep(KEEPER);
        until("it is told", () -> parking.interrupted.get() == 1);
        fixture.sweep("lease-reaper");
        WorkItem item = fixture.item(Profiles.BUILTIN, id);
        assertThat(item.state()).isEqualTo(WorkState.FAILED);
        assertThat(item.attempts().failure()).isEqualTo(WorkFailures.TIMED_OUT);
    }

    @Test
    void a_stop_lets_work_end_within_its_grace() {
        Parking there = new Parking();
        Kernel node = fixture.test.anotherNode(options -> options);
        node.pool().add(work(Profiles.BUILTIN, "it", SOON), there);
        UUID id = submit(Profiles.BUILTIN);
        UUID left = submit(Profiles.BUILTIN);
        assertThat(node.sweepOnce(LOOK)).isEqualTo(2);
        until("they run", () -> there.began.get() == 2);
        UUID next = submit(Profiles.BUILTIN);
        Thread closing = Thread.ofVirtual().start(node::close);
        until("it takes no more", () -> node.sweepOnce(LOOK) == 0);
        there.let(2);
        until("it has stopped", () -> !closing.isAlive());
        assertThat(fixture.item(Profiles.BUILTIN, id).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(fixture.item(Profiles.BUILTIN, left).state()).isEqualTo(WorkState.SUCCEEDED);
        assertThat(fixture.item(Profiles.BUILTIN, next).state()).isEqualTo(WorkState.READY);
        assertThat(there.interrupted.get()).isZero();
    }

    @Test
    void what_does_not_end_within_its_grace_is_interrupted_and_given_back() {
        Parking there = new Parking();
        Kernel node = fixture.test.anotherNode(options -> options);
        handle(node, Profiles.DRIVERS, there);
        UUID id = submit(Profiles.DRIVERS);
        begin(node, there);
        node.close();
        WorkItem item = fixture.item(Profiles.DRIVERS, id);
        assertThat(there.interrupted.get()).isEqualTo(1);
        assertThat(item.state()).isEqualTo(WorkState.READY);
        assertThat(item.attempts().failure()).isEqualTo(WorkFailures.GIVEN_BACK);
    }

    @Test
    void work_that_does_not_obey_shows_as_stuck() {
        parking.deaf = true;
        handle(fixture.kernel(), Profiles.BUILTIN, parking);
        UUID id = submit(Profiles.BUILTIN);
        begin(fixture.kernel(), parking);
        fixture.apply(Profiles.BUILTIN, id, new Command.Cancel());
        fixture.sweep(KEEPER);
        until("it is told", () -> parking.interrupted.get() == 1);
        assertThat(status().stuck()).isZero();
        fixture.advance(CrewStatus.STUCK_AFTER.plusSeconds(1));
        assertThat(status().stuck()).isEqualTo(1);
        assertThat(status().longestMs()).isGreaterThan(30_000);
        parking.open();
        until("its place is free", () -> status().busy() == 0);
        assertThat(status().stuck()).isZero();
    }

    private CrewStatus status() {
        return fixture.kernel().pool().statuses().getFirst();
    }
}
