package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.DatabaseUrl;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;

/// The database of `--database-url`: waits for it to answer, and looks at its version.
public final class OutsideDatabase implements DatabaseSource {
    /// PostgreSQL 15, as `server_version_num`.
    static final int OLDEST = 150_000;

    private static final Duration PAUSE = Duration.ofMillis(500);

    @Override
    public OpenDatabase open(Settings settings, Progress progress) throws StartFailure {
        DatabaseUrl url = settings.database();
        if (url == null) {
            throw new StartFailure(ExitCode.BAD_SETTINGS, "database-url is not set");
        }
        String user = settings.databaseUser();
        String password = settings.databasePassword();
        progress.step("Connecting to the database at " + url.servers());
        long until =
                System.nanoTime() + Duration.ofSeconds(settings.databaseWaitSeconds()).toNanos();
        while (true) {
            try {
                return checked(
                        url,
                        user,
                        password,
                        DatabaseProbeSql.version(url.jdbcUrl(), user, password));
            } catch (SQLException e) {
                StartFailure failure = explained(e, url, user);
                boolean mayCome = failure.code() == ExitCode.DATABASE_UNREACHABLE;
                if (!mayCome || System.nanoTime() - until > -PAUSE.toNanos()) {
                    throw failure;
                }
                progress.step("Waiting for the database at " + url.servers() + ": " + reason(e));
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StartFailure(ExitCode.INTERRUPTED, "interrupted while waiting", e);
            }
        }
    }

    static OpenDatabase checked(
            DatabaseUrl url,
            @Nullable String user,
            @Nullable String password,
            DatabaseProbeSql.Version version)
            throws StartFailure {
        if (version.number() < OLDEST) {
            throw new StartFailure(
                    ExitCode.DATABASE_VERSION,
                    "the database at %s is PostgreSQL %s, and Orchestrion needs %d or newer"
                            .formatted(url.servers(), version.text(), OLDEST / 10_000));
        }
        String description = "PostgreSQL " + version.text() + " at " + url.servers();
        return new Outside(url.jdbcUrl(), user, password, description);
    }

    static StartFailure explained(SQLException e, DatabaseUrl url, @Nullable String user) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        // 28: user or password; 3D: no such database; 42: the user may not use it. 08004 is how the
        // driver says that the server asks for a way to log in that it has no password for.
        boolean refused =
                state.startsWith("28")
                        || state.startsWith("3D")
                        || state.startsWith("42")
                        || state.equals("08004");
        return refused
                ? new StartFailure(
                        ExitCode.DATABASE_REFUSED,
                        "the database at %s refuses %s: %s"
                                .formatted(
                                        url.servers(),
                                        user == null ? "the connection" : "the user " + user,
                                        reason(e)),
                        e)
                : new StartFailure(
                        ExitCode.DATABASE_UNREACHABLE,
                        "no connection to the database at %s: %s"
                                .formatted(url.servers(), reason(e)),
                        e);
    }

    /// The innermost cause: the driver's own words for a connection that failed are a paragraph
    /// long.
    private static String reason(SQLException e) {
        Throwable cause = e;
        for (Throwable next = e.getCause(); next != null; next = next.getCause()) {
            cause = next;
        }
        String message = cause.getMessage();
        return switch (cause) {
            case java.net.UnknownHostException _ -> "no such host";
            case java.net.ConnectException _ -> message == null ? "connection refused" : message;
            default -> message == null ? cause.getClass().getSimpleName() : message;
        };
    }

    private record Outside(
            String jdbcUrl, @Nullable String user, @Nullable String password, String description)
            implements OpenDatabase {
        @Override
        public void close() {
            // It is not ours to stop.
        }

        @Override
        public String toString() {
            return description;
        }
    }
}
