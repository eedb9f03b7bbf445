package io.orchestrion.kernel.type;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.type.TypeSql.Name;
import io.orchestrion.kernel.type.TypeSql.Row;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Moves items to the places that a changed aging interval gives them, window by window over the
/// items of the account. Drops types that were removed, once no item stands where they put it. How
/// far it came is stored with the type, so any node can go on from there.
public final class TypeSettler implements Sweeper {
    private static final int TYPES = 100;
    private static final int WINDOW = 1000;

    /// After so many windows of one type, the others have their turn.
    private static final int ROUNDS = 20;

    private final Database database;

    public TypeSettler(Database database) {
        this.database = database;
    }

    @Override
    public String name() {
        return "type-settler";
    }

    @Override
    public int fullPass() {
        return ROUNDS;
    }

    /// How many windows were looked at.
    @Override
    public int runOnce() {
        List<Name> unsettled = database.transaction(tx -> TypeSql.unsettled(tx, TYPES));
        return Sweeps.each(name(), unsettled, this::settle);
    }

    private int settle(Name name) {
        int windows = 0;
        while (windows < ROUNDS && database.transaction(tx -> step(tx, name))) {
            windows++;
        }
        return windows;
    }

    /// One window; false when there is nothing more to do for now.
    private static boolean step(Tx tx, Name name) throws SQLException {
        Row row = TypeSql.lock(tx, name, false);
        if (row == null) {
            return false;
        }
        boolean shown = row.type().state().reranking();
        UUID after = row.rerankAfter();
        Long checkMs = row.rerankCheckMs();
        if (after != null) {
            return window(tx, name, row, after);
        }
        if (checkMs != null && checkMs <= tx.nowMillis()) {
            // Ids begin with the time: what was being inserted at the change lies behind this one.
            long fromMs = checkMs - 2 * Types.INSERTS_END_WITHIN.toMillis();
            TypeSql.setRerank(tx, name, shown, new UUID(fromMs << 16, 0), null);
            return true;
        }
        if (row.removed() && row.settled()) {
            TypeSql.delete(tx, name);
        }
        return false;
    }

    private static boolean window(Tx tx, Name name, Row row, UUID after) throws SQLException {
        Long agingMs = row.type().spec().agingMs();
        boolean shown = row.type().state().reranking();
        UUID until = TypeSql.windowEnd(tx, name.account(), after, WINDOW);
        if (until == null) {
            TypeSql.setRerank(tx, name, false, null, row.rerankCheckMs());
            return true;
        }
        TypeSql.rerankWindow(tx, name, agingMs, after, until);
        if (TypeSql.windowIsStale(tx, name, agingMs, after, until)) {
            return false;
        }
        TypeSql.setRerank(tx, name, shown, until, row.rerankCheckMs());
        return true;
    }
}
