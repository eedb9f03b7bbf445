package io.orchestrion.testkit;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.plan.Plan;

import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// A kernel on a fresh database with the tables that its options name, with a clock to move and
/// failpoints to arm. Nothing runs by itself in it: a test sweeps by hand.
public final class TestKernel implements AutoCloseable {
    private final TestDatabase database = TestPostgres.get().named();
    private final TestClock clock = new TestClock();
    private final Failpoints failpoints = new Failpoints();
    private final Kernel kernel;

    public TestKernel() {
        this(options -> options);
    }

    public TestKernel(UnaryOperator<KernelOptions> with) {
        KernelOptions options = with.apply(options(database.options()));
        TestPostgres.get().create(database, options.schema());
        kernel = new Kernel(options);
    }

    private KernelOptions options(DatabaseOptions on) {
        return KernelOptions.on(on)
                .withClock(clock)
                .withTicker(clock)
                .withFailpoints(failpoints)
                .withPace(Duration.ofMillis(50), Duration.ZERO, false);
    }

    /// Another node on the same database, with the same clock and its own failpoints.
    public Kernel anotherNode(UnaryOperator<KernelOptions> with) {
        return new Kernel(with.apply(options(database.options()).withFailpoints(new Failpoints())));
    }

    public Kernel kernel() {
        return kernel;
    }

    public TestDatabase database() {
        return database;
    }

    public TestClock clock() {
        return clock;
    }

    public Failpoints failpoints() {
        return failpoints;
    }

    /// A new account on the unlimited plan.
    public UUID account() {
        return kernel.identity().register("test", Plan.UNLIMITED_ID).accountId();
    }

    @Override
    public void close() {
        kernel.close();
        database.close();
    }
}
