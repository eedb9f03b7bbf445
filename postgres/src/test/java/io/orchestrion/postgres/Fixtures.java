package io.orchestrion.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;

/// What every test here needs: options on a shared unpacked copy, a line to the database, and
/// patience with a bound.
final class Fixtures {
    static final Path BINARIES = Path.of("target", "postgres-binaries");

    private Fixtures() {}

    static PostgresOptions quick(Path dataFolder) {
        return durable(dataFolder).withDurable(false);
    }

    static PostgresOptions durable(Path dataFolder) {
        return PostgresOptions.in(dataFolder).withBinariesFolder(BINARIES);
    }

    /// A data folder that already holds an empty database. initdb is most of a start, and few tests
    /// are about it.
    static Path seeded(Path dataFolder) throws Exception {
        run("cp", "-a", Seed.FOLDER + "/.", dataFolder.toString());
        return dataFolder;
    }

    private static final class Seed {
        static final Path FOLDER = make();

        private static Path make() {
            try {
                Path folder = Path.of("target", "seed-" + ProcessHandle.current().pid());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
                EmbeddedPostgres.start(quick(folder)).close();
                return folder;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void remove(Path folder) {
        try {
            run("rm", "-rf", folder.toString());
        } catch (Exception e) {
            System.err.println(folder + " stays: " + e);
        }
    }

    static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    static boolean root() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    static Connection connect(EmbeddedPostgres server) throws SQLException {
        return DriverManager.getConnection(
                server.jdbcUrl("postgres"), server.user(), server.password());
    }

    static void run(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String ask(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    static void kill(long pid) {
        assertThat(ProcessHandle.of(pid)).get().matches(ProcessHandle::destroyForcibly, "killed");
    }

    static boolean running(long pid) {
        return Processes.alive(pid);
    }

    static void eventually(String what, Callable<Boolean> condition) {
        assertThat(
                        Processes.await(
                                Duration.ofMinutes(2),
                                () -> {
                                    try {
                                        return condition.call();
                                    } catch (Exception e) {
                                        return false;
                                    }
                                }))
                .as(what)
                .isTrue();
    }
}
