package io.orchestrion.simulator.log;

import io.orchestrion.tools.Folder;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/// Two servers that share a database: the first brings it along, the second is told its address.
final class TwoServers implements AutoCloseable {
    private static final int PORT_LINE = 3;

    private final List<String> program;
    private final Path folder;
    private final Thread rescue = new Thread(this::stop);
    private volatile ServerProgram first;
    private volatile ServerProgram second;

    private TwoServers(List<String> program, Path folder) throws IOException {
        this.program = program;
        this.folder = folder;
        first = startFirst(0);
        try {
            second = startSecond(0);
        } catch (IOException | RuntimeException e) {
            first.close();
            throw e;
        }
        // Somebody who interrupts a run leaves neither servers nor database behind.
        Runtime.getRuntime().addShutdownHook(rescue);
    }

    static TwoServers start(List<String> program) throws IOException {
        return new TwoServers(program, Files.createTempDirectory("orchestrion-simulate"));
    }

    private ServerProgram startFirst(int port) throws IOException {
        return ServerProgram.start(
                program, data(), List.of("--port", String.valueOf(port)), Map.of());
    }

    private ServerProgram startSecond(int port) throws IOException {
        Path other = folder.resolve("second");
        Files.createDirectories(other);
        Files.copy(
                data().resolve("local.key"),
                other.resolve("local.key"),
                StandardCopyOption.REPLACE_EXISTING,
                StandardCopyOption.COPY_ATTRIBUTES);
        return ServerProgram.start(
                program,
                other,
                List.of(
                        "--port",
                        String.valueOf(port),
                        "--database-url",
                        "postgresql://orchestrion@127.0.0.1:" + databasePort() + "/postgres"),
                Map.of(
                        "ORCHESTRION_DATABASE_PASSWORD",
                        Files.readString(data().resolve("postgres.password")).strip()));
    }

    private Path data() {
        return folder.resolve("first");
    }

    private String databasePort() throws IOException {
        return Files.readAllLines(data().resolve("pg").resolve("postmaster.pid"))
                .get(PORT_LINE)
                .strip();
    }

    String key() {
        return first.key();
    }

    List<URI> addresses() {
        return List.of(address(first), address(second));
    }

    private static URI address(ServerProgram server) {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    /// SIGKILL and a new start where it was. The database may be stopped and begun anew with the
    /// first, on another port; then the second is started anew, too.
    void restart(boolean theFirst) throws IOException {
        if (theFirst) {
            String before = databasePort();
            first.kill();
            first = startFirst(first.port());
            if (!databasePort().equals(before)) {
                second.kill();
                second = startSecond(second.port());
            }
        } else {
            second.kill();
            second = startSecond(second.port());
        }
    }

    private void stop() {
        second.close();
        first.close();
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(rescue);
        } catch (IllegalStateException e) {
            // The program is ending already.
        }
        Folder.delete(folder);
    }
}
