package io.orchestrion.server.jobs;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.jobs.runner.Handlers;
import io.orchestrion.jobs.runner.RunnerListener;
import io.orchestrion.jobs.runner.RunnerOptions;
import io.orchestrion.jobs.runner.RunnerPool;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceConfigurationError;

/// The runner of jobs inside a process, and what it is made of.
public final class BuiltInRunner implements AutoCloseable {
    private final RunnerPool pool;
    private final Handlers handlers;

    private BuiltInRunner(RunnerPool pool, Handlers handlers) {
        this.pool = pool;
        this.handlers = handlers;
    }

    /// The one inside a server; null where its settings want none.
    public static @Nullable BuiltInRunner of(Kernel kernel, Jobs jobs, JobsSettings settings)
            throws StartFailure {
        return settings.runner().places() == 0
                ? null
                : start(
                        kernel,
                        jobs,
                        settings,
                        defaultName("server"),
                        settings.runner().places(),
                        RunnerListener.NONE);
    }

    public static BuiltInRunner start(
            Kernel kernel,
            Jobs jobs,
            JobsSettings settings,
            String name,
            int concurrency,
            RunnerListener listener)
            throws StartFailure {
        Handlers handlers = handlers(settings.runner().handlers());
        var options =
                RunnerOptions.named(name)
                        .withConcurrency(concurrency)
                        .withTimeScale(settings.engine().timeScale());
        var pool =
                new RunnerPool(
                        kernel, jobs, new Runners(kernel.database()), options, handlers, listener);
        pool.start();
        return new BuiltInRunner(pool, handlers);
    }

    private static Handlers handlers(@Nullable Path folder) throws StartFailure {
        try {
            return folder == null ? Handlers.onClassPath() : Handlers.in(folder);
        } catch (UncheckedIOException | IllegalArgumentException | ServiceConfigurationError e) {
            throw new StartFailure(
                    ExitCode.BAD_SETTINGS, "the handlers of jobs: " + e.getMessage(), e);
        }
    }

    /// Tells processes apart for people; nothing rests on it.
    public static String defaultName(String kind) {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "host";
        }
        return kind + "@" + host + "/" + ProcessHandle.current().pid();
    }

    /// Lets what runs end, within the given time.
    public boolean stop(Duration atMost) {
        return pool.stop(atMost);
    }

    @Override
    public void close() {
        pool.close();
        handlers.close();
    }
}
