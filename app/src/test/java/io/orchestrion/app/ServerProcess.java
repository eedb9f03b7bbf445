package io.orchestrion.app;

import io.orchestrion.kernel.db.DatabaseOptions;
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
import java.util.stream.Collectors;

/// `orchestrion serve` as a process of its own, on a data folder that outlives it.
public final class ServerProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final Path data;
    private final int port;

    private ServerProcess(Process process, Path data, int port) {
        this.process = process;
        this.data = data;
        this.port = port;
    }

    public static ServerProcess start(Path data, String... javaOptions) {
        return start(data, command(List.of(javaOptions), "serve", "--port", "0"));
    }

    /// With settings of its own.
    public static ServerProcess startWith(Path data, List<String> settings) {
        ProcessBuilder builder = command(List.of(), "serve", "--port", "0");
        builder.command().addAll(settings);
        return start(data, builder);
    }

    /// Where an earlier one was, for clients that know no other address.
    static ServerProcess startAgain(ServerProcess ended) {
        String port = String.valueOf(ended.port);
        return start(ended.data, command(List.of(), "serve", "--port", port));
    }

    /// On a database that is already there.
    public static ServerProcess startOn(DatabaseOptions database, Path data, String... settings) {
        return startOn(database, data, List.of(), settings);
    }

    /// The same with options of Java.
    static ServerProcess startOn(
            DatabaseOptions database, Path data, List<String> javaOptions, String... settings) {
        ProcessBuilder builder =
                command(
                        javaOptions,
                        "serve",
                        "--port",
                        "0",
                        "--database-url",
                        database.jdbcUrl(),
                        "--database-user",
                        database.user());
        builder.command().addAll(List.of(settings));
        builder.environment().put("ORCHESTRION_DATABASE_PASSWORD", database.password());
        return start(data, builder);
    }

    private static ServerProcess start(Path data, ProcessBuilder builder) {
        builder.command().addAll(List.of("--data", data.toString()));
        try {
            Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            return new ServerProcess(process, data, awaitBanner(process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ProcessBuilder command(List<String> javaOptions, String... arguments) {
        var options = new ArrayList<>(javaOptions);
        options.addAll(TrainedProgram.options());
        return java(options, arguments);
    }

    /// With all options of Java, the class path among them.
    static ProcessBuilder java(List<String> options, String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(options);
        command.add(Main.class.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    /// What starts the program, in a shell.
    public static String program() {
        return command(List.of()).command().stream()
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }

    /// How a command ended and all that it said.
    record Ended(int code, String said) {}

    /// A command that ends by itself.
    static Ended run(String... arguments) {
        try {
            Process process = command(List.of(), arguments).redirectErrorStream(true).start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.onExit().join().exitValue(), said);
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

    public String address() {
        return "http://127.0.0.1:" + port;
    }

    /// With the operator's key.
    public Api api() {
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

    long pid() {
        return process.pid();
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
