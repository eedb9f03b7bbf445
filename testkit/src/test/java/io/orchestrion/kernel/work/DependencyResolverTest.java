package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.work.Terms.OnConflict;
import io.orchestrion.kernel.work.Terms.Parents;
import io.orchestrion.kernel.work.Terms.Unique;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// How those that wait for an item learn of its end, whatever happens in between.
class DependencyResolverTest {
    private static final Profile TASKS = Profiles.TASKS;
    private static final String DUTY = "dependency-resolver";

    private final WorkFixture fixture = new WorkFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private NewWork waitingFor(IfParentFails rule, UUID... parents) {
        return fixture.draft(TASKS)
                .with(new Terms(null, null, null, new Parents(List.of(parents), rule)));
    }

    private UUID child(UUID... parents) {
        return fixture.submit(waitingFor(IfParentFails.CANCEL, parents));
    }

    private void complete(UUID id) {
        fixture.apply(TASKS, id, new Command.Lease(fixture.kernel().ids().token(), "w", null));
        fixture.apply(TASKS, id, new Command.Complete(Fence.NONE, "1", null));
    }

    private WorkState state(UUID id) {
        return fixture.item(TASKS, id).state();
    }

    private long rows(String from) {
        return fixture.database().value("select count(*) from " + from);
    }

    /// Who ends nothing that others wait for, and waits for nothing, does not touch these tables:
    /// they are locked for everybody meanwhile.
    @Test
    void an_item_without_terms_costs_nothing_more() throws SQLException {
        try (Connection connection = fixture.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(
                    "lock table parent_end, work_dependency, work_unique in access exclusive mode");
            UUID id = fixture.submit(TASKS);
            complete(id);
            UUID other = fixture.submit(TASKS);
            fixture.apply(TASKS, other, new Command.Cancel());
            assertThat(state(id)).isEqualTo(WorkState.SUCCEEDED);
            connection.rollback();
        }
    }

