package io.orchestrion.bench;

import io.orchestrion.bench.StoreSql.Address;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A server in a process of its own.
public record Node(Process process, int port, String key) implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");
    private static final int STOP_SECONDS = 30;

    static Node start(List<String> program, Path data, Path plans, Address database)
            throws IOException {
        Files.createDirectories(data);
        var command = new ArrayList<>(program);
        command.addAll(
                List.of(
                        "serve",
                        "--port",
                        "0",
                        "--data",
                        data.toString(),
                        "--plans-file",
                        plans.toString(),
                        "--database-url",
                        database.jdbcUrl(),
                        "--database-user",
                        database.user()));
        var builder =
                new ProcessBuilder(command).redirectError(data.resolve("server.log").toFile());
        builder.environment().put("ORCHESTRION_DATABASE_PASSWORD", database.password());
        Process process = builder.start();
        int port = awaitAddress(process, data);
        return new Node(process, port, Files.readString(data.resolve("local.key")).strip());
    }

    private static int awaitAddress(Process process, Path data) throws IOException {
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
                "the server ended before it was ready and said:\n"
                        + Files.readString(data.resolve("server.log")));
    }

    public long pid() {
        return process.pid();
    }

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
