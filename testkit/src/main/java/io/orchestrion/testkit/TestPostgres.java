package io.orchestrion.testkit;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;
import io.orchestrion.postgres.EmbeddedPostgres;
import io.orchestrion.postgres.PostgresOptions;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// One PostgreSQL for the whole test run, and a fresh database for whoever asks: the schema is
/// made once in a template and copied file by file, which takes some tens of milliseconds; page by
/// page through the log, as is usual, it took ten times as long. No test waits for that: the next
/// database is made, and the last one dropped, while a test runs.
///
/// `-Dorchestrion.test.database-url=jdbc:postgresql://…` points the whole suite at an outside
/// server instead (with `-Dorchestrion.test.database-user` and `-password`).
public final class TestPostgres {
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static @Nullable TestPostgres instance;

    private final String serverUrl;
    private final String user;
    private final String password;
    private final String template = "orchestrion_template_" + ProcessHandle.current().pid();

    /// The only one that makes and drops databases, so one session is enough for it.
    private final ExecutorService keeper =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("test-databases").factory());

    private @Nullable Connection own;
    private @Nullable Future<String> next;

    private TestPostgres(String serverUrl, String user, String password) {
        this.serverUrl = serverUrl;
        this.user = user;
        this.password = password;
    }

    public static synchronized TestPostgres get() {
        TestPostgres current = instance;
        if (current == null) {
            current = start();
            current.makeTemplate();
            instance = current;
        }
        return current;
    }

    private static TestPostgres start() {
        String url = System.getProperty("orchestrion.test.database-url", "");
        if (!url.isEmpty()) {
            var outside =
                    new TestPostgres(
                            url.endsWith("/") ? url : url.substring(0, url.lastIndexOf('/') + 1),
                            System.getProperty("orchestrion.test.database-user", "orchestrion"),
                            System.getProperty("orchestrion.test.database-password", ""));
            Runtime.getRuntime().addShutdownHook(new Thread(outside::dropOwn));
            return outside;
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

    private void makeTemplate() {
        await(keeper.submit(() -> execute("create database " + template)));
        try (var kernel = new Kernel(KernelOptions.on(options(template)))) {
            kernel.migrate();
        } catch (Exception e) {
            throw new IllegalStateException("the template database could not be made", e);
        }
    }

    /// A new database with the current schema and nothing in it.
    public synchronized TestDatabase newDatabase() {
        Future<String> ready = next == null ? copy() : next;
        next = copy();
        return new TestDatabase(this, await(ready));
    }

    private Future<String> copy() {
        String name = "t" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
        return keeper.submit(
                () -> {
                    execute(
                            "create database "
                                    + name
                                    + " template "
                                    + template
                                    + " strategy file_copy");
                    return name;
                });
    }

    /// A new database without any schema.
    public TestDatabase emptyDatabase() {
        String name = "e" + ProcessHandle.current().pid() + "_" + COUNTER.incrementAndGet();
        await(keeper.submit(() -> execute("create database " + name + " strategy file_copy")));
        return new TestDatabase(this, name);
    }

    void drop(String name) {
        keeper.execute(
                () -> {
                    try {
                        execute("drop database if exists " + name + " with (force)");
                    } catch (SQLException e) {
                        // The server may be gone already at the end of the run.
                        return;
                    }
                });
    }

    /// What the run leaves on a server that outlives it.
    private synchronized void dropOwn() {
        if (next != null) {
            drop(await(next));
        }
        drop(template);
        keeper.close();
    }

    private static <T> T await(Future<T> made) {
        try {
            return made.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    DatabaseOptions options(String database) {
        return DatabaseOptions.of(serverUrl + database, user, password);
    }

    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(serverUrl + database, user, password);
    }

    private int execute(String sql) throws SQLException {
        try (Statement statement = own().createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private Connection own() throws SQLException {
        Connection current = own;
        if (current == null || current.isClosed()) {
            current = connect("postgres");
            own = current;
        }
        return current;
    }
}
