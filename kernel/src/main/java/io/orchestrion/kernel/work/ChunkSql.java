package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.totals.Tally;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `chunk.sql`.
public final class ChunkSql {
    private static final NamedSql SQL = NamedSql.beside(ChunkSql.class, "chunk.sql");

    /// Few items are gone before.
    private static final Duration FIRST_LOOK = Duration.ofDays(1);

    private ChunkSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// @param events of one account
    static void insert(Tx tx, UUID account, List<EventRow> events) {
        var byQueue = new LinkedHashMap<String, List<EventRow>>();
        for (EventRow event : events) {
            byQueue.computeIfAbsent(event.queue(), _ -> new ArrayList<>()).add(event);
        }
        byQueue.forEach((queue, mine) -> insert(tx, account, queue, mine));
    }

    private static void insert(Tx tx, UUID account, String queue, List<EventRow> events) {
        var tally = new Tally();
        boolean byKind = Profiles.QUEUES_BY_KIND.contains(queue);
        for (EventRow event : events) {
            tally.add(
                    byKind ? event.kind() : "",
                    event.event().word(),
                    event.left().word(),
                    event.arrived(),
                    event.attempt() > 1,
                    event.atMs() - event.left().sinceMs());
        }
        SQL.on(tx, "insert_chunk")
                .uuid("account", account)
                .text("queue", queue)
                .bigint("tx", tx.id())
                .integer("part", tx.nextPart())
                .column("work_ids", "uuid", events, EventRow::workId)
                .column("seqs", "int4", events, EventRow::seq)
                .text("sums", tally.json())
                .bigint("look_at", tx.nowMillis() + FIRST_LOOK.toMillis())
                .later();
    }

    static List<UUID> accountsWithOldChunks(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_chunks")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purge(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "purge_chunks")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .bigint("later", tx.nowMillis() + FIRST_LOOK.toMillis())
                .integer("most", most)
                .update();
    }
}
