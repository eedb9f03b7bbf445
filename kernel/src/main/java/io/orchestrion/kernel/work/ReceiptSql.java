package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.Settled;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `receipt.sql`.
public final class ReceiptSql {
    private static final NamedSql SQL = NamedSql.beside(ReceiptSql.class, "receipt.sql");

    private ReceiptSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// What a holder said of one item.
    record Said(UUID id, Settled settled) {}

    /// An item as it was left at that time.
    record Left(WorkItem item, long atMs) {}

    static void keepFailures(Tx tx, UUID account, List<Said> failures) throws SQLException {
        SQL.on(tx, "keep_failures")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", failures, Said::id)
                .column("tokens", "uuid", failures, said -> said.settled().token())
                .column("digests", "uuid", failures, said -> said.settled().digest())
                .update();
    }

    /// Those that had been said before, each with what came of it then.
    static List<Left> failures(Tx tx, UUID account, List<Said> said) throws SQLException {
        return SQL.on(tx, "failures")
                .uuid("account", account)
                .column("ids", "uuid", said, Said::id)
                .column("tokens", "uuid", said, each -> each.settled().token())
                .column("digests", "uuid", said, each -> each.settled().digest())
                .list(row -> new Left(WorkSql.item(row), row.getLong("answered_ms")));
    }
}
