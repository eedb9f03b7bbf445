package io.orchestrion.kernel.audit;

import io.orchestrion.kernel.audit.AuditSql.Place;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// The log of who did what. An entry is written in the transaction of the change, so that there are
/// both or neither. It is the last step there: from then on the account's place in the log is
/// locked, and a transaction that holds it waits for nothing else.
public final class Audit {
    /// Below and above every entry there is.
    public static final long FIRST = 0;

    public static final long LAST = Long.MAX_VALUE;

    private final Database database;

    public Audit(Database database) {
        this.database = database;
    }

    public static void write(
            Tx tx, UUID account, Actor actor, String action, Subject subject, Detail detail)
            throws SQLException {
        Place place = AuditSql.next(tx, account);
        if (place == null) {
            throw new IllegalStateException("account " + account + " does not exist");
        }
        AuditSql.write(tx, account, place, actor, action, subject, detail);
    }

    /// Entries of the account after the given one, oldest first. A reader that asks again with the
    /// last number it has seen misses none.
    public List<AuditEntry> oldestFirst(UUID account, long after, int most) {
        return database.transaction(tx -> AuditSql.oldestFirst(tx, account, after, most));
    }

    public List<AuditEntry> newestFirst(UUID account, long after, int most) {
        return database.transaction(tx -> AuditSql.newestFirst(tx, account, after, most));
    }
}
