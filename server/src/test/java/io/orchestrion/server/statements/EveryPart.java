package io.orchestrion.server.statements;

import io.orchestrion.kernel.db.Schema;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.server.doors.Doors;

import java.util.List;

/// The schema with the parts of all modules, also of an engine that no door opens yet.
final class EveryPart {
    static final Schema SCHEMA = Doors.SCHEMA.plus(List.of(Orchestrations.SCHEMA));

    private EveryPart() {}
}
