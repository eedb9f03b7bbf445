package io.orchestrion.app.client;

import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.jobs.runner.Handlers;
import io.orchestrion.jobs.runner.RunnerListener;
import io.orchestrion.jobs.runner.RunnerOptions;
import io.orchestrion.jobs.runner.RunnerPool;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.runs.artifact.ArtifactOptions;
import io.orchestrion.sdk.MonotonicClock;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.RetryPolicy;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.doors.JobsPlug;
import io.orchestrion.server.doors.ServerOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.runs.artifacts.ArtifactSettings;
import io.orchestrion.server.runs.artifacts.StorePlace;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.TestClock;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/// A whole server on a fresh database, and clients of it.
final class ClientServer implements AutoCloseable {
    private final TestKernel kernel =
            new TestKernel(
                    options ->
                            options.withSchema(Doors.SCHEMA)
                                    .withOwners(Doors.OWNERS)
                                    .withSubjects(Doors.SUBJECTS));
    private final Path store = Folders.temporary("orchestrion-client-artifacts-");
    private final OrchestrionServer server =
            OrchestrionServer.start(
                    kernel.kernel(),
                    ServerOptions.on(HttpOptions.on("127.0.0.1", 0), "test")
                            .withDoor(
                                    ArtifactSettings.in(
                                            new StorePlace.Files(
                                                    store.resolve("artifacts"),
                                                    store.resolve("artifacts.key")),
                                            ArtifactOptions.DEFAULT)));

    URI url() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /// The server's clock.
    TestClock clock() {
        return kernel.clock();
    }

    String newKey() {
        return newAccount().key().reveal();
    }

    Registration newAccount() {
        return kernel.kernel().identity().register("test", Plan.UNLIMITED_ID);
    }

    /// Steps of an account, for which the test is the engine.
    EngineSteps steps(Registration account) {
        return new EngineSteps(kernel.kernel(), account.accountId());
    }

    /// Of an account that can buy plans.
    String newBuyersKey() {
        return kernel.kernel().identity().register("buyer").key().reveal();
    }

    /// Has the drivers of runs work until that is so.
    void drive(String what, BooleanSupplier condition) {
        Until.isTrue(
                what,
                Duration.ofSeconds(60),
                () -> {
                    kernel.kernel().sweepOnce("run-drivers");
                    return condition.getAsBoolean();
                });
    }

    /// As it lies in the server's data folder.
    String operatorsKey() {
        return kernel.kernel().identity().registerLocal("operator").key().reveal();
    }

    /// Does jobs of `/v1/jobs`, a thousand times as fast as they are told to be.
    RunnerPool runner() {
        var pool =
                new RunnerPool(
                        kernel.kernel(),
                        server.door(JobsPlug.Open.class).jobs(),
                        new Runners(kernel.kernel().database()),
                        RunnerOptions.named("test").withConcurrency(2).withTimeScale(0.001),
                        Handlers.onClassPath(),
                        RunnerListener.NONE);
        pool.start();
        return pool;
    }

    /// With an account of its own.
    OrchestrionClient client() {
        return OrchestrionClient.of(url(), newKey());
    }

    @Override
    public void close() {
        server.close();
        kernel.close();
        Folders.delete(store);
    }

    /// Remembers the waits instead of waiting.
    static final class Waits implements MonotonicClock {
        final List<Duration> waited = new CopyOnWriteArrayList<>();

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration duration) {
            waited.add(duration);
        }

        /// The standard policy, with no luck in it.
        RetryPolicy policy() {
            RetryPolicy standard = RetryPolicy.standard();
            return new RetryPolicy(
                    standard.tries(), standard.firstWait(), standard.longestWait(), this, () -> 0);
        }
    }
}