    /// L-011: the process stops after the parent's commit and before anybody was told.
    @Test
    void an_end_that_nobody_followed_is_found_by_the_next_sweep_of_any_node() {
        UUID parent = fixture.submit(TASKS);
        UUID child = child(parent);
        fixture.test
                .failpoints()
                .arm(
                        "holder.after-commit",
                        () -> {
                            throw new Failpoints.Injected("holder.after-commit");
                        });
        fixture.apply(TASKS, parent, new Command.Lease(UUID.randomUUID(), "w", null));
        assertThatThrownBy(
                        () ->
                                fixture.command(
                                        TASKS, parent, new Command.Complete(Fence.NONE, "1", null)))
                .isNotNull();
        fixture.test.failpoints().disarm("holder.after-commit");
        assertThat(state(child)).isEqualTo(WorkState.WAITING);
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            other.sweepOnce(DUTY);
        }
        assertThat(state(child)).isEqualTo(WorkState.READY);
    }

    /// L-011: nothing is lost and nothing done twice where the resolver itself stops.
    @Test
    void a_resolver_that_stopped_before_or_after_its_commit_is_followed_by_another() {
        for (String place : List.of("resolve.before-commit", "resolve.after-commit")) {
            UUID parent = fixture.submit(TASKS);
            List<UUID> children = Stream.generate(() -> child(parent)).limit(5).toList();
            complete(parent);
            fixture.test
                    .failpoints()
                    .arm(
                            place,
                            () -> {
                                throw new Failpoints.Injected(place);
                            });
            fixture.sweep(DUTY);
            fixture.test.failpoints().disarm(place);
            boolean done = place.endsWith("after-commit");
            assertThat(rows("parent_end")).isEqualTo(done ? 0 : 1);
            assertThat(state(children.getFirst()))
                    .isEqualTo(done ? WorkState.READY : WorkState.WAITING);
            // What could not be told is tried again after a while.
            fixture.advance(Duration.ofSeconds(11));
            try (Kernel other = fixture.test.anotherNode(options -> options)) {
                other.sweepOnce(DUTY);
                other.sweepOnce(DUTY);
            }
            for (UUID child : children) {
                assertThat(fixture.events(child))
                        .containsExactly(WorkEvent.SUBMIT, WorkEvent.RELEASE);
            }
            assertThat(rows("parent_end")).isZero();
        }
    }

    /// L-012: a parent with more children than fit into a batch, told by two nodes at once.
    @Test
    void many_children_are_told_in_batches_each_once() {
        UUID parent = fixture.submit(TASKS);
        var drafts =
                IntStream.range(0, 2300)
                        .mapToObj(
                                i ->
                                        Submission.of(
                                                waitingFor(
                                                        i % 2 == 0
                                                                ? IfParentFails.CANCEL
                                                                : IfParentFails.IGNORE,
                                                        parent)))
                        .toList();
        fixture.kernel()
                .database()
                .transaction(tx -> fixture.kernel().verbs().submit(tx, fixture.account, drafts));
        fixture.apply(TASKS, parent, new Command.Cancel());
        try (Kernel other = fixture.test.anotherNode(options -> options)) {
            Parallel.run(
                    4,
                    i ->
                            () -> {
                                Kernel node = i % 2 == 0 ? fixture.kernel() : other;
                                while (rows("parent_end") > 0) {
                                    node.sweepOnce(DUTY);
                                }
                                return true;
                            });
        }
        assertThat(rows("work where state = 'cancelled'")).isEqualTo(1151);
        assertThat(rows("work where state = 'ready'")).isEqualTo(1150);
        assertThat(rows("work_event where event <> 'submit'")).isEqualTo(2301);
    }

    /// L-011: a child handed in while its parent is ending sees it either way.
    @Test
    void a_child_made_while_its_parent_ends_is_told_of_it() throws Exception {
        UUID parent = fixture.submit(TASKS);
        var parked = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        fixture.test
                .failpoints()
                .arm(
                        "submit.before-commit",
                        () -> {
                            parked.countDown();
                            released.await();
                        });
        try {
            var made = CompletableFuture.supplyAsync(() -> child(parent));
            assertThat(parked.await(60, TimeUnit.SECONDS)).isTrue();
            var ended =
                    CompletableFuture.supplyAsync(
                            () -> fixture.apply(TASKS, parent, new Command.Cancel()));
            Until.isTrue(
                    "the end waits for the child",
                    Duration.ofSeconds(10),
                    () ->
                            rows(
                                            "pg_stat_activity where datname = current_database()"
                                                    + " and wait_event_type = 'Lock'")
                                    > 0);
            released.countDown();
            assertThat(ended.get().links().hasDependents()).isTrue();
            fixture.sweep(DUTY);
            assertThat(state(made.get())).isEqualTo(WorkState.CANCELLED);
        } finally {
            released.countDown();
        }
    }

    /// L-011, L-012: layers of items, ended in every way by many at once on two nodes that resolve
    /// meanwhile. In the end nobody waits whose parents have all ended, and no deadlock was met.
    @Test
    void many_ends_and_creates_at_once_leave_nobody_waiting_and_never_deadlock() {
        var random = RandomGenerator.of("L64X128MixRandom");
        long deadlocks = deadlocks();
        try (Kernel one = fixture.test.anotherNode(options -> options);
                Kernel other = fixture.test.anotherNode(options -> options)) {
            one.start();
            other.start();
            var layer = new ArrayList<UUID>();
            for (int i = 0; i < 30; i++) {
                layer.add(fixture.submit(TASKS));
            }
            for (int depth = 0; depth < 6; depth++) {
                List<UUID> parents = List.copyOf(layer);
                var picks =
                        IntStream.range(0, 30)
                                .mapToObj(
                                        _ ->
                                                random.ints(4, 0, parents.size())
                                                        .distinct()
                                                        .mapToObj(parents::get)
                                                        .toArray(UUID[]::new))
                                .toList();
                List<UUID> made =
                        Parallel.run(
                                60,
                                i ->
                                        () -> {
                                            Kernel node = i % 2 == 0 ? one : other;
                                            if (i >= 30) {
                                                return end(node, parents.get(i - 30), i);
                                            }
                                            NewWork work =
                                                    waitingFor(
                                                            IfParentFails.values()[i % 3],
                                                            picks.get(i));
                                            return ((Submitted.Created)
                                                            node.work().submit(Submission.of(work)))
                                                    .view()
                                                    .item()
                                                    .id();
                                        });
                layer.clear();
                layer.addAll(made.subList(0, 30));
            }
            Until.isTrue("all is told", Duration.ofSeconds(30), () -> rows("parent_end") == 0);
        }
        assertThat(
                        rows(
                                "work w where w.wait_reason = 'dependency' and not exists (select"
                                        + " from work_dependency d join work p on p.id ="
                                        + " d.parent_id where d.work_id = w.id and p.finished_ms"
                                        + " is null)"))
                .isZero();
        assertThat(
                        rows(
                                "work_dependency d join work p on p.id = d.parent_id where"
                                        + " (p.finished_ms is not null) and d.ended is distinct"
                                        + " from p.state"))
                .isZero();
        assertThat(
                        rows(
                                "work w join work_dependency d on d.work_id = w.id where w.state ="
                                        + " 'ready' and w.if_parent_fails <> 'ignore' and d.ended"
                                        + " is distinct from 'succeeded'"))
                .isZero();
        assertThat(deadlocks()).isEqualTo(deadlocks);
    }

    private long deadlocks() {
        return fixture.database()
                .value(
                        "select deadlocks from pg_stat_database where datname ="
                                + " current_database()");
    }

    /// Completed where it can be claimed, else cancelled where it can be.
    private UUID end(Kernel node, UUID id, int way) {
        Ack leased =
                node.work()
                        .command(
                                fixture.order(
                                        TASKS,
                                        id,
                                        new Command.Lease(node.ids().token(), "w", null)));
        Command end =
                leased instanceof Ack.Applied && way % 4 != 0
                        ? new Command.Complete(Fence.NONE, "1", null)
                        : new Command.Cancel();
        node.work().command(fixture.order(TASKS, id, end));
        return id;
    }

    /// The node on which the parent ended tells at once: its sweeps are far apart here.
    @Test
    void a_running_node_tells_at_once() {
        try (Kernel node =
                fixture.test.anotherNode(
                        options -> options.withPace(Duration.ofHours(1), Duration.ZERO, false))) {
            node.start();
            UUID parent = fixture.submit(TASKS);
            UUID child = child(parent);
            UUID grandchild = child(child);
            node.work().command(fixture.order(TASKS, parent, new Command.Cancel()));
            Until.isTrue(
                    "the grandchild is cancelled",
                    Duration.ofSeconds(10),
                    () -> state(grandchild) == WorkState.CANCELLED);
            assertThat(state(child)).isEqualTo(WorkState.CANCELLED);
        }
    }

    /// L-011: those of one round name each other by ids given beforehand.
    @Test
    void later_items_of_a_round_may_wait_for_earlier_ones() {
        Ids ids = fixture.kernel().ids();
        List<UUID> given = Stream.generate(() -> ids.next(1)).limit(4).toList();
        List<Submitted> answers =
                submitTogether(
                        Submission.of(fixture.draft(TASKS)).as(given.get(0)),
                        Submission.of(waitingFor(IfParentFails.CANCEL, given.get(0)))
                                .as(given.get(1)),
                        Submission.of(waitingFor(IfParentFails.CANCEL, given.get(3)))
                                .as(given.get(2)),
                        Submission.of(waitingFor(IfParentFails.CANCEL, given.get(3)))
                                .as(given.get(3)));
        assertThat(answers.get(0)).isInstanceOf(Submitted.Created.class);
        assertThat(answers.get(1)).isInstanceOf(Submitted.Created.class);
        assertThat(answers.get(2)).isEqualTo(new Submitted.UnknownParent(given.get(3), 0));
        assertThat(answers.get(3)).isEqualTo(new Submitted.UnknownParent(given.get(3), 0));
        assertThat(state(given.get(1))).isEqualTo(WorkState.WAITING);
        complete(given.get(0));
        fixture.sweep(DUTY);
        assertThat(state(given.get(1))).isEqualTo(WorkState.READY);
    }

    private List<Submitted> submitTogether(Submission... all) {
        return fixture.kernel()
                .database()
                .transaction(
                        tx -> fixture.kernel().verbs().submit(tx, fixture.account, List.of(all)));
    }

    private Submission only(String key, OnConflict rule, UUID id, UUID... parents) {
        var unique = new Unique(key, Set.of(WorkState.WAITING, WorkState.READY), null, rule);
        var on =
                parents.length == 0
                        ? null
                        : new Parents(Arrays.asList(parents), IfParentFails.HOLD);
        return Submission.of(fixture.draft(TASKS).with(new Terms(null, null, unique, on))).as(id);
    }

    /// Several of one key in one batch are decided one after the other, and so are those that wait
    /// for one of them.
    @Test
    void one_batch_is_decided_as_if_its_items_came_one_after_the_other() {
        Ids ids = fixture.kernel().ids();
        List<UUID> given = Stream.generate(() -> ids.next(1)).limit(5).toList();
        List<Submitted> answers =
                submitTogether(
                        only("k", OnConflict.REJECT, given.get(0)),
                        Submission.of(waitingFor(IfParentFails.HOLD, given.get(0)))
                                .as(given.get(1)),
                        only("k", OnConflict.RETURN_EXISTING, given.get(2)),
                        only("k", OnConflict.REPLACE_PENDING, given.get(3), given.get(0)),
                        only("k", OnConflict.REJECT, given.get(4)));
        assertThat(((Submitted.Created) answers.get(0)).view().item().state())
                .isEqualTo(WorkState.READY);
        assertThat(((Submitted.Existing) answers.get(2)).view().item().id())
                .isEqualTo(given.get(0));
        assertThat(((Submitted.Created) answers.get(3)).view().item().id()).isEqualTo(given.get(3));
        assertThat(((Submitted.UniqueConflict) answers.get(4)).existing().id())
                .isEqualTo(given.get(3));
        assertThat(state(given.get(0))).isEqualTo(WorkState.CANCELLED);
        assertThat(rows("work")).isEqualTo(3);
        assertThat((UUID) fixture.database().value("select work_id from work_unique"))
                .isEqualTo(given.get(3));
        fixture.sweep(DUTY);
        assertThat(fixture.item(TASKS, given.get(1)).waitReason()).isEqualTo(WaitReason.HOLD);
        Explained.assertAll(fixture.database());
    }
}
