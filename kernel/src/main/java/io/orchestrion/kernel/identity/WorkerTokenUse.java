package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Notes when and from where worker tokens were last used.
public final class WorkerTokenUse extends UseNotes<WorkerTokenUse.Use> {

    /// @param atMs by the database's clock
    record Use(UUID account, UUID id, long atMs, String from) implements UseNotes.Use {}

    public WorkerTokenUse(Database database) {
        super(database);
    }

    void seen(WorkerToken token, long nowMs, String from) {
        if (due(token.lastUsedMs(), nowMs)) {
            note(new Use(token.account(), token.id(), nowMs, from));
        }
    }

    @Override
    public String name() {
        return "worker-token-use";
    }

    @Override
    int write(Tx tx, UUID account, List<Use> uses) throws SQLException {
        return WorkerTokenSql.noteUse(tx, account, uses);
    }
}
