package io.orchestrion.server.statements;

import io.orchestrion.kernel.db.Schema;
import io.orchestrion.server.doors.Doors;

/// The schema with the parts of all modules.
final class EveryPart {
    static final Schema SCHEMA = Doors.SCHEMA;

    private EveryPart() {}
}
