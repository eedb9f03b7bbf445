package io.orchestrion.server;

import io.orchestrion.postgres.EmbeddedPostgres;
import io.orchestrion.postgres.PostgresHost;
import io.orchestrion.postgres.PostgresOptions;
import io.orchestrion.postgres.PostgresStartException;
import io.orchestrion.server.exit.ExitCode;
import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.ops.DatabaseSource;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.Progress;
import io.orchestrion.server.settings.Settings;

/// The database that comes with the program, in the data folder.
public final class EmbeddedDatabase implements DatabaseSource {
    @Override
    public OpenDatabase open(Settings settings, Progress progress) throws StartFailure {
        try {
            EmbeddedPostgres postgres =
                    EmbeddedPostgres.start(
                            PostgresOptions.in(settings.data()).withProgress(progress::step));
            return new Open(postgres);
        } catch (PostgresStartException e) {
            throw new StartFailure(code(e.reason()), String.valueOf(e.getMessage()), e);
        }
    }

    private static ExitCode code(PostgresStartException.Reason reason) {
        return switch (reason) {
            case LOCKED -> ExitCode.DATA_LOCKED;
            case NO_DISK -> ExitCode.NO_DISK;
            case NOT_WRITABLE -> ExitCode.DATA_NOT_WRITABLE;
            case UNSUPPORTED_PLATFORM -> ExitCode.UNSUPPORTED_PLATFORM;
            case WRONG_VERSION -> ExitCode.DATABASE_VERSION;
            case FAILED -> ExitCode.DATABASE_FAILED;
        };
    }

    private record Open(EmbeddedPostgres postgres) implements OpenDatabase {
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
            return "PostgreSQL "
                    + postgres.version()
                    + ", embedded, on 127.0.0.1:"
                    + postgres.port()
                    + (postgres.adopted() ? " (found running)" : "");
        }

        @Override
        public PostgresHost host() {
            return postgres;
        }

        @Override
        public void close() {
            postgres.close();
        }
    }
}
