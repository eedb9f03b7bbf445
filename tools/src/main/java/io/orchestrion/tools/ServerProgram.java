package io.orchestrion.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `orchestrion serve` in a process of its own.
///
/// @param key of its operator
public record ServerProgram(Process process, int port, String key) implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
    private static final int STOP_SECONDS = 30;

    /// Returns when the server is ready.
    ///
    /// @param program what starts the program, without its arguments
    /// @param data its folder, where its log goes too
    public static ServerProgram start(
            List<String> program, Path data, List<String> options, Map<String, String> environment)
            throws IOException {
        Files.createDirectories(data);
        var command = new ArrayList<>(program);
        command.addAll(List.of("serve", "--data", data.toString()));
        command.addAll(options);
        Path log = data.resolve("server.log");
        var builder =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        int port = awaitAddress(process, log);
        return new ServerProgram(
                process, port, Files.readString(data.resolve("local.key")).strip());
    }

    private static int awaitAddress(Process process, Path log) throws IOException {
        var out =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null) {
            Matcher address = ADDRESS.matcher(line);
            if (address.find()) {
                // What it says later must be read, or it would stand still on a full pipe.
                Thread.ofVirtual().start(() -> out.lines().forEach(_ -> {}));
                return Integer.parseInt(address.group(1));
            }
            line = out.readLine();
        }
        throw new IOException(
                "the server ended before it was ready and said:\n" + Files.readString(log));
    }

    public long pid() {
        return process.pid();
    }

    /// SIGKILL: none of its hooks runs.
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /// SIGTERM, and SIGKILL when that is not heard.
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
