package io.orchestrion.simulator;

import io.orchestrion.simulator.play.Simulation;
import io.orchestrion.tools.Folder;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A server for the run alone, in a process of its own on an empty data folder: fast in everything
/// that takes time only to be seen, and open to receivers on this machine.
final class OwnServer implements Simulation.Killable, AutoCloseable {
    private static final int RUNNERS = 32;

    private final List<String> program;
    private final Path data;
    private final double timeScale;
    private final Thread rescue;
    private volatile ServerProgram server;

    private OwnServer(List<String> program, Path data, double timeScale) throws IOException {
        this.program = program;
        this.data = data;
        this.timeScale = timeScale;
        server = start(0);
        // Somebody who interrupts a run leaves neither server nor database behind.
        rescue = new Thread(() -> server.close());
        Runtime.getRuntime().addShutdownHook(rescue);
    }

    static OwnServer start(List<String> program, double timeScale) throws IOException {
        return new OwnServer(program, Files.createTempDirectory("orchestrion-simulate"), timeScale);
    }

    private ServerProgram start(int port) throws IOException {
        var options = new ArrayList<String>();
        options.addAll(List.of("--port", String.valueOf(port)));
        settings().forEach((name, value) -> options.addAll(List.of("--" + name, value)));
        return ServerProgram.start(program, data, options, Map.of());
    }

    private Map<String, String> settings() {
        return Map.ofEntries(
                Map.entry("jobs-runners", String.valueOf(RUNNERS)),
                Map.entry("jobs-time-scale", String.valueOf(timeScale)),
                Map.entry("jobs-requests-per-minute", "1000000"),
                Map.entry("jobs-backoff-base-millis", "50"),
                Map.entry("jobs-backoff-max-millis", "500"),
                Map.entry("webhooks-allow-private", "127.0.0.0/8"),
                Map.entry("webhooks-timeout-millis", "1000"),
                Map.entry("webhooks-retries", "3"),
                Map.entry("webhooks-backoff-base-millis", "100"),
                Map.entry("webhooks-backoff-max-millis", "1000"),
                Map.entry("webhooks-slow-retries", "none"),
                Map.entry("webhooks-concurrency", "16"),
                // Good and bad receivers of a client are at one address here, which one breaker
                // guards.
                Map.entry("webhooks-breaker-failures", "1000"));
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /// SIGKILL. Its database lives on, as after any crash, and is adopted by the next one.
    @Override
    public void kill() {
        server.kill();
    }

    /// Where it was, for clients that know no other address.
    @Override
    public void startAgain() throws IOException {
        server = start(server.port());
    }

    @Override
    public void close() {
        server.close();
        try {
            Runtime.getRuntime().removeShutdownHook(rescue);
        } catch (IllegalStateException e) {
            // The program is ending already.
        }
        Folder.delete(data);
    }
}
