package io.orchestrion.server.jobs;

import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.jobs.runner.Handlers;
import io.orchestrion.jobs.runner.RunnerListener;
import io.orchestrion.jobs.runner.RunnerOptions;
import io.orchestrion.jobs.runner.RunnerPool;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.ServerOptions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.function.UnaryOperator;

/// A server for all tests of a class, without runners, and a new client for each of them.
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
abstract class JobsFixture {
    static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    final JobsApi jobs = JobsApi.of(server);

    static void advance(Duration by) {
        server.clock().advance(by);
    }

    /// A server with other settings of the jobs door.
    static TestServer with(JobsSettings settings) {
        return new TestServer(options -> options, options -> options.withDoor(settings));
    }

    static TestServer with(UnaryOperator<ServerOptions> options) {
        return new TestServer(kernel -> kernel, options);
    }

    /// A runner that is about a thousand times as fast as the work it simulates.
    static RunnerPool runner(TestServer of, int concurrency) {
        var kernel = of.kernel().kernel();
        var pool =
                new RunnerPool(
                        kernel,
                        of.jobs(),
                        new Runners(kernel.database()),
                        RunnerOptions.named("test")
                                .withConcurrency(concurrency)
                                .withTimeScale(0.001)
                                .withPace(
                                        Duration.ofMillis(200),
                                        Duration.ofMillis(20),
                                        Duration.ofMillis(20)),
                        Handlers.onClassPath(),
                        RunnerListener.NONE);
        pool.start();
        return pool;
    }

    static long count(String table, String where) {
        Long found = server.database().value("select count(*) from " + table + " where " + where);
        return found == null ? 0 : found;
    }
}
