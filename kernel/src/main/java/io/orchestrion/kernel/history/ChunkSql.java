package io.orchestrion.kernel.history;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.totals.Tally;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

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
    public static void insert(Tx tx, UUID account, List<EventRow> events) {
        var byLog = new LinkedHashMap<String, List<EventRow>>();
        for (EventRow event : events) {
            byLog.computeIfAbsent(event.log(), _ -> new ArrayList<>()).add(event);
        }
        byLog.forEach((log, mine) -> insert(tx, account, log, mine));
    }

    private static void insert(Tx tx, UUID account, String log, List<EventRow> events) {
        var tally = new Tally();
        for (EventRow event : events) {
            tally.add(
                    event.countedAs(),
                    event.event().word(),
                    event.left().word(),
                    event.arrived(),
                    event.attempt() > 1,
                    event.atMs() - event.left().sinceMs());
        }
        insert(tx, account, log, events, EventRow::workId, EventRow::seq, tally);
    }

    /// One row of a log.
    ///
    /// @param id for each of the events, the item or subject that it is of
    /// @param seq for each of the events, its number there
    public static <T> void insert(
            Tx tx,
            UUID account,
            String log,
            List<T> events,
            Function<T, @Nullable Object> id,
            Function<T, @Nullable Object> seq,
            Tally tally) {
        SQL.on(tx, "insert_chunk")
                .uuid("account", account)
                .text("queue", log)
                .bigint("tx", tx.id())
                .integer("part", tx.nextPart())
                .column("work_ids", "uuid", events, id)
                .column("seqs", "int4", events, seq)
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
