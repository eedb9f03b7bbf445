package io.orchestrion.orchestrations.model;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.StoreClock;
import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.orchestrations.execution.OrchestrationsOptions;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/// Two nodes with orchestrations on one database. Their time stands still until it is moved, so
/// that what is stored can be told to the millisecond.
final class Nodes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int PLACES = 16;

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

    record Node(Kernel kernel, Orchestrations engine, Failpoints failpoints) {}

    private final AtomicLong now = new AtomicLong(1_900_000_000_000L);
    private final Failpoints ofFirst = new Failpoints();
    private final TestKernel test = new TestKernel(options -> options(options, ofFirst));
    private final Node first = node(test.kernel(), ofFirst);
    private Node second = another();

    /// Answers the calls of steps.
    volatile Function<Call, CallOutcome> service =
            _ -> new CallOutcome.Failed(CallOutcome.Reason.CONNECT_FAILED, "nobody", false);

    private Node another() {
        var failpoints = new Failpoints();
        return node(test.anotherNode(options -> options(options, failpoints)), failpoints);
    }

    private KernelOptions options(KernelOptions options, Failpoints failpoints) {
        return options.withSubjects(Orchestrations.SUBJECTS)
                .withSchema(options.schema().plus(List.of(Orchestrations.SCHEMA)))
                .withFailpoints(failpoints)
                .withClock(new Clock());
    }

    private Node node(Kernel kernel, Failpoints failpoints) {
        Egress egress =
                new Egress() {
                    @Override
                    public @Nullable String knownFault(String url) {
                        return null;
                    }

                    @Override
                    public @Nullable String fault(UUID account, String url) {
                        return null;
                    }

                    @Override
                    public CallOutcome call(UUID account, Call call) {
                        return service.apply(call);
                    }
                };
        return new Node(
                kernel,
                new Orchestrations(
                        kernel,
                        new OrchestrationsOptions(
                                egress,
                                new JsonSchemas(new Failpoints()),
                                new Middle(),
                                PLACES,
                                PLACES)),
                failpoints);
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

    /// The second node is gone, and another one is there.
    void dropSecond() {
        close(second);
        second = another();
    }

    /// The server makes all calls that are to be made now.
    void makeCalls(Node node) {
        Kernel kernel = node.kernel();
        int begun = 1;
        while (begun > 0) {
            begun = 0;
            for (String kind : List.of("orchestration-calls", "orchestration-notices")) {
                begun += kernel.sweepOnce(kind);
                awaitCalls(node);
            }
        }
    }

    void awaitCalls(Node node) {
        Until.isTrue(
                "the calls are over",
                PATIENCE,
                () -> node.kernel().pool().statuses().stream().allMatch(s -> s.busy() == 0));
    }

    private static void close(Node node) {
        node.engine().close();
        node.kernel().close();
    }

    @Override
    public void close() {
        close(second);
        first.engine().close();
        test.close();
    }

    /// A lease that could not be ended is left alone for ten seconds by all nodes. They are over.
    void lookAtLeasesAgain() {
        test.database()
                .execute(
                        "update work set lease_check_ms = lease_until_ms"
                                + " where lease_until_ms <= ? and lease_check_ms > ?",
                        now(),
                        now());
    }
}
