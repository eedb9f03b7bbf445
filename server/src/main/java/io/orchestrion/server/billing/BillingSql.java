package io.orchestrion.server.billing;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `billing.sql`.
public final class BillingSql {
    private static final NamedSql SQL = NamedSql.beside(BillingSql.class, "billing.sql");

    /// Open purchases have a time of their next look; of those given up it is this.
    private static final long NEVER_MS = Long.MAX_VALUE;

    private BillingSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    static void insert(Tx tx, Purchase purchase) throws SQLException {
        SQL.on(tx, "insert")
                .uuid("account", purchase.accountId())
                .uuid("id", purchase.id())
                .text("plan", purchase.planId())
                .bigint("cents", purchase.price().cents())
                .text("currency", purchase.price().currency())
                .text("provider", purchase.provider())
                .text("order", purchase.orderId())
                .text("approval_url", purchase.approvalUrl())
                .bigint("now", tx.nowMillis())
                .update();
    }

    static @Nullable Purchase find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(BillingSql::purchase);
    }

    static @Nullable Purchase lock(Tx tx, Purchase purchase) throws SQLException {
        return SQL.on(tx, "lock")
                .uuid("account", purchase.accountId())
                .uuid("id", purchase.id())
                .one(BillingSql::purchase);
    }

    static List<Purchase> newest(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "newest")
                .uuid("account", account)
                .integer("most", most)
                .list(BillingSql::purchase);
    }

    static void claim(Tx tx, Purchase purchase, long untilMs) throws SQLException {
        SQL.on(tx, "claim")
                .uuid("account", purchase.accountId())
                .uuid("id", purchase.id())
                .bigint("until", untilMs)
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// @param lookMs when somebody must look at it, at the earliest; says nothing once it is over
    static void change(
            Tx tx,
            Purchase purchase,
            PurchaseState state,
            @Nullable Long lookMs,
            @Nullable String failure)
            throws SQLException {
        SQL.on(tx, "change")
                .uuid("account", purchase.accountId())
                .uuid("id", purchase.id())
                .text("state", state.word())
                .bigint("look", lookMs)
                .text("failure", failure)
                .bigint("activated", state == PurchaseState.ACTIVATED ? tx.nowMillis() : null)
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// The purchase's row is locked or was made in this transaction, so no two entries get the same
    /// number.
    static void append(
            Tx tx,
            Purchase purchase,
            PurchaseEvent event,
            @Nullable Money money,
            @Nullable String reference,
            @Nullable String detail)
            throws SQLException {
        SQL.on(tx, "append")
                .uuid("account", purchase.accountId())
                .uuid("id", purchase.id())
                .text("event", event.word())
                .bigint("cents", money == null ? null : money.cents())
                .text("currency", money == null ? null : money.currency())
                .text("reference", reference)
                .text("detail", detail)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static long count(Tx tx, Purchase purchase, PurchaseEvent event) throws SQLException {
        Long count =
                SQL.on(tx, "count_events")
                        .uuid("account", purchase.accountId())
                        .uuid("id", purchase.id())
                        .text("event", event.word())
                        .one(row -> row.getLong("events"));
        return count == null ? 0 : count;
    }

    /// Purchases that are not over and that another provider was asked to take the money for.
    static long openElsewhere(Tx tx, String provider) throws SQLException {
        Long count =
                SQL.on(tx, "open_elsewhere")
                        .text("provider", provider)
                        .one(row -> row.getLong("purchases"));
        return count == null ? 0 : count;
    }

    /// @param most of each purchase, the newest
    static List<PaymentEntry> entries(Tx tx, UUID account, List<UUID> purchases, int most)
            throws SQLException {
        return SQL.on(tx, "entries")
                .uuid("account", account)
                .column("ids", "uuid", purchases, id -> id)
                .integer("most", most)
                .list(
                        row ->
                                new PaymentEntry(
                                        row.getObject("purchase_id", UUID.class),
                                        row.getLong("at_ms"),
                                        PurchaseEvent.of(row.getString("event")),
                                        money(row),
                                        row.getString("reference"),
                                        row.getString("detail")));
    }

    /// A purchase by its key alone.
    record Key(UUID account, UUID purchase) {}

    static List<Key> dueForALook(Tx tx, String provider, int most) throws SQLException {
        return SQL.on(tx, "due_for_a_look")
                .bigint("now", tx.nowMillis())
                .text("provider", provider)
                .integer("most", most)
                .list(
                        row ->
                                new Key(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("purchase_id", UUID.class)));
    }

    /// @param last whether no other is to follow by itself
    record Look(Purchase purchase, boolean last) {}

    /// Null when another node has taken it.
    static @Nullable Look takeLook(Tx tx, Key key, Duration looksFor) throws SQLException {
        return SQL.on(tx, "take_look")
                .uuid("account", key.account())
                .uuid("id", key.purchase())
                .bigint("now", tx.nowMillis())
                .bigint("begun_by", tx.nowMillis() - looksFor.toMillis())
                .bigint("never", NEVER_MS)
                .one(row -> new Look(purchase(row), row.getLong("look_ms") == NEVER_MS));
    }

    private static Purchase purchase(ResultSet row) throws SQLException {
        return new Purchase(
                row.getObject("account_id", UUID.class),
                row.getObject("purchase_id", UUID.class),
                row.getString("plan"),
                new Money(row.getLong("amount_cents"), row.getString("currency")),
                row.getString("provider"),
                row.getString("order_id"),
                row.getString("approval_url"),
                PurchaseState.of(row.getString("state")),
                row.getInt("claims"),
                Bound.nullableLong(row, "claimed_until_ms"),
                row.getString("failure"),
                row.getLong("created_ms"),
                Bound.nullableLong(row, "activated_ms"));
    }

    private static @Nullable Money money(ResultSet row) throws SQLException {
        Long cents = Bound.nullableLong(row, "amount_cents");
        return cents == null ? null : new Money(cents, row.getString("currency"));
    }
}
