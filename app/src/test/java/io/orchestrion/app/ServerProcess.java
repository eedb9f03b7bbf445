package io.orchestrion.app;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.ResponseCheck;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `orchestrion serve` as a process of its own, on a data folder that outlives it.
final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final Path data;
    private final int port;

    private ServerProcess(Process process, Path data, int port) {
        this.process = process;
        this.data = data;
        this.port = port;
    }

    static ServerProcess start(Path data, String... javaOptions) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of(javaOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(
                List.of(Main.class.getName(), "serve", "--port", "0", "--data", data.toString()));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return new ServerProcess(process, data, awaitBanner(process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int awaitBanner(Process process) throws IOException {
        var out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null) {
            Matcher address = ADDRESS.matcher(line);
            if (address.find()) {
                return Integer.parseInt(address.group(1));
            }
            line = out.readLine();
        }
        throw new AssertionError("the server ended before it was ready: " + process);
    }

    /// With the operator's key.
    Api api() {
        try {
            return Api.on(port, ResponseCheck.NONE)
                    .withKey(Files.readString(data.resolve("local.key")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// SIGKILL: no hook runs.
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /// Waits for it to end by itself.
    int awaitEnd() {
        return process.onExit().join().exitValue();
    }

    boolean alive() {
        return process.isAlive();
    }

    /// SIGTERM.
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
