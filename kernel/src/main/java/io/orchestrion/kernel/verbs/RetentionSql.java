package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `retention.sql`.
public final class RetentionSql {
    private static final NamedSql SQL = NamedSql.beside(RetentionSql.class, "retention.sql");

    private static final List<String> METERED =
            Profiles.ALL.stream()
                    .filter(profile -> profile.keeping().metered())
                    .map(Profile::name)
                    .toList();

    private RetentionSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    public static List<UUID> accountsToPurge(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_to_purge")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    /// Postpones the removal of items that a longer plan now keeps.
    static int keepLonger(Tx tx, UUID account, long keptMs, int most) throws SQLException {
        return run(tx, "keep_longer", account, keptMs, most);
    }

    static int purge(Tx tx, UUID account, long keptMs, int most) throws SQLException {
        List<UUID> ids =
                bound(tx, "purgeable", account, keptMs, most)
                        .list(row -> row.getObject("id", UUID.class));
        if (ids.isEmpty()) {
            return 0;
        }
        return remove(tx, account, ids);
    }

    /// Removes ended items, which the caller has locked; returns how many.
    static int remove(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        removing(tx);
        return SQL.on(tx, "purge").uuid("account", account).uuids("ids", List.copyOf(ids)).update();
    }

    /// Removes ended items of the profile, which the caller has locked; returns how many.
    static int remove(Tx tx, UUID account, Profile profile, List<UUID> ids) throws SQLException {
        removing(tx);
        return SQL.on(tx, "remove")
                .uuid("account", account)
                .text("profile", profile.name())
                .uuids("ids", List.copyOf(ids))
                .update();
    }

    /// The guard lets the rows that belong to items be removed only together with them.
    private static void removing(Tx tx) {
        SQL.on(tx, "items_go").later();
    }

    private static int run(Tx tx, String statement, UUID account, long keptMs, int most)
            throws SQLException {
        return bound(tx, statement, account, keptMs, most).update();
    }

    private static Bound bound(Tx tx, String statement, UUID account, long keptMs, int most) {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("metered", "text", METERED, name -> name)
                .bigint("kept_ms", keptMs)
                .integer("most", most);
    }
}
