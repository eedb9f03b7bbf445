package io.orchestrion.kernel.itemlog;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.itemlog.LogEntry.Happened;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `itemlog.sql`; decides nothing.
public final class ItemLogSql {
    private static final NamedSql SQL = NamedSql.beside(ItemLogSql.class, "itemlog.sql");

    private ItemLogSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A log that is followed and how far it has been seen.
    public record Seen(UUID accountId, UUID itemId, long atMs) {}

    public static void insert(Tx tx, UUID account, List<LogEntry> events) {
        if (events.isEmpty()) {
            return;
        }
        SQL.on(tx, "insert_events")
                .uuid("account", account)
                .column("work_ids", "uuid", events, LogEntry::itemId)
                .column("ats", "int8", events, LogEntry::createdMs)
                .column("ids", "uuid", events, LogEntry::id)
                .column("levels", "text", events, event -> event.level().word())
                .column("messages", "text", events, LogEntry::message)
                .column("payloads", "text", events, LogEntry::payload)
                .column("holders", "text", events, LogEntry::holder)
                .column("events", "text", events, event -> word(event.happened()))
                .column("states", "text", events, event -> state(event.happened()))
                .column("attempts", "int4", events, event -> attempt(event.happened()))
                .later();
    }

    private static @Nullable String word(@Nullable Happened happened) {
        return happened == null ? null : happened.event();
    }

    private static @Nullable String state(@Nullable Happened happened) {
        return happened == null ? null : happened.state();
    }

    private static @Nullable Integer attempt(@Nullable Happened happened) {
        return happened == null ? null : Integer.valueOf(happened.attempt());
    }

    /// The newest line of each item was written then.
    public static void stamp(Tx tx, UUID account, Map<UUID, Long> times) {
        List<Map.Entry<UUID, Long>> all = List.copyOf(times.entrySet());
        SQL.on(tx, "stamp")
                .uuid("account", account)
                .column("ids", "uuid", all, Map.Entry::getKey)
                .column("ats", "int8", all, Map.Entry::getValue)
                .later();
    }

    /// How much was written of each of the items; none for those of which nothing was.
    public static Map<UUID, LogCounter> counters(Tx tx, UUID account, List<UUID> ids)
            throws SQLException {
        var counters = new HashMap<UUID, LogCounter>();
        SQL.on(tx, "counters")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(
                        row ->
                                counters.put(
                                        row.getObject("work_id", UUID.class),
                                        new LogCounter(
                                                row.getInt("events"),
                                                row.getLong("bytes"),
                                                row.getLong("window_ms"),
                                                row.getInt("in_window"))));
        return counters;
    }

    public static void keep(Tx tx, UUID account, Map<UUID, LogCounter> counters) {
        if (counters.isEmpty()) {
            return;
        }
        List<Map.Entry<UUID, LogCounter>> all =
                counters.entrySet().stream().sorted(Map.Entry.comparingByKey()).toList();
        SQL.on(tx, "keep_counters")
                .uuid("account", account)
                .column("ids", "uuid", all, Map.Entry::getKey)
                .column("events", "int4", all, each -> each.getValue().events())
                .column("bytes", "int8", all, each -> each.getValue().bytes())
                .column("windows", "int8", all, each -> each.getValue().windowMs())
                .column("in_windows", "int4", all, each -> each.getValue().inWindow())
                .later();
    }

    /// Whether the account has such an item in the queue.
    public static boolean known(Tx tx, UUID account, String queue, UUID id) throws SQLException {
        return SQL.on(tx, "known")
                        .uuid("account", account)
                        .text("queue", queue)
                        .uuid("id", id)
                        .one(row -> row.getObject(1, UUID.class))
                != null;
    }

    public static List<LogEntry> after(Tx tx, UUID account, UUID id, long afterMs, int most)
            throws SQLException {
        return SQL.on(tx, "after")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("after", afterMs)
                .integer("most", most)
                .list(ItemLogSql::event);
    }

    public static List<Seen> moved(Tx tx, @Nullable UUID one, List<Seen> followed)
            throws SQLException {
        return SQL.on(tx, "moved", one)
                .column("accounts", "uuid", followed, Seen::accountId)
                .column("ids", "uuid", followed, Seen::itemId)
                .column("seen", "int8", followed, Seen::atMs)
                .list(
                        row ->
                                new Seen(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("work_id", UUID.class),
                                        row.getLong("at_ms")));
    }

    private static LogEntry event(ResultSet row) throws SQLException {
        String word = row.getString("event");
        return new LogEntry(
                row.getObject("id", UUID.class),
                row.getObject("work_id", UUID.class),
                row.getLong("at_ms"),
                Objects.requireNonNull(LogLevel.of(row.getString("level"))),
                row.getString("message"),
                row.getString("payload"),
                row.getString("holder"),
                word == null
                        ? null
                        : new Happened(word, row.getString("state"), row.getInt("attempt")));
    }
}
