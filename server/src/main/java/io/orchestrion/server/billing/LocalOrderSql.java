package io.orchestrion.server.billing;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.server.billing.LocalProvider.LocalOrder;
import io.orchestrion.server.billing.PaymentProvider.NewOrder;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.UUID;

/// Binds and reads the statements of `local_order.sql`.
public final class LocalOrderSql {
    private static final NamedSql SQL = NamedSql.beside(LocalOrderSql.class, "local_order.sql");

    private LocalOrderSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    static void insert(Tx tx, String orderId, NewOrder order) throws SQLException {
        SQL.on(tx, "insert")
                .uuid("account", order.accountId())
                .text("order", orderId)
                .uuid("purchase", order.purchaseId())
                .text("description", order.description())
                .bigint("cents", order.price().cents())
                .text("currency", order.price().currency())
                .bigint("now", tx.nowMillis())
                .update();
    }

    static @Nullable LocalOrder find(Tx tx, String orderId) throws SQLException {
        return SQL.on(tx, "find")
                .text("order", orderId)
                .one(
                        row ->
                                new LocalOrder(
                                        row.getObject("account_id", UUID.class),
                                        row.getString("order_id"),
                                        row.getObject("purchase_id", UUID.class),
                                        row.getString("description"),
                                        new Money(
                                                row.getLong("amount_cents"),
                                                row.getString("currency")),
                                        row.getString("state")));
    }

    static void approve(Tx tx, @Nullable LocalOrder order) throws SQLException {
        change(tx, "approve", order);
    }

    static void capture(Tx tx, @Nullable LocalOrder order) throws SQLException {
        change(tx, "capture", order);
    }

    private static void change(Tx tx, String statement, @Nullable LocalOrder order)
            throws SQLException {
        if (order != null) {
            SQL.on(tx, statement)
                    .uuid("account", order.accountId())
                    .text("order", order.id())
                    .bigint("now", tx.nowMillis())
                    .update();
        }
    }
}
