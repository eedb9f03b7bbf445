package io.orchestrion.runs.model;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.StoreClock;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// Two nodes with runs on one database. Their time stands still until it is moved, so that what is
/// stored can be told to the millisecond.
final class Nodes implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(120);

    /// So many nodes are left alone as if they were dead: each keeps its connections.
    private static final int DEAD_MAX = 2;

    /// Jitter takes the middle.
    private static final class Middle implements RandomGenerator {
        @Override
        public long nextLong() {
            return Long.MIN_VALUE;
        }

        @Override
        public double nextDouble() {
            return 0.5;
        }
    }

    private final class Clock implements StoreClock {
        @Override
        public long nowMillis(Connection connection) {
            return now.get();
        }
    }

    record Node(Kernel kernel, Runs runs, Failpoints failpoints) {}

    private final AtomicLong now = new AtomicLong(1_900_000_000_000L);
    private final RunsOptions options =
            RunsOptions.usual(new JsonSchemas(new Failpoints()), new Middle());
    private final Failpoints ofFirst = new Failpoints();
    private final TestKernel test = new TestKernel(each -> options(each, ofFirst));
    private final Node first = node(test.kernel(), ofFirst);
    private Node second = another();
    private final List<Node> dead = new ArrayList<>();

    private Node another() {
        var failpoints = new Failpoints();
        return node(test.anotherNode(each -> options(each, failpoints)), failpoints);
    }

    private KernelOptions options(KernelOptions of, Failpoints failpoints) {
        return of.withSubjects(Runs.SUBJECTS)
                .withSchema(of.schema().plus(List.of(RunsSchema.PART)))
                .withFailpoints(failpoints)
                .withClock(new Clock());
    }

    private Node node(Kernel kernel, Failpoints failpoints) {
        return new Node(kernel, new Runs(kernel, options), failpoints);
    }

    RunsOptions options() {
        return options;
    }

    TestKernel test() {
        return test;
    }

    Node node(boolean other) {
        return other ? second : first;
    }

    List<Node> all() {
        return List.of(first, second);
    }

    long now() {
        return now.get();
    }

    void advance(long millis) {
        now.addAndGet(millis);
        test.clock().advance(Duration.ofMillis(millis));
    }

    /// The second node is gone without a word: nobody renews what it holds. Another one is there.
    void killSecond() {
        if (dead.size() < DEAD_MAX) {
            dead.add(second);
            second = another();
        }
    }

    /// The second node stops, and gives back what it holds.
    void stopSecond() {
        second.kernel().close();
        second = another();
    }

    /// Drivers renew their leases, and runs that are driven get their heartbeat.
    void beat() {
        for (Node each : all()) {
            Doing.patiently(() -> each.kernel().sweepOnce("lease-keeper"));
            Doing.patiently(() -> each.kernel().sweepOnce("run-heartbeats"));
        }
    }

    /// A lease that could not be ended is left alone for a while by all nodes. That is over.
    void lookAtLeasesAgain() {
        test.database()
                .execute(
                        "update work set lease_check_ms = lease_until_ms"
                                + " where lease_until_ms <= ? and lease_check_ms > ?",
                        now(),
                        now());
    }

    /// Drivers of some nodes take what there is for them, until nothing is left.
    void drive(List<Node> some) {
        Until.isTrue(
                "all runs are driven",
                PATIENCE,
                () -> {
                    Doing.patiently(() -> first.kernel().sweepOnce("due-promoter"));
                    for (Node each : some) {
                        Doing.patiently(() -> each.kernel().sweepOnce("run-drivers"));
                    }
                    return driving() == 0;
                });
    }

    private long driving() {
        Long count =
                test.database()
                        .value(
                                """
                                select count(*) from run r
                                  join work w on w.account_id = r.account_id and w.id = r.driver_id
                                 where (r.status in ('pending', 'resuming', 'retrying', 'running')
                                        and (w.state in ('ready', 'leased') or (w.state = 'waiting' and w.run_at_ms <= %1$d)))
                                    or (r.status in ('pending', 'resuming', 'retrying') and w.state <> 'waiting')
                                    or (r.status = 'running' and w.state = 'running' and w.claimed_ms = %1$d
                                        and r.last_heartbeat_ms <> %1$d)
                                """
                                        .formatted(now()));
        return count == null ? 0 : count;
    }

    /// When the runs that run had their last heartbeats.
    Map<UUID, Long> heartbeats() {
        var beats = new HashMap<UUID, Long>();
        for (var row :
                test.database()
                        .rows("select id, last_heartbeat_ms from run where status = 'running'")) {
            beats.put(
                    Stored.uuid(row, "id"),
                    Objects.requireNonNull((Long) row.get("last_heartbeat_ms")));
        }
        return beats;
    }

    /// Runs whose drivers have failed and try again: a database that is too busy for one is no
    /// fault of the run.
    Map<UUID, Clockwork.PutOff> drivenLater() {
        var later = new HashMap<UUID, Clockwork.PutOff>();
        for (var row :
                test.database()
                        .rows(
                                """
                                select r.id, r.status, w.run_at_ms from run r
                                  join work w on w.account_id = r.account_id and w.id = r.driver_id
                                 where r.status in ('pending', 'resuming', 'retrying') and w.state = 'waiting' and w.run_at_ms > ?
                                """,
                                now())) {
            later.put(
                    Stored.uuid(row, "id"),
                    new Clockwork.PutOff(
                            String.valueOf(row.get("status")),
                            Objects.requireNonNull((Long) row.get("run_at_ms"))));
        }
        return later;
    }

    @Override
    public void close() {
        dead.forEach(each -> each.kernel().close());
        second.kernel().close();
        test.close();
    }
}
