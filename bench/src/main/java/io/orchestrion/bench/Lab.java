package io.orchestrion.bench;

import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.postgres.EmbeddedPostgres;
import io.orchestrion.postgres.PostgresOptions;
import io.orchestrion.postgres.PostgresStartException;
import io.orchestrion.tools.ServerProgram;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// A PostgreSQL of its own, with the settings of the product, and servers on databases in it.
public final class Lab implements AutoCloseable {
    /// Makes accounts that are not the operator's as good as unlimited.
    private static final String PLANS =
            """
            {"plans": [{"id": "free", "maxWorkers": 1000000, "maxTasksPerMonth": 1000000000,
              "maxClaimsPerHour": 10000000, "maxCreatesPerHour": 10000000}],
             "limits": {"everything": 10000000, "register": 1000000, "complete": 10000000, "heartbeat": 10000000}}
            """;

    private final Path folder;
    private final List<String> serverCommand;
    private final boolean watched;
    private final EmbeddedPostgres postgres;
    private int databases;
    private int nodes;

    private Lab(
            Path folder, List<String> serverCommand, boolean watched, EmbeddedPostgres postgres) {
        this.folder = folder;
        this.serverCommand = serverCommand;
        this.watched = watched;
        this.postgres = postgres;
    }

    /// @param serverCommand what starts the program, without its arguments
    /// @param watched whether the database counts what each statement takes, which costs a little
    public static Lab open(
            Path folder, List<String> serverCommand, boolean watched, Consumer<String> say)
            throws PostgresStartException, IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("plans.json"), PLANS);
        PostgresOptions options =
                PostgresOptions.in(folder.resolve("postgres"))
                        .withSettings(watched ? StatementsSql.SETTINGS : Map.of())
                        .withProgress(say);
        return new Lab(folder, serverCommand, watched, EmbeddedPostgres.start(options));
    }

    /// A new empty database.
    public Address newDatabase() throws SQLException {
        String name = "bench_" + ++databases;
        StoreSql.createDatabase(address("postgres"), name);
        if (watched) {
            StatementsSql.begin(address(name));
        }
        return address(name);
    }

    /// Removes it; what its statements took comes back line by line, if that was watched.
    public List<String> drop(Address database) throws SQLException {
        List<String> statements = watched ? StatementsSql.most(database) : List.of();
        String url = database.jdbcUrl();
        StoreSql.dropDatabase(address("postgres"), url.substring(url.lastIndexOf('/') + 1));
        return statements;
    }

    private Address address(String database) {
        return new Address(postgres.jdbcUrl(database), postgres.user(), postgres.password());
    }

    /// Returns when the server is ready.
    public ServerProgram start(Address database) throws IOException {
        return known(
                ServerProgram.start(
                        serverCommand,
                        folder.resolve("node-" + ++nodes),
                        List.of(
                                "--port",
                                "0",
                                "--plans-file",
                                plans().toString(),
                                "--database-url",
                                database.jdbcUrl(),
                                "--database-user",
                                database.user()),
                        Map.of("ORCHESTRION_DATABASE_PASSWORD", database.password())));
    }

    /// A server with an embedded database of its own, which it starts again when it ends.
    public ServerProgram startAlone(Path data) throws IOException {
        return known(
                ServerProgram.start(
                        serverCommand,
                        data,
                        List.of("--port", "0", "--plans-file", plans().toString()),
                        Map.of()));
    }

    /// Somebody who interrupts a run leaves no server behind.
    private static ServerProgram known(ServerProgram node) {
        Runtime.getRuntime().addShutdownHook(new Thread(node.process()::destroyForcibly));
        return node;
    }

    /// Where a run keeps its files; it is removed in the end.
    public Path folder() {
        return folder;
    }

    private Path plans() {
        return folder.resolve("plans.json");
    }

    public long postgresPid() {
        return postgres.pid();
    }

    public String postgresVersion() {
        return postgres.version();
    }

    public String durability() throws SQLException {
        return StoreSql.durability(address("postgres"));
    }

    /// The database's time.
    public Instant now() throws SQLException {
        return StoreSql.now(address("postgres"));
    }

    @Override
    public void close() {
        postgres.close();
    }
}
