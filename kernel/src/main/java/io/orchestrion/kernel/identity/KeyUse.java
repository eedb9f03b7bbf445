package io.orchestrion.kernel.identity;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Notes when keys were last used.
public final class KeyUse extends UseNotes<KeyUse.Use> {

    /// @param atMs by the database's clock
    record Use(UUID account, UUID keyId, long atMs) implements UseNotes.Use {
        @Override
        public UUID id() {
            return keyId;
        }
    }

    public KeyUse(Database database) {
        super(database);
    }

    void seen(IdentitySql.KeyRow key, long nowMs) {
        if (due(key.lastUsedMs(), nowMs)) {
            Principal principal = key.principal();
            note(new Use(principal.accountId(), principal.keyId(), nowMs));
        }
    }

    @Override
    public String name() {
        return "key-use";
    }

    @Override
    int write(Tx tx, UUID account, List<Use> uses) throws SQLException {
        return IdentitySql.noteUse(tx, account, uses);
    }
}
