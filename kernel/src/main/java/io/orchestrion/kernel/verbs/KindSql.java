package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// Binds and reads the statements of `kind.sql`; decides nothing.
public final class KindSql {
    private static final NamedSql SQL = NamedSql.beside(KindSql.class, "kind.sql");

    private KindSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A kind of work in its queue.
    record Kind(String queue, String kind) {}

    static Set<Kind> pausedAmong(Tx tx, UUID account, Collection<WorkItem> items)
            throws SQLException {
        List<WorkItem> asked = List.copyOf(items);
        return Set.copyOf(
                SQL.on(tx, "paused_among")
                        .uuid("account", account)
                        .column("queues", "text", asked, WorkItem::queue)
                        .column("kinds", "text", asked, WorkItem::kind)
                        .list(row -> new Kind(row.getString("queue"), row.getString("kind"))));
    }

    public static Map<UUID, String> kindsOfRunning(
            Tx tx, UUID account, String queue, List<UUID> ids) throws SQLException {
        return SQL
                .on(tx, "kinds_of_running")
                .uuid("account", account)
                .text("queue", queue)
                .column("ids", "uuid", ids, id -> id)
                .list(row -> Map.entry(row.getObject("id", UUID.class), row.getString("kind")))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
