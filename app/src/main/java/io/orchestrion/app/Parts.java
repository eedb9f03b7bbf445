package io.orchestrion.app;

import io.orchestrion.server.EmbeddedDatabase;
import io.orchestrion.server.RunningDatabase;
import io.orchestrion.server.ServerEngine;
import io.orchestrion.server.ops.DatabaseSource;
import io.orchestrion.server.ops.Engine;
import io.orchestrion.server.ops.OutsideDatabase;

/// The parts that the commands run on, chosen in this one place.
record Parts(DatabaseSource databases, Engine engine) {
    static Parts real() {
        return new Parts(
                DatabaseSource.choosing(new EmbeddedDatabase(), new OutsideDatabase()),
                new ServerEngine());
    }

    /// A runner has no database of its own.
    static DatabaseSource ofRunners() {
        return DatabaseSource.choosing(new RunningDatabase(), new OutsideDatabase());
    }
}
