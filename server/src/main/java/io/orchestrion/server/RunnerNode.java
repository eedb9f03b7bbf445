package io.orchestrion.server;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.runner.RunnerListener;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.jobs.BuiltInRunner;
import io.orchestrion.server.jobs.JobsSetting;
import io.orchestrion.server.jobs.JobsSettings;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.ProductVersion;
import io.orchestrion.server.ops.RunnerEngine;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/// What `runner` runs: a node like a server's, with every background duty, but without doors.
public final class RunnerNode implements RunnerEngine {

    @Override
    public Running start(OpenDatabase database, Settings settings, String name, int concurrency)
            throws StartFailure {
        JobsSettings set = JobsSetting.read(settings);
        if (set.fault() != null) {
            throw new StartFailure(ExitCode.BAD_SETTINGS, set.fault());
        }
        var begun = new ArrayDeque<Runnable>();
        try {
            return start(database, settings, set, name, concurrency, begun);
        } catch (StoreException e) {
            begun.forEach(Runnable::run);
            throw new StartFailure(
                    ExitCode.DATABASE_FAILED, "the database failed: " + e.getMessage(), e);
        } catch (StartFailure | RuntimeException e) {
            begun.forEach(Runnable::run);
            throw e;
        }
    }

    /// @param begun how to end what was begun, the last first
    private static Running start(
            OpenDatabase database,
            Settings settings,
            JobsSettings set,
            String name,
            int concurrency,
            Deque<Runnable> begun)
            throws StartFailure {
        var observer =
                new Observer(settings.observe(), ProductVersion.current().toString(), Doors.ALL);
        begun.push(observer::close);
        var kernel =
                new Kernel(
                        ServerEngine.options(database, settings)
                                .withPlans(ServerEngine.offer(settings.plansFile()).plans())
                                .withSignals(observer));
        begun.push(kernel::close);
        ServerEngine.migrate(kernel);
        var jobs = new Jobs(kernel, set.engine(), set.definitions());
        begun.push(jobs::close);
        var tally = new Tally();
        BuiltInRunner runner = BuiltInRunner.start(kernel, jobs, set, name, concurrency, tally);
        begun.push(runner::close);
        kernel.start();
        return new Node(kernel, jobs, runner, tally, observer);
    }

    @Override
    public String defaultName() {
        return BuiltInRunner.defaultName("runner");
    }

    private record Node(
            Kernel kernel, Jobs jobs, BuiltInRunner runner, Tally tally, Observer observer)
            implements Running {
        @Override
        public boolean stop(Duration atMost) {
            return runner.stop(atMost);
        }

        @Override
        public Ended ended() {
            return tally.sum();
        }

        @Override
        public void close() {
            runner.close();
            jobs.close();
            kernel.close();
            // Last: what ends is still told.
            observer.close();
        }
    }

    /// Counts how jobs ended here.
    private static final class Tally implements RunnerListener {
        private final AtomicLong succeeded = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong letGo = new AtomicLong();

        @Override
        public void ended(Assigned job, @Nullable JobState state, String why, Duration took) {
            AtomicLong count =
                    state == JobState.SUCCEEDED
                            ? succeeded
                            : state == JobState.FAILED ? failed : letGo;
            count.incrementAndGet();
        }

        Ended sum() {
            return new Ended(succeeded.get(), failed.get(), letGo.get());
        }
    }
}
