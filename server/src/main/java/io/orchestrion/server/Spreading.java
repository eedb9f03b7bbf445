package io.orchestrion.server;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.Distribution;
import io.orchestrion.server.ops.DatabaseCommand;
import io.orchestrion.server.ops.ExitCode;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.Settings;
import io.orchestrion.server.ops.StartFailure;

import java.sql.SQLException;
import java.util.List;

/// What `database distribute` does, on a schema of this release.
public final class Spreading implements DatabaseCommand.Distributor {

    @Override
    public List<String> distribute(
            OpenDatabase database, Settings settings, int shards, boolean really)
            throws StartFailure {
        KernelOptions options = ServerEngine.options(database, settings);
        try (var kernel = new Kernel(options)) {
            var distribution = new Distribution(kernel.database(), kernel.schema(), shards);
            if (!really) {
                return distribution.plan();
            }
            ServerEngine.migrate(kernel);
            return distribution.run();
        } catch (Distribution.Refused e) {
            throw new StartFailure(ExitCode.DATABASE_NOT_SPREAD, String.valueOf(e.getMessage()), e);
        } catch (SQLException e) {
            throw new StartFailure(
                    ExitCode.DATABASE_FAILED,
                    "the tables could not be spread: " + e.getMessage(),
                    e);
        }
    }
}
