package io.orchestrion.kernel.audit;

import io.orchestrion.kernel.audit.TrailSql.Looked;
import io.orchestrion.kernel.db.Database;

import java.util.List;

/// The audit of an account by time: the entries of [Audit], and beside them what engines began and
/// ended by themselves, which stands in the log of their subjects.
public final class AuditTrail {
    /// How many entries one call looks through for those that are asked for.
    private static final int LOOK = 2_000;

    private final Database database;

    public AuditTrail(Database database) {
        this.database = database;
    }

    public TrailPage read(TrailQuery query) {
        int look = query.event() == null ? query.limit() + 1 : Math.max(LOOK, query.limit() + 1);
        List<Looked> found = database.transaction(tx -> TrailSql.read(tx, query, look));
        List<Looked> asked = found.stream().filter(Looked::asked).toList();
        if (asked.size() > query.limit()) {
            List<Looked> page = asked.subList(0, query.limit());
            return new TrailPage(entries(page), page.getLast().entry().place());
        }
        boolean more = !found.isEmpty() && found.getLast().nth() == look;
        return new TrailPage(entries(asked), more ? found.getLast().entry().place() : null);
    }

    private static List<TrailEntry> entries(List<Looked> looked) {
        return looked.stream().map(Looked::entry).toList();
    }
}
