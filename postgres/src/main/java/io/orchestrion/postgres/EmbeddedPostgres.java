package io.orchestrion.postgres;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// A real PostgreSQL 18 as a supervised child process, owned by this JVM and reachable on 127.0.0.1
/// with a password.
///
/// One data folder has one owner: a second `start` on it is refused, in this JVM and in any other.
/// When the server dies it is started again on the same port, with crash recovery. When this JVM
/// dies, the server stops by itself where the system can arrange that, and otherwise is adopted by
/// the next start. `close` leaves no process behind.
public final class EmbeddedPostgres implements PostgresHost, AutoCloseable {
    private final Supervisor supervisor;
    private final Supervisor.Running running;

    private EmbeddedPostgres(Supervisor supervisor, Supervisor.Running running) {
        this.supervisor = supervisor;
        this.running = running;
    }

    /// Returns when the server takes connections. The first start on a machine unpacks the
    /// programs, the first start on a folder creates the database; together they took about four
    /// seconds where it was measured.
    public static EmbeddedPostgres start(PostgresOptions options) throws PostgresStartException {
        return start(options, PrivilegeDrop.detect(), Binaries.SYSTEM_FOLDER);
    }

    static EmbeddedPostgres start(PostgresOptions options, PrivilegeDrop drop, Path systemBinaries)
            throws PostgresStartException {
        Supervisor supervisor = new Supervisor(options, drop, systemBinaries, Supervisor.PAUSES);
        return new EmbeddedPostgres(supervisor, supervisor.start());
    }

    /// The same for as long as this object lives, over restarts too.
    public int port() {
        return running.port();
    }

    /// A superuser; the only role in a new database.
    public String user() {
        return DataFolder.USER;
    }

    public String password() {
        return running.password();
    }

    /// Without user and password, which belong into connection properties and not into logs.
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
    }

    /// The postmaster's process id now, or -1 while there is none.
    public long pid() {
        return supervisor.pid();
    }

    /// As PostgreSQL says it, "18.6".
    public String version() {
        return running.version();
    }

    /// Whether `start` found a live server of an earlier JVM and took it over.
    public boolean adopted() {
        return running.adopted();
    }

    @Override
    public Optional<Outage> outage() {
        return supervisor.outage();
    }

    @Override
    public Optional<DataVolume.Reading> room() {
        return running.volume().read();
    }

    @Override
    public boolean full() {
        return running.volume().full();
    }

    @Override
    public void makeRoom() {
        running.volume().makeRoom();
    }

    /// The listener is told, with a reason for people, each time the server died and is up again.
    /// Connections from before are broken by then.
    public void onRestart(Consumer<String> listener) {
        supervisor.onRestart(listener);
    }

    /// Stops the server, fast and cleanly if it can and by force if it must, and gives the data
    /// folder free. Again and again is fine.
    @Override
    public void close() {
        supervisor.close();
    }
}
