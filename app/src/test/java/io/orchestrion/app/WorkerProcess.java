package io.orchestrion.app;

import io.orchestrion.testkit.Until;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// `orchestrion worker`, or another command that works until it is told to stop, as a process of
/// its own.
final class WorkerProcess implements AutoCloseable {
    private final Process process;
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private WorkerProcess(Process process) {
        this.process = process;
        reader = Thread.ofVirtual().start(this::read);
    }

    static WorkerProcess start(Map<String, String> environment, String... arguments) {
        return start("worker", environment, List.of(), arguments);
    }

    static WorkerProcess start(
            String command,
            Map<String, String> environment,
            List<String> javaOptions,
            String... arguments) {
        var words = new ArrayList<>(List.of(command));
        words.addAll(List.of(arguments));
        ProcessBuilder builder =
                ServerProcess.command(javaOptions, words.toArray(String[]::new))
                        .redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new WorkerProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        var lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        lines.lines().forEach(said::add);
    }

    String said() {
        return String.join("\n", said);
    }

    void awaitSaid(String text) {
        Until.isTrue(
                "the worker says " + text,
                Duration.ofSeconds(60),
                () -> said().contains(text) || !process.isAlive() && !said().contains(text));
        if (!said().contains(text)) {
            throw new AssertionError("the worker ended without " + text + ":\n" + said());
        }
    }

    /// SIGTERM.
    void signal() {
        // Process.destroy would also close what the worker still writes to.
        process.toHandle().destroy();
    }

    /// SIGKILL: no hook runs.
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    int awaitEnd() throws InterruptedException {
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new AssertionError("the worker does not end:\n" + said());
        }
        reader.join();
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
