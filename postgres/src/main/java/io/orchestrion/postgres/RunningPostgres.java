package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// An embedded server that another process owns and that takes connections: how to reach it. The
/// owner alone starts and stops it, and the port is another one after the owner's next start.
public record RunningPostgres(int port, String user, String password) {

    /// The server of a data folder; empty when none is up there now.
    public static Optional<RunningPostgres> in(Path dataFolder) throws PostgresStartException {
        if (!Files.isDirectory(dataFolder)) {
            return Optional.empty();
        }
        DataFolder folder = DataFolder.create(dataFolder, PrivilegeDrop.detect());
        try {
            Optional<PidFile> found = PidFile.read(folder.pgData());
            return found.isPresent() && found.get().ready() && alive(found.get().pid())
                    ? Optional.of(
                            new RunningPostgres(
                                    found.get().port(), DataFolder.USER, folder.password()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new PostgresStartException(
                    Reason.NOT_WRITABLE,
                    "what the database in "
                            + dataFolder
                            + " says of itself cannot be read by "
                            + System.getProperty("user.name")
                            + "; be the user who started it",
                    e);
        }
    }

    private static boolean alive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /// Without user and password, which belong into connection properties and not into logs.
    public String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    @Override
    public String toString() {
        return "127.0.0.1:" + port;
    }
}
