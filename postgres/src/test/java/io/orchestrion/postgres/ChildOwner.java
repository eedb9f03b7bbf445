package io.orchestrion.postgres;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A second JVM that owns a data folder, to be killed or refused. Says one line and then waits to
/// be ended.
final class ChildOwner implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final String answer;

    private ChildOwner(Process process) throws IOException {
        this.process = process;
        this.output = process.inputReader();
        String line = output.readLine();
        this.answer = line == null ? "" : line;
    }

    /// @param mode `dies-with-jvm`, or `outlives-jvm` to leave an orphan
    static ChildOwner start(Path dataFolder, String mode) throws IOException {
        return start(
                List.of(),
                System.getProperty("java.class.path"),
                dataFolder,
                Fixtures.BINARIES,
                mode);
    }

    static ChildOwner start(
            List<String> prefix, String classPath, Path dataFolder, Path binaries, String mode)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-cp",
                        classPath,
                        ChildOwner.class.getName(),
                        dataFolder.toAbsolutePath().toString(),
                        binaries.toAbsolutePath().toString(),
                        mode));
        return new ChildOwner(
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .directory(new File("/"))
                        .start());
    }

    /// `ready <postmaster pid>` or `refused <reason> <message>`.
    String answer() {
        return answer;
    }

    long postmaster() {
        return Long.parseLong(answer.split(" ")[1]);
    }

    long pid() {
        return process.pid();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        output.close();
    }

    public static void main(String[] arguments) throws Exception {
        PostgresOptions options =
                Fixtures.durable(Path.of(arguments[0])).withBinariesFolder(Path.of(arguments[1]));
        PrivilegeDrop drop = PrivilegeDrop.detect();
        if (arguments[2].equals("outlives-jvm")) {
            drop = drop.withoutDeathSignal();
        }
        try (EmbeddedPostgres server =
                EmbeddedPostgres.start(options, drop, Binaries.SYSTEM_FOLDER)) {
            Fixtures.run(server, "create table if not exists t (x int); insert into t values (1)");
            System.out.println("ready " + server.pid());
            System.in.read();
        } catch (PostgresStartException e) {
            System.out.println("refused " + e.reason() + " " + e.getMessage().replace('\n', ' '));
        }
    }
}
