package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `owned.sql`; decides nothing.
public final class OwnedSql {
    private static final NamedSql SQL = NamedSql.beside(OwnedSql.class, "owned.sql", "item.sql");

    private OwnedSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// One item that was changed, and the state in which it was.
    record Changed(WorkItem item, WorkState from) {}

    /// The outcome of one statement.
    ///
    /// @param seen how many items it looked at
    record Batch(List<Changed> changed, int seen) {}

    /// @param profiles whose items may be held
    static Batch hold(Tx tx, UUID account, OwnerRef owner, List<String> profiles, int most)
            throws SQLException {
        return batch(
                bound(tx, "hold", account, owner, most).texts("profiles", List.copyOf(profiles)));
    }

    /// @param profiles whose items may be held
    static Batch release(Tx tx, UUID account, OwnerRef owner, List<String> profiles, int most)
            throws SQLException {
        return batch(
                bound(tx, "release", account, owner, most)
                        .texts("profiles", List.copyOf(profiles)));
    }

    /// @param ids which of them; null for all
    /// @param purgeAfters by profile, when an item that ends now may be purged; none for never
    static Batch revoke(
            Tx tx,
            UUID account,
            OwnerRef owner,
            @Nullable List<UUID> ids,
            Map<String, Long> purgeAfters,
            int most)
            throws SQLException {
        List<Map.Entry<String, Long>> entries = List.copyOf(purgeAfters.entrySet());
        return batch(
                bound(tx, "revoke", account, owner, most)
                        .uuidsOrNull("ids", ids)
                        .column("profiles", "text", entries, Map.Entry::getKey)
                        .column("purge_afters", "int8", entries, Map.Entry::getValue));
    }

    /// How many holders were asked, and how many items were looked at.
    record Asked(int changed, int seen) {}

    /// @param pause whether they are to pause, else to go on
    static Asked askToPause(Tx tx, UUID account, OwnerRef owner, boolean pause, int most)
            throws SQLException {
        return Objects.requireNonNull(
                owned(tx, "ask_to_pause", account, owner, most)
                        .bigint("now", tx.nowMillis())
                        .bool("pause", pause)
                        .one(row -> new Asked(row.getInt("changed"), row.getInt("seen"))));
    }

    /// The ended items that no other session has locked.
    static List<UUID> lockEnded(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        return owned(tx, "lock_ended", account, owner, most)
                .list(row -> row.getObject("id", UUID.class));
    }

    private static Bound owned(Tx tx, String statement, UUID account, OwnerRef owner, int most) {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .text("owner_kind", owner.kind())
                .uuid("owner_id", owner.id())
                .integer("most", most);
    }

    private static Bound bound(Tx tx, String statement, UUID account, OwnerRef owner, int most) {
        return owned(tx, statement, account, owner, most)
                .bigint("now", tx.nowMillis())
                .bigint("tx", tx.id());
    }

    private static Batch batch(Bound statement) throws SQLException {
        var changed = new ArrayList<Changed>();
        List<Integer> seen =
                statement.list(
                        row -> {
                            if (row.getObject("id") != null) {
                                changed.add(
                                        new Changed(
                                                WorkRowSql.item(row),
                                                WorkState.of(row.getString("from_state"))));
                            }
                            return row.getInt("seen");
                        });
        return new Batch(changed, seen.isEmpty() ? 0 : seen.getFirst());
    }
}
