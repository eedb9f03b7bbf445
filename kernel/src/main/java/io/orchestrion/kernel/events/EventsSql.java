package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `events.sql`.
public final class EventsSql {
    private static final NamedSql SQL = NamedSql.beside(EventsSql.class, "events.sql");

    private EventsSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A log that is followed and how far it has been seen.
    record Seen(UUID accountId, String queue, long position) {}

    /// @param item null for all
    static List<FeedEvent> scan(
            Tx tx, UUID account, String log, @Nullable UUID item, EventCursor after, int most)
            throws SQLException {
        var bound =
                SQL.on(tx, item == null ? "scan" : "scan_item")
                        .uuid("account", account)
                        .text("queue", log)
                        .bigint("position", after.position())
                        .uuid("work_id", after.workId())
                        .integer("seq", after.seq())
                        .integer("most", most);
        return (item == null ? bound : bound.uuid("item", item)).list(EventsSql::event);
    }

    static List<Seen> moved(Tx tx, @Nullable UUID one, List<Seen> followed) throws SQLException {
        return SQL.on(tx, "moved", one)
                .column("accounts", "uuid", followed, Seen::accountId)
                .column("queues", "text", followed, Seen::queue)
                .column("seen", "int8", followed, Seen::position)
                .list(
                        row ->
                                new Seen(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("queue"),
                                        row.getLong("position")));
    }

    private static FeedEvent event(ResultSet row) throws SQLException {
        return new FeedEvent(
                row.getLong("position"),
                row.getObject("work_id", UUID.class),
                row.getString("kind"),
                row.getString("correlation_id"),
                new HistoryEntry(
                        row.getInt("seq"),
                        row.getLong("at_ms"),
                        WorkEvent.of(row.getString("event")),
                        state(row.getString("from_state")),
                        WorkState.of(row.getString("to_state")),
                        row.getInt("attempt"),
                        row.getLong("lease_number"),
                        row.getString("holder"),
                        row.getString("detail"),
                        row.getString("error")));
    }

    private static @Nullable WorkState state(@Nullable String word) {
        return word == null ? null : WorkState.of(word);
    }
}
