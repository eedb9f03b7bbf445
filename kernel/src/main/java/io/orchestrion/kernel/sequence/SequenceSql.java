package io.orchestrion.kernel.sequence;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `sequence.sql`.
public final class SequenceSql {
    private static final NamedSql SQL = NamedSql.beside(SequenceSql.class, "sequence.sql");

    private SequenceSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// @param last the last position that is given now
    record Placed(long last, int many) {}

    static long floor(Tx tx) throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "floor").bigint("lowest", 0L).one(row -> row.getLong("start")));
    }

    static void begin(Tx tx, UUID account, long floor) throws SQLException {
        SQL.on(tx, "begin_log").uuid("account", account).bigint("floor", floor).update();
    }

    /// @param last null where the log has not begun
    record Look(@Nullable Long last, boolean behind) {}

    static Look look(Tx tx, UUID account) throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "look")
                        .uuid("account", account)
                        .one(
                                row ->
                                        new Look(
                                                Bound.nullableLong(row, "last"),
                                                row.getBoolean("behind"))));
    }

    static List<UUID> behind(Tx tx, @Nullable UUID one, List<UUID> accounts) throws SQLException {
        return SQL.on(tx, "accounts_behind", one)
                .uuids("accounts", List.copyOf(accounts))
                .list(row -> row.getObject("account_id", UUID.class));
    }

    /// Locks the log; null where there is no row for it yet.
    static @Nullable Long lock(Tx tx, UUID account) throws SQLException {
        return position(tx, "lock_log", account);
    }

    /// The same, but null also where another has the lock.
    static @Nullable Long lockUnlessBusy(Tx tx, UUID account) throws SQLException {
        return position(tx, "lock_log_unless_busy", account);
    }

    private static @Nullable Long position(Tx tx, String statement, UUID account)
            throws SQLException {
        return SQL.on(tx, statement).uuid("account", account).one(row -> row.getLong("position"));
    }

    static Placed place(Tx tx, UUID account, long last, int most) throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "place")
                        .uuid("account", account)
                        .bigint("last", last)
                        .integer("most", most)
                        .one(row -> new Placed(row.getLong("last"), row.getInt("many"))));
    }

    static void move(Tx tx, UUID account, long position) throws SQLException {
        SQL.on(tx, "move_log").uuid("account", account).bigint("position", position).update();
    }
}
