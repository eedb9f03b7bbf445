package io.orchestrion.app;

import io.orchestrion.server.ops.DatabaseSource;
import io.orchestrion.server.ops.Engine;
import io.orchestrion.server.ops.ExitCode;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.OutsideDatabase;
import io.orchestrion.server.ops.Progress;
import io.orchestrion.server.ops.Settings;
import io.orchestrion.server.ops.StartFailure;

/// The parts that the commands run on, chosen in this one place.
record Parts(DatabaseSource databases, Engine engine) {
    static Parts real() {
        return new Parts(
                DatabaseSource.choosing(Parts::noEmbeddedDatabase, new OutsideDatabase()),
                new HealthOnlyEngine());
    }

    // Stands here until the embedded database is joined to DatabaseSource.
    private static OpenDatabase noEmbeddedDatabase(Settings settings, Progress progress)
            throws StartFailure {
        throw new StartFailure(
                ExitCode.UNSUPPORTED_PLATFORM, "this build has no embedded database yet");
    }
}
