package io.orchestrion.testkit;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.db.SchemaPart;
import io.orchestrion.postgres.EmbeddedPostgres;
import io.orchestrion.postgres.PostgresOptions;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// One PostgreSQL for the whole test run, and a fresh database for whoever asks: the schema is made
/// once in a template for each set of modules and copied file by file, which takes some tens of
/// milliseconds; page by page through the log, as is usual, it took ten times as long.
///
/// `-Dorchestrion.test.database-url=jdbc:postgresql://…` points the whole suite at an outside
/// server instead (with `-Dorchestrion.test.database-user` and `-password`).
public final class TestPostgres {
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static @Nullable TestPostgres instance;

    private final String serverUrl;
    private final String user;
    private final String password;

    /// By the parts of their schema.
    private final Map<List<String>, String> templates = new HashMap<>();

    private TestPostgres(String serverUrl, String user, String password) {
        this.serverUrl = serverUrl;
        this.user = user;
        this.password = password;
    }

    public static synchronized TestPostgres get() {
        TestPostgres current = instance;
        if (current == null) {
            current = start();
            instance = current;
        }
        return current;
    }

    private static TestPostgres start() {
        String url = System.getProperty("orchestrion.test.database-url", "");
        if (!url.isEmpty()) {
            return new TestPostgres(
                    url.endsWith("/") ? url : url.substring(0, url.lastIndexOf('/') + 1),
                    System.getProperty("orchestrion.test.database-user", "orchestrion"),
                    System.getProperty("orchestrion.test.database-password", ""));
        }
        try {
            Path folder = Folders.temporary("orchestrion-test-");
            EmbeddedPostgres server =
                    EmbeddedPostgres.start(
                            PostgresOptions.in(folder)
                                    .withBinariesFolder(binariesFolder())
                                    .withDurable(false)
                                    .withSettings(
                                            Map.of(
                                                    "max_connections",
                                                    "500",
                                                    "max_wal_size",
                                                    "256MB")));
            Runtime.getRuntime()
                    .addShutdownHook(
                            new Thread(
                                    () -> {
                                        server.close();
                                        Folders.delete(folder);
                                    }));
            var started =
                    new TestPostgres(
                            "jdbc:postgresql://127.0.0.1:" + server.port() + "/",
                            server.user(),
                            server.password());
            started.cheapenLogins();
            return started;
        } catch (Exception e) {
            throw new IllegalStateException("no PostgreSQL for the tests", e);
        }
    }

    /// Each kernel of each test opens a dozen sessions, and most of what that costs is hashing a
    /// password thousands of times.
    private void cheapenLogins() throws SQLException {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("set scram_iterations = 1");
            statement.execute("alter role " + user + " password '" + password + "'");
        }
    }

    /// Shared by all test runs of this machine, unpacked once.
    public static Path binariesFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"), "orchestrion-postgres-binaries");
    }

    private synchronized String template(Schema schema) {
        List<String> parts = schema.parts().stream().map(SchemaPart::name).toList();
        return templates.computeIfAbsent(parts, _ -> makeTemplate(schema));
    }

    private String makeTemplate(Schema schema) {
        String template =
                "orchestrion_template_" + ProcessHandle.current().pid() + "_" + templates.size();
        execute("create database " + template);
        try (var kernel = new Kernel(KernelOptions.on(options(template)).withSchema(schema))) {
            kernel.migrate();
        } catch (Exception e) {
            throw new IllegalStateException("the template database could not be made", e);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drop(template)));
        return template;
    }

    /// A new database with the tables of the kernel and nothing in it.
    public TestDatabase newDatabase() {
        return newDatabase(Schema.KERNEL);
    }

    /// A new database with the tables of engines, too.
    public TestDatabase newDatabase(Schema schema) {
        TestDatabase database = named();
        create(database, schema);
        return database;
    }

    /// One that is not there yet, so that what is made for it can say which tables it needs.
    TestDatabase named() {
        String name = "t" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
        return new TestDatabase(this, name);
    }

    void create(TestDatabase database, Schema schema) {
        execute(
                "create database "
                        + database.name()
                        + " template "
                        + template(schema)
                        + " strategy file_copy");
    }

    /// A new database without any schema.
    public TestDatabase emptyDatabase() {
        String name = "e" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
        execute("create database " + name + " strategy file_copy");
        return new TestDatabase(this, name);
    }

    void drop(String name) {
        try {
            execute("drop database if exists " + name + " with (force)");
        } catch (IllegalStateException e) {
            // The server may be gone already at the end of the run.
            return;
        }
    }

    DatabaseOptions options(String database) {
        return DatabaseOptions.of(serverUrl + database, user, password);
    }

    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(serverUrl + database, user, password);
    }

    private void execute(String sql) {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
