package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `notification.sql`; decides nothing.
public final class NotificationSql {
    private static final NamedSql SQL = NamedSql.beside(NotificationSql.class, "notification.sql");

    private NotificationSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// @param attempts how often somebody began to send it, this time included
    /// @param result what came of sending it; null where it was not sent
    record Sent(int attempts, @Nullable String result) {}

    static Sent begin(Tx tx, UUID account, String key, String target) throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "begin")
                        .uuid("account", account)
                        .text("key", key)
                        .text("target", target)
                        .bigint("now", tx.nowMillis())
                        .one(row -> new Sent(row.getInt("attempts"), row.getString("result"))));
    }

    static int sent(Tx tx, UUID account, String key, String result) throws SQLException {
        return SQL.on(tx, "sent")
                .uuid("account", account)
                .text("key", key)
                .text("result", result)
                .bigint("now", tx.nowMillis())
                .update();
    }
}
