package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A timer is nobody's work: when its time has come the promoter ends it, once, and calls its
/// owner.
class TimerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

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

    private long now() {
        return fixture.kernel().database().transaction(tx -> tx.nowMillis());
    }

    private UUID timer(Duration from, OwnerRef of) {
        return fixture.submit(fixture.draft(Profiles.TIMERS, now() + from.toMillis(), null, of));
    }

    private WorkState state(UUID id) {
        return fixture.item(Profiles.TIMERS, id).state();
    }

    private int promote() {
        return fixture.sweep("due-promoter");
    }

    private static Map<String, Object> told(UUID id, String event, WorkState state) {
        return Map.of("work_id", id, "event", event, "state", state.word());
    }

    @Test
    void it_ends_when_its_time_has_come_and_not_before() {
        UUID id = timer(MINUTE, owner);
        fixture.advance(Duration.ofSeconds(59));
        assertThat(promote()).isZero();
        assertThat(state(id)).isEqualTo(WorkState.WAITING);
        fixture.advance(Duration.ofSeconds(2));
        assertThat(promote()).isEqualTo(1);
        assertThat(state(id)).isEqualTo(WorkState.SUCCEEDED);
        assertThat(fixture.events(id)).containsExactly(WorkEvent.SUBMIT, WorkEvent.COMPLETE);
        assertThat(LedgerOwner.entries(fixture.database()))
                .containsExactly(told(id, "complete", WorkState.SUCCEEDED));
        assertThat(promote()).isZero();
    }

    @Test
    void one_whose_time_has_passed_already_ends_with_the_next_look() {
        UUID late = timer(Duration.ofMinutes(-5), owner);
        UUID atOnce = fixture.submit(fixture.draft(Profiles.TIMERS, null, null, owner));
        assertThat(List.of(state(late), state(atOnce))).containsOnly(WorkState.WAITING);
        assertThat(promote()).isEqualTo(2);
        assertThat(List.of(state(late), state(atOnce))).containsOnly(WorkState.SUCCEEDED);
    }

    @Test
    void nobody_can_claim_or_complete_it() {
        UUID id = timer(Duration.ZERO, owner);
        assertThat(
                        fixture.refused(
                                Profiles.TIMERS,
                                id,
                                new Command.Lease(UUID.randomUUID(), "w", null)))
                .isInstanceOf(Refusal.NotReady.class);
        assertThat(
                        fixture.refused(
                                Profiles.TIMERS, id, new Command.Complete(Fence.NONE, null, null)))
                .isInstanceOf(Refusal.WrongState.class);
        assertThatThrownBy(
                        () ->
                                fixture.database()
                                        .execute(
                                                "update work set state = 'ready', wait_reason ="
                                                        + " null where id = ?",
                                                id))
                .hasStackTraceContaining("cannot go from waiting to ready");
        assertThatThrownBy(() -> fixture.claim(Profiles.TIMERS, 1))
                .hasStackTraceContaining("cannot go from waiting to ready");
        assertThat(state(id)).isEqualTo(WorkState.WAITING);
    }

    @Test
    void one_that_is_held_or_cancelled_does_not_end_by_its_time() {
        UUID held = timer(MINUTE, owner);
        UUID cancelled = timer(MINUTE, owner);
        fixture.apply(Profiles.TIMERS, held, new Command.Hold());
        fixture.apply(Profiles.TIMERS, cancelled, new Command.Cancel());
        fixture.advance(MINUTE.plusSeconds(1));
        assertThat(promote()).isZero();
        WorkItem released = fixture.apply(Profiles.TIMERS, held, new Command.Release());
        assertThat(released.state()).isEqualTo(WorkState.WAITING);
        assertThat(promote()).isEqualTo(1);
        assertThat(state(held)).isEqualTo(WorkState.SUCCEEDED);
        assertThat(state(cancelled)).isEqualTo(WorkState.CANCELLED);
    }

    /// Also when some of the nodes are new, as after a restart.
    @Test
    void each_ends_once_on_any_number_of_nodes() {
        int timers = 120;
        var owners = new ArrayList<OwnerRef>();
        for (int i = 0; i < 10; i++) {
            owners.add(LedgerOwner.newOwner(fixture));
        }
        for (int i = 0; i < timers; i++) {
            timer(MINUTE, i % 11 == 10 ? null : owners.get(i % 11));
        }
        fixture.advance(MINUTE.plusSeconds(1));
        try (Kernel second =
                        fixture.test.anotherNode(o -> o.withOwners(List.of(new LedgerOwner())));
                Kernel third =
                        fixture.test.anotherNode(o -> o.withOwners(List.of(new LedgerOwner())))) {
            List<Kernel> nodes = List.of(fixture.kernel(), second, third);
            List<Integer> ended =
                    Parallel.run(
                            6,
                            i ->
                                    () -> {
                                        int sum = 0;
                                        for (int pass = 0; pass < 5; pass++) {
                                            sum += nodes.get(i % 3).sweepOnce("due-promoter");
                                        }
                                        return sum;
                                    });
            int sum = ended.stream().mapToInt(Integer::intValue).sum() + promote();
            assertThat(sum).isEqualTo(timers);
        }
        long ownerless = timers / 11;
        assertThat(LedgerOwner.entries(fixture.database()))
                .hasSize((int) (timers - ownerless))
                .extracting(entry -> entry.get("work_id"))
                .doesNotHaveDuplicates();
    }

    /// What a node that died had not committed never was; another one does it.
    @Test
    void one_whose_end_did_not_commit_ends_on_another_node() {
        UUID id = timer(Duration.ZERO, owner);
        ledger.failing = true;
        promote();
        assertThat(state(id)).isEqualTo(WorkState.WAITING);
        assertThat(LedgerOwner.entries(fixture.database())).isEmpty();
        try (Kernel restarted =
                fixture.test.anotherNode(o -> o.withOwners(List.of(new LedgerOwner())))) {
            assertThat(restarted.sweepOnce("due-promoter")).isEqualTo(1);
        }
        assertThat(LedgerOwner.entries(fixture.database()))
                .containsExactly(told(id, "complete", WorkState.SUCCEEDED));
    }

    @Test
    void an_owner_that_cannot_go_on_is_left_for_a_while_and_holds_up_no_other() {
        var broken = new LedgerOwner.Broken(owner.id());
        try (Kernel node = fixture.test.anotherNode(o -> o.withOwners(List.of(broken)))) {
            UUID stuck = timer(Duration.ofSeconds(-2), owner);
            OwnerRef other = LedgerOwner.newOwner(fixture);
            UUID free = timer(Duration.ZERO, other);
            assertThat(node.sweepOnce("due-promoter")).isEqualTo(1);
            assertThat(state(free)).isEqualTo(WorkState.SUCCEEDED);
            assertThat(state(stuck)).isEqualTo(WorkState.WAITING);
            broken.mended = true;
            assertThat(node.sweepOnce("due-promoter")).as("it is left alone").isZero();
            fixture.advance(Duration.ofSeconds(11));
            assertThat(node.sweepOnce("due-promoter")).isEqualTo(1);
            assertThat(state(stuck)).isEqualTo(WorkState.SUCCEEDED);
        }
    }

    @Test
    void a_busy_owner_holds_up_no_other() throws Exception {
        OwnerRef other = LedgerOwner.newOwner(fixture);
        UUID waiting = timer(Duration.ofSeconds(-2), owner);
        UUID free = timer(Duration.ZERO, other);
        try (Kernel node =
                        fixture.test.anotherNode(
                                o ->
                                        o.withOwners(List.of(new LedgerOwner()))
                                                .withDatabase(quick(o.database())));
                Connection engine = fixture.database().connect();
                Statement statement = engine.createStatement()) {
            engine.setAutoCommit(false);
            statement.execute("select 1 from ledger where id = '" + owner.id() + "' for update");
            assertThat(node.sweepOnce("due-promoter")).isEqualTo(1);
            assertThat(state(free)).isEqualTo(WorkState.SUCCEEDED);
            assertThat(state(waiting)).isEqualTo(WorkState.WAITING);
            engine.rollback();
            assertThat(node.sweepOnce("due-promoter")).isEqualTo(1);
            assertThat(state(waiting)).isEqualTo(WorkState.SUCCEEDED);
        }
    }

    private static DatabaseOptions quick(DatabaseOptions options) {
        return options.withLockTimeout(Duration.ofMillis(100));
    }
}
