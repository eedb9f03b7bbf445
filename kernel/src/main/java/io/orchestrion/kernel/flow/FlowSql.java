package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.flow.FlowPicker.Head;
import io.orchestrion.kernel.flow.FlowView.KeyLine;
import io.orchestrion.kernel.flow.FlowView.Settings;
import io.orchestrion.kernel.flow.KeyLimits.Named;
import io.orchestrion.kernel.flow.KeyLimits.Room;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// Binds and reads the statements of `flow.sql`; decides nothing.
public final class FlowSql {
    private static final NamedSql SQL = NamedSql.beside(FlowSql.class, "flow.sql");

    private FlowSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// One type of one account.
    ///
    /// @param flow whether it has a limit now
    record Type(UUID accountId, String queue, String kind, boolean flow) {}

    static Map<String, String> lockRings(
            Tx tx, UUID account, String queue, Collection<String> kinds) throws SQLException {
        var rings = new HashMap<String, String>();
        SQL.on(tx, "lock_rings")
                .uuid("account", account)
                .text("queue", queue)
                .texts("kinds", List.copyOf(kinds))
                .list(row -> rings.put(row.getString("kind"), row.getString("last_key")));
        return rings;
    }

    static void makeRings(Tx tx, UUID account, String queue, Collection<String> kinds)
            throws SQLException {
        SQL.on(tx, "make_rings")
                .uuid("account", account)
                .text("queue", queue)
                .texts("kinds", List.copyOf(kinds))
                .update();
    }

    static void moveRing(Tx tx, UUID account, String queue, String kind, String lastKey)
            throws SQLException {
        SQL.on(tx, "move_ring")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", kind)
                .text("last_key", lastKey)
                .update();
    }

    static List<Head> page(
            Tx tx,
            UUID account,
            String queue,
            String kind,
            String after,
            boolean lap,
            String until,
            int keys,
            int wanted)
            throws SQLException {
        return SQL.on(tx, "page")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", kind)
                .bigint("now", tx.nowMillis())
                .text("after", after)
                .bool("lap", lap)
                .text("until", until)
                .integer("keys", keys)
                .integer("wanted", wanted)
                .list(
                        row ->
                                new Head(
                                        row.getInt("n"),
                                        row.getString("flow_key"),
                                        row.getBoolean("lap"),
                                        nullableInt(row, "concurrency"),
                                        nullableInt(row, "rate"),
                                        Bound.nullableLong(row, "rate_period_ms"),
                                        row.getObject("id", UUID.class)));
    }

    /// Which of the items' kinds have a limit, by queue.
    static TreeMap<String, TreeSet<String>> limitedKinds(Tx tx, UUID account, List<Named> items)
            throws SQLException {
        var kinds = new TreeMap<String, TreeSet<String>>();
        SQL.on(tx, "limited_kinds")
                .uuid("account", account)
                .texts("queues", List.copyOf(items.stream().map(Named::queue).distinct().toList()))
                .texts("kinds", List.copyOf(items.stream().map(Named::kind).distinct().toList()))
                .list(
                        row ->
                                kinds.computeIfAbsent(row.getString("queue"), _ -> new TreeSet<>())
                                        .add(row.getString("kind")));
        return kinds;
    }

    static List<Room> rooms(Tx tx, UUID account, List<Named> items) throws SQLException {
        return SQL.on(tx, "rooms")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", items, Named::id)
                .column("queues", "text", items, Named::queue)
                .column("kinds", "text", items, Named::kind)
                .column("concurrency_keys", "text", items, item -> item.key().concurrency())
                .column("rate_keys", "text", items, item -> item.key().rate())
                .list(
                        row ->
                                new Room(
                                        row.getObject("id", UUID.class),
                                        nullableInt(row, "concurrency_max"),
                                        nullableInt(row, "held"),
                                        Bound.nullableLong(row, "first_end"),
                                        nullableInt(row, "rate_max"),
                                        Bound.nullableLong(row, "rate_period_ms"),
                                        nullableInt(row, "starts"),
                                        Bound.nullableLong(row, "next_ms")));
    }

