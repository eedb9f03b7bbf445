package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// An engine that holds the row of one owner, for as long as the test wants: nobody waits for it
/// but those who end an item of that owner.
@Timeout(180)
class BusyOwnerTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final LedgerOwner ledger = new LedgerOwner();
    private final WorkFixture fixture =
            new WorkFixture(
                    options ->
                            options.withOwners(List.of(ledger))
                                    .withDatabase(options.database().withLockTimeout(LONG)));
    private OwnerRef busy;
    private OwnerRef free;

    @BeforeEach
    void makeTables() {
        LedgerOwner.makeTables(fixture.database());
        busy = LedgerOwner.newOwner(fixture);
        free = LedgerOwner.newOwner(fixture);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private UUID held(OwnerRef owner) {
        fixture.submit(fixture.draft(Profiles.STEPS, null, null, owner));
        return fixture.claim(Profiles.STEPS).id();
    }

    private interface Meanwhile {
        void run() throws Exception;
    }

    private void whileBusy(Meanwhile body) throws Exception {
        try (Connection engine = fixture.database().connect();
                Statement statement = engine.createStatement()) {
            engine.setAutoCommit(false);
            statement.execute("select 1 from ledger where id = '" + busy.id() + "' for update");
            body.run();
            engine.rollback();
        }
    }

    private CompletableFuture<Ack> asking(UUID id, Command command) {
        int before = ledger.passedOver(busy);
        var asking =
                CompletableFuture.supplyAsync(() -> fixture.command(Profiles.STEPS, id, command));
        Until.isTrue("it has been asked for", LONG, () -> ledger.passedOver(busy) > before);
        return asking;
    }

    private static Command complete() {
        return new Command.Complete(Fence.NONE, "{}", null);
    }

    private static Command fail() {
        return new Command.Fail(Fence.NONE, "no", null, true);
    }

    private WorkState state(UUID id) {
        return fixture.item(Profiles.STEPS, id).state();
    }

    @Test
    void all_holders_but_those_that_end_its_items_are_answered_meanwhile() throws Exception {
        UUID mine = held(busy);
        UUID ending = held(busy);
        UUID failing = held(busy);
        List<UUID> others = List.of(held(free), held(free));
        fixture.submit(Profiles.TASKS);
        UUID plain = fixture.claim(Profiles.TASKS).id();
        var waiting = new CompletableFuture<?>[2];
        whileBusy(
                () -> {
                    waiting[0] = asking(ending, complete());
                    waiting[1] = asking(failing, fail());
                    for (UUID id : List.of(mine, ending, others.get(0), plain)) {
                        fixture.apply(Profiles.TASKS, id, new Command.Heartbeat(Fence.NONE));
                    }
                    fixture.apply(Profiles.STEPS, others.get(0), complete());
                    fixture.apply(Profiles.STEPS, others.get(1), fail());
                    fixture.apply(Profiles.TASKS, plain, fail());
                    assertThat(waiting).noneMatch(CompletableFuture::isDone);
                    assertThat(state(ending)).isEqualTo(WorkState.RUNNING);
                });
        for (CompletableFuture<?> one : waiting) {
            assertThat(one.get(LONG.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Ack.Applied.class);
        }
        assertThat(state(ending)).isEqualTo(WorkState.SUCCEEDED);
        assertThat(state(failing)).isEqualTo(WorkState.FAILED);
        assertThat(LedgerOwner.entries(fixture.database())).hasSize(4);
    }

    /// It goes the long way, which finds out why it does not hold, and locks the item alone.
    @Test
    void a_heartbeat_that_comes_too_late_is_refused_meanwhile() throws Exception {
        UUID id = held(busy);
        fixture.advance(Duration.ofSeconds(61));
        whileBusy(
                () ->
                        assertThat(
                                        fixture.refused(
                                                Profiles.STEPS,
                                                id,
                                                new Command.Heartbeat(Fence.NONE)))
                                .isInstanceOf(Refusal.LeaseExpired.class));
        assertThat(ledger.passedOver(busy)).isZero();
    }

    @Test
    void its_items_are_claimed_meanwhile_by_kind_and_by_name_and_it_hears_of_the_start()
            throws Exception {
        UUID first = fixture.submit(fixture.draft(Profiles.STEPS, null, null, busy));
        UUID second = fixture.submit(fixture.draft(Profiles.STEPS, null, null, busy));
        UUID plain = fixture.submit(Profiles.TASKS);
        whileBusy(
                () -> {
                    assertThat(fixture.claim(Profiles.TASKS).id()).isEqualTo(first);
                    fixture.apply(
                            Profiles.TASKS,
                            second,
                            new Command.Lease(UUID.randomUUID(), "w", null));
                });
        fixture.apply(Profiles.TASKS, plain, new Command.Lease(UUID.randomUUID(), "w", null));
        assertThat(ledger.started).containsExactly(first, second);
    }

    /// Such a claim ends the lease first, which its owner has to hear of.
    @Test
    void a_claim_by_name_of_an_item_whose_lease_ran_out_waits_for_its_owner() throws Exception {
        UUID id = held(busy);
        fixture.advance(Duration.ofSeconds(61));
        var waiting = new CompletableFuture<?>[1];
        whileBusy(() -> waiting[0] = asking(id, new Command.Lease(UUID.randomUUID(), "w", null)));
        assertThat(waiting[0].get(LONG.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(Ack.Refused.class);
        assertThat(state(id)).isEqualTo(WorkState.FAILED);
        assertThat(LedgerOwner.entries(fixture.database())).hasSize(1);
    }

    @Test
    void other_commands_on_items_of_others_are_carried_out_meanwhile() throws Exception {
        UUID mine = held(busy);
        UUID other = held(free);
        var waiting = new CompletableFuture<?>[1];
        whileBusy(
                () -> {
                    waiting[0] = asking(mine, new Command.Cancel());
                    fixture.apply(Profiles.STEPS, other, new Command.Cancel());
                    assertThat(waiting[0]).isNotDone();
                });
        waiting[0].get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(state(mine)).isEqualTo(WorkState.CANCELLED);
    }

    @Test
    void the_reaper_passes_it_over_and_comes_back() throws Exception {
        UUID mine = held(busy);
        UUID other = held(free);
        fixture.advance(Duration.ofSeconds(61));
        whileBusy(
                () -> {
                    assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
                    assertThat(state(other)).isEqualTo(WorkState.FAILED);
                    assertThat(fixture.sweep("lease-reaper"))
                            .as("it is not looked at again at once")
                            .isZero();
                    assertThat(ledger.passedOver(busy)).isEqualTo(1);
                });
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.sweep("lease-reaper")).isEqualTo(1);
        assertThat(state(mine)).isEqualTo(WorkState.FAILED);
        assertThat(LedgerOwner.entries(fixture.database())).hasSize(2);
    }

    @Test
    void several_orders_for_one_item_keep_their_order_whichever_lane_each_takes() {
        UUID id = held(free);
        List<Each<Ack>> acks =
                fixture.work()
                        .commandAll(
                                List.of(
                                        fixture.order(Profiles.STEPS, id, fail()),
                                        fixture.order(
                                                Profiles.STEPS,
                                                id,
                                                new Command.Heartbeat(Fence.NONE)),
                                        fixture.order(Profiles.STEPS, id, complete())));
        assertThat(acks.get(0).answer()).isInstanceOf(Ack.Applied.class);
        assertThat(acks.get(1).answer()).isInstanceOf(Ack.Refused.class);
        assertThat(acks.get(2).answer()).isInstanceOf(Ack.Refused.class);
        assertThat(state(id)).isEqualTo(WorkState.FAILED);
        UUID again = held(free);
        acks =
                fixture.work()
                        .commandAll(
                                List.of(
                                        fixture.order(Profiles.STEPS, again, complete()),
                                        fixture.order(
                                                Profiles.STEPS,
                                                again,
                                                new Command.Heartbeat(Fence.NONE))));
        assertThat(acks.get(0).answer()).isInstanceOf(Ack.Applied.class);
        assertThat(acks.get(1).answer()).isInstanceOf(Ack.Refused.class);
    }

    @Test
    void of_several_orders_at_once_only_those_of_the_busy_owner_fail_when_their_time_is_over()
            throws Exception {
        try (var hasty =
                fixture.test.anotherNode(
                        options ->
                                options.withOwners(List.of(ledger))
                                        .withDatabase(
                                                options.database()
                                                        .withLockTimeout(Duration.ofMillis(50))))) {
            UUID mine = held(busy);
            UUID other = held(free);
            whileBusy(
                    () -> {
                        List<Each<Ack>> acks =
                                hasty.work()
                                        .commandAll(
                                                List.of(
                                                        fixture.order(
                                                                Profiles.STEPS, mine, complete()),
                                                        fixture.order(
                                                                Profiles.STEPS, other, fail())));
                        assertThat(acks.get(0).failure())
                                .isInstanceOfSatisfying(
                                        StoreException.class,
                                        e -> assertThat(e.kind()).isEqualTo(Kind.OVERLOADED));
                        assertThat(acks.get(1).answer()).isInstanceOf(Ack.Applied.class);
                        assertThatThrownBy(
                                        () ->
                                                hasty.work()
                                                        .command(
                                                                fixture.order(
                                                                        Profiles.STEPS,
                                                                        mine,
                                                                        fail())))
                                .hasMessageContaining("holds the owner of this item");
                    });
            assertThat(state(mine)).isEqualTo(WorkState.RUNNING);
        }
    }

    @Test
    void an_engines_transaction_is_done_again_after_a_conflict_and_not_for_ever() {
        var tries = new AtomicInteger();
        assertThat(
                        fixture.kernel()
                                .database()
                                .<Integer>retried(
                                        _ -> {
                                            if (tries.incrementAndGet() < 3) {
                                                throw new SQLException("deadlock", "40P01");
                                            }
                                            return tries.get();
                                        }))
                .isEqualTo(3);
        var failures = new AtomicInteger();
        assertThatThrownBy(
                        () ->
                                fixture.kernel()
                                        .database()
                                        .retried(
                                                _ -> {
                                                    failures.incrementAndGet();
                                                    throw new SQLException("again", "40001");
                                                }))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
        assertThat(failures).hasValue(3);
        assertThatThrownBy(
                        () ->
                                fixture.kernel()
                                        .database()
                                        .retried(
                                                _ -> {
                                                    failures.incrementAndGet();
                                                    throw new SQLException("no", "23514");
                                                }))
                .isInstanceOf(StoreException.class);
        assertThat(failures).hasValue(4);
    }
}
