package io.orchestrion.runs.engine;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.pool.PoolWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.runs.credit.Ledger;
import io.orchestrion.runs.run.RunListener;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;

/// Puts the parts of the engine together and joins them to a kernel: the owner of its items, its
/// drivers, and its sweepers.
public final class RunEngine {
    /// Well within the length of a driver's lease.
    private static final Duration RENEW = Duration.ofSeconds(10);

    /// Drivers wait until they are stopped: a pick-up that has begun is all that needs a moment.
    private static final Duration STOP = Duration.ofMillis(100);

    private final Engine engine;
    private final Driven driven;

    /// @param kernel that is not started yet
    public RunEngine(Kernel kernel, RunsOptions options) {
        engine = new Engine(kernel, options);
        driven = new Driven(kernel, options.heart().beatEvery());
        kernel.add(new RunOwner(engine));
        kernel.add(driven);
        kernel.add(new HeartbeatMonitor(engine));
        kernel.add(new RunClocks(engine));
        Duration kept = options.kept();
        if (kept != null) {
            kernel.add(new RunPurger(engine, kept));
        }
        kernel.pool()
                .add(
                        new PoolWork(
                                        "run-drivers",
                                        Profiles.DRIVERS,
                                        ItemKinds.DRIVE,
                                        options.drivers().places(),
                                        options.drivers().perAccount())
                                .withPace(RENEW, STOP),
                        new Driver(engine, driven));
    }

    public void add(RunListener listener) {
        engine.listeners().add(listener);
    }

    public Ledger ledger() {
        return engine.ledger();
    }

    public int driven() {
        return driven.count();
    }

    public @Nullable Created refused(NewRun asked) {
        return new Creating(engine).refused(asked);
    }

    public Created create(Tx tx, NewRun asked) throws SQLException {
        return new Creating(engine).create(tx, asked);
    }

    public RunVerbs runs() {
        return new RunVerbs(engine);
    }

    public TreeVerbs tree() {
        return new TreeVerbs(engine);
    }

    public TicketVerbs tickets() {
        return new TicketVerbs(engine);
    }
}