    static void addStarts(Tx tx, UUID account, List<Starts.Row> rows) throws SQLException {
        SQL.on(tx, "add_starts")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("queues", "text", rows, Starts.Row::queue)
                .column("kinds", "text", rows, Starts.Row::kind)
                .column("rate_keys", "text", rows, Starts.Row::rateKey)
                .column("slices", "int8", rows, Starts.Row::sliceMs)
                .column("starts", "int4", rows, Starts.Row::starts)
                .column("purges", "int8", rows, Starts.Row::purgeMs)
                .update();
    }

    static @Nullable Settings settings(Tx tx, UUID account, String queue, String kind)
            throws SQLException {
        return SQL.on(tx, "settings")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", kind)
                .one(
                        row ->
                                new Settings(
                                        nullableInt(row, "concurrency_max"),
                                        nullableInt(row, "rate_max"),
                                        Bound.nullableLong(row, "rate_period_ms"),
                                        row.getBoolean("flow"),
                                        row.getBoolean("reflow"),
                                        row.getBoolean("paused")));
    }

    static List<KeyLine> waitingKeys(
            Tx tx, UUID account, String queue, String kind, String after, int keys, int mostWaiting)
            throws SQLException {
        return SQL.on(tx, "waiting_keys")
                .uuid("account", account)
                .text("queue", queue)
                .text("kind", kind)
                .bigint("now", tx.nowMillis())
                .text("after", after)
                .integer("keys", keys)
                .integer("most_waiting", mostWaiting)
                .list(
                        row ->
                                new KeyLine(
                                        FlowKey.read(row.getString("flow_key")),
                                        row.getInt("waiting"),
                                        row.getLong("since"),
                                        nullableInt(row, "held"),
                                        Bound.nullableLong(row, "first_end"),
                                        nullableInt(row, "starts"),
                                        Bound.nullableLong(row, "next_ms")));
    }

    static List<Type> typesToReflow(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "types_to_reflow").integer("most", most).list(FlowSql::type);
    }

    static List<Type> ringsAfter(Tx tx, @Nullable Type last, int most) throws SQLException {
        return SQL.on(tx, "rings_after")
                .uuid("after", last == null ? new UUID(0, 0) : last.accountId())
                .text("queue", last == null ? "" : last.queue())
                .text("kind", last == null ? "" : last.kind())
                .integer("most", most)
                .list(FlowSql::type);
    }

    static List<Type> strays(Tx tx, @Nullable UUID one, List<Type> types) throws SQLException {
        return SQL.on(tx, "strays", one)
                .column("accounts", "uuid", types, Type::accountId)
                .column("queues", "text", types, Type::queue)
                .column("kinds", "text", types, Type::kind)
                .column("flows", "bool", types, Type::flow)
                .list(FlowSql::type);
    }

    private static Type type(ResultSet row) throws SQLException {
        return new Type(
                row.getObject("account_id", UUID.class),
                row.getString("queue"),
                row.getString("kind"),
                row.getBoolean("flow"));
    }

    /// Puts ready rows of the type where its claims look; returns how many.
    static int settle(Tx tx, Type type, int most) throws SQLException {
        return SQL.on(tx, type.flow() ? "give_keys" : "take_keys")
                .uuid("account", type.accountId())
                .text("queue", type.queue())
                .text("kind", type.kind())
                .integer("most", most)
                .update();
    }

    static int endReflow(Tx tx, Type type) throws SQLException {
        return SQL.on(tx, "end_reflow")
                .uuid("account", type.accountId())
                .text("queue", type.queue())
                .text("kind", type.kind())
                .bool("flow", type.flow())
                .update();
    }

    static List<UUID> accountsWithOldStarts(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_starts")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purgeStarts(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "purge_starts")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .update();
    }

    private static @Nullable Integer nullableInt(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
