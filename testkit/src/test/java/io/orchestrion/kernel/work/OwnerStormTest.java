package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.Parallel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Holders of one owner's items against the engine that pauses, resumes and cancels it, from two
/// nodes at once, beside another owner's holders.
@Timeout(180)
class OwnerStormTest {
    private static final int ITEMS = 50;
    private static final int OF_THE_OTHER = 10;

    private final LedgerOwner ledger = new LedgerOwner();
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final WorkFixture fixture = new WorkFixture(this::watched);
    private final Kernel second = fixture.test.anotherNode(this::watched);
    private OwnerRef owner;
    private OwnerRef other;

    @BeforeEach
    void makeTables() {
        LedgerOwner.makeTables(fixture.database());
        owner = LedgerOwner.newOwner(fixture);
        other = LedgerOwner.newOwner(fixture);
    }

    @AfterEach
    void close() {
        second.close();
        fixture.close();
    }

    private KernelOptions watched(KernelOptions options) {
        return options.withOwners(List.of(ledger))
                // Whoever finds the owner busy comes back, however slow the machine is.
                .withDatabase(options.database().withLockTimeout(Duration.ofSeconds(60)))
                .withSignals(
                        new Signals() {
                            @Override
                            public void databaseError(String kind) {
                                errors.add(kind);
                            }
                        });
    }

    /// What the sessions have counted so far; what the kernels were told is in the errors.
    private long deadlocks() {
        return fixture.database()
                .value(
                        "select deadlocks from pg_stat_database where datname ="
                                + " current_database()");
    }

    private Ack say(Kernel node, UUID id, Command command) {
        return node.work().command(fixture.order(Profiles.TASKS, id, command));
    }

    /// What the holder of an item does: some heartbeats, and then an end of its own.
    private Callable<Ack> holder(Kernel node, UUID id, int beats, boolean completes) {
        return () -> {
            for (int i = 0; i < beats; i++) {
                say(node, id, new Command.Heartbeat(Fence.NONE));
            }
            return say(
                    node,
                    id,
                    completes
                            ? new Command.Complete(Fence.NONE, "{}", null)
                            : new Command.Fail(Fence.NONE, "no", null, true));
        };
    }

    private Callable<Ack> engine(Kernel node, LedgerOwner.Bulk verb, int most) {
        return () -> {
            LedgerOwner.all(node, fixture.account, owner, verb, most);
            return null;
        };
    }

    /// An engine that looks after all that its owner has under way, which changes nothing as long
    /// as the leases are good.
    private Callable<Ack> lookingAfter(Kernel node, List<UUID> ids) {
        List<Order> orders =
                ids.stream()
                        .map(id -> fixture.order(Profiles.STEPS, id, new Command.Expire()))
                        .toList();
        return () -> {
            for (int i = 0; i < 5; i++) {
                node.database()
                        .retried(
                                tx -> {
                                    LedgerOwner.lockOwn(tx, owner);
                                    return node.verbs().execute(tx, fixture.account, orders);
                                });
            }
            return null;
        };
    }

    @Test
    void ends_and_control_of_one_owner_from_two_nodes_never_deadlock_and_lose_nothing() {
        long seed = System.nanoTime();
        System.out.println("owner storm, seed " + seed);
        var random = new Random(seed);
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < ITEMS; i++) {
            ids.add(fixture.submit(fixture.draft(Profiles.STEPS, null, null, owner)));
        }
        // Some are held, so that a pause and a resume have something to do.
        List<UUID> running =
                fixture.claim(Profiles.STEPS, ITEMS * 4 / 5).stream()
                        .map(view -> view.item().id())
                        .toList();
        List<UUID> others = new ArrayList<>();
        for (int i = 0; i < OF_THE_OTHER; i++) {
            UUID id = fixture.submit(fixture.draft(Profiles.STEPS, null, null, other));
            fixture.apply(Profiles.STEPS, id, new Command.Lease(UUID.randomUUID(), "w", null));
            others.add(id);
        }
        List<Kernel> nodes = List.of(fixture.kernel(), second);
        List<Callable<Ack>> calls = new ArrayList<>();
        for (UUID id : running) {
            calls.add(
                    holder(
                            nodes.get(random.nextInt(2)),
                            id,
                            random.nextInt(6),
                            random.nextBoolean()));
        }
        for (UUID id : others) {
            calls.add(holder(nodes.get(random.nextInt(2)), id, 6, random.nextBoolean()));
        }
        for (int i = 0; i < 12; i++) {
            LedgerOwner.Bulk verb = random.nextBoolean() ? OwnedItems::hold : OwnedItems::release;
            calls.add(engine(nodes.get(i % 2), verb, 1 + random.nextInt(10)));
        }
        nodes.forEach(node -> calls.add(lookingAfter(node, running)));
        calls.add(engine(nodes.get(random.nextInt(2)), OwnedItems::revoke, 3));
        Collections.shuffle(calls, random);
        Parallel.run(calls.size(), calls::get);
        LedgerOwner.all(second, fixture.account, owner, OwnedItems::revoke, 7);
        assertThat(errors).as("seed %d", seed).isEmpty();
        assertThat(deadlocks()).as("seed %d", seed).isZero();
        assertAllEndedOnce(seed, ids, others);
    }

    private void assertAllEndedOnce(long seed, List<UUID> ids, List<UUID> others) {
        Map<Object, Integer> told = new HashMap<>();
        for (Map<String, Object> entry : LedgerOwner.entries(fixture.database())) {
            told.merge(entry.get("work_id"), 1, Integer::sum);
        }
        for (List<UUID> all : List.of(ids, others)) {
            for (UUID id : all) {
                WorkItem item = fixture.item(Profiles.STEPS, id);
                assertThat(item.state().ended()).as("seed %d, %s", seed, item).isTrue();
                assertThat(told.get(id)).as("seed %d, ends told of %s", seed, item).isEqualTo(1);
                List<HistoryEntry> history = fixture.work().history(fixture.account, id);
                assertThat(history).as("seed %d", seed).hasSize(item.place().eventSeq());
                assertThat(history.getLast().to()).isEqualTo(item.state());
            }
        }
        assertThat(others)
                .as("seed %d: nobody revoked these", seed)
                .noneMatch(id -> fixture.item(Profiles.STEPS, id).state() == WorkState.CANCELLED);
    }
}
