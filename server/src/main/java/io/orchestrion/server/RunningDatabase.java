package io.orchestrion.server;

import io.orchestrion.postgres.PostgresStartException;
import io.orchestrion.postgres.RunningPostgres;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.ops.DatabaseSource;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.Progress;
import io.orchestrion.server.settings.Settings;

/// The embedded database of a server that runs on the same data folder. It belongs to that server.
public final class RunningDatabase implements DatabaseSource {

    @Override
    public OpenDatabase open(Settings settings, Progress progress) throws StartFailure {
        try {
            return new Found(
                    RunningPostgres.in(settings.data())
                            .orElseThrow(
                                    () ->
                                            new StartFailure(
                                                    ExitCode.DATABASE_UNREACHABLE,
                                                    "no server runs on the data folder "
                                                            + settings.data()
                                                            + "; start one with orchestrion serve,"
                                                            + " name its folder with --data, or"
                                                            + " its database with"
                                                            + " --database-url")));
        } catch (PostgresStartException e) {
            throw new StartFailure(
                    ExitCode.DATABASE_UNREACHABLE, String.valueOf(e.getMessage()), e);
        }
    }

    private record Found(RunningPostgres postgres) implements OpenDatabase {
        @Override
        public String jdbcUrl() {
            return postgres.jdbcUrl("postgres");
        }

        @Override
        public String user() {
            return postgres.user();
        }

        @Override
        public String password() {
            return postgres.password();
        }

        @Override
        public String description() {
            return "the server's own PostgreSQL on " + postgres;
        }

        @Override
        public void close() {
            // Its server stops it.
        }
    }
}
