package io.orchestrion.runs.credit;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `credit.sql`; decides nothing.
public final class CreditSql {
    private static final NamedSql SQL = NamedSql.beside(CreditSql.class, "credit.sql");

    private CreditSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// An account and how far its ledger is.
    record Standing(Balance balance, long seq, long entryMs) {}

    /// @param heldAfter what it left of the attempt's reservation; null where it does not change it
    record Stored(Entry entry, @Nullable BigDecimal heldAfter) {}

    /// What was found under the lock.
    ///
    /// @param standing null where the account has no balance yet
    record Found(@Nullable Standing standing, List<Stored> entries) {}

    /// An entry to write, with what it leaves.
    record Written(
            long seq,
            UUID id,
            EntryKind kind,
            BigDecimal amount,
            String key,
            Balance after,
            @Nullable BigDecimal heldAfter) {

        Entry entry(Whole whole, long atMs) {
            return new Entry(
                    seq,
                    id,
                    kind,
                    whole.attempt(),
                    amount,
                    key,
                    whole.reverses(),
                    whole.reason(),
                    atMs);
        }
    }

    /// What all entries of one transaction have in common.
    record Whole(Entry.@Nullable Of attempt, @Nullable UUID reverses, @Nullable String reason) {}

    static int open(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "open").uuid("account", account).bigint("now", tx.nowMillis()).update();
    }

    static @Nullable Standing balance(Tx tx, UUID account) throws SQLException {
        return SQL.on(tx, "balance").uuid("account", account).one(CreditSql::standing);
    }

    /// Locks the balance and looks for entries in one round trip.
    static Found lock(Tx tx, UUID account, Entry.Of attempt, List<String> keys)
            throws SQLException {
        return locked(
                tx,
                account,
                SQL.on(tx, "look")
                        .uuid("account", account)
                        .uuid("run", attempt.run())
                        .integer("attempt", attempt.attempt())
                        .texts("keys", List.copyOf(keys)));
    }

    /// The same for a grant.
    static Found lockForGrant(Tx tx, UUID account, String key) throws SQLException {
        return locked(
                tx,
                account,
                SQL.on(tx, "look_for_grant").uuid("account", account).text("key", key));
    }

    private static Found locked(Tx tx, UUID account, Bound look) throws SQLException {
        var standing = new ArrayList<Standing>();
        SQL.on(tx, "lock")
                .uuid("account", account)
                .later(
                        row -> {
                            Standing read = standing(row);
                            standing.add(read);
                            return read;
                        });
        List<Stored> entries = look.list(CreditSql::stored);
        return new Found(standing.isEmpty() ? null : standing.getFirst(), entries);
    }

    static @Nullable Stored entry(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "entry").uuid("account", account).uuid("id", id).one(CreditSql::stored);
    }

    /// Under the lock, so nobody else can have changed it; nothing is looked at afterwards, and
    /// both statements go out in the round trip of the commit.
    static void write(
            Tx tx, UUID account, long atMs, Balance balance, List<Written> entries, Whole whole) {
        SQL.on(tx, "change")
                .uuid("account", account)
                .decimal("balance", balance.balance())
                .decimal("reserved", balance.reserved())
                .bigint("seq", entries.getLast().seq())
                .bigint("at", atMs)
                .later();
        Entry.Of attempt = whole.attempt();
        SQL.on(tx, "append")
                .uuid("account", account)
                .uuid("run", attempt == null ? null : attempt.run())
                .integer("attempt", attempt == null ? null : attempt.attempt())
                .uuid("reverses", whole.reverses())
                .text("reason", whole.reason())
                .bigint("at", atMs)
                .column("seqs", "int8", entries, Written::seq)
                .column("ids", "uuid", entries, Written::id)
                .column("types", "text", entries, each -> each.kind().type())
                .column("refund_kinds", "text", entries, each -> each.kind().refundKind())
                .column("amounts", "numeric", entries, Written::amount)
                .column("keys", "text", entries, Written::key)
                .column("balances", "numeric", entries, each -> each.after().balance())
                .column("reserveds", "numeric", entries, each -> each.after().reserved())
                .column("helds", "numeric", entries, Written::heldAfter)
                .later();
    }

    static @Nullable UUID owner(Tx tx, UUID entry) throws SQLException {
        return SQL.on(tx, "owner")
                .uuid("id", entry)
                .one(row -> row.getObject("account_id", UUID.class));
    }

    static List<Entry> page(Tx tx, UUID account, @Nullable UUID run, long after, int most)
            throws SQLException {
        Bound page = run == null ? SQL.on(tx, "page") : SQL.on(tx, "page_of_run").uuid("run", run);
        return page.uuid("account", account)
                .bigint("after", after)
                .integer("most", most)
                .list(row -> stored(row).entry());
    }

    static void notify(Tx tx, UUID account, Notice notice) {
        SQL.on(tx, "notify")
                .uuid("account", account)
                .uuid("entry", notice.entry())
                .uuid("run", notice.run())
                .decimal("amount", notice.amount())
                .text("message", notice.message())
                .bigint("now", notice.createdMs())
                .later();
    }

    static List<Notice> notices(Tx tx, UUID account, UUID after, int most) throws SQLException {
        return SQL.on(tx, "notices")
                .uuid("account", account)
                .uuid("after", after)
                .integer("most", most)
                .list(
                        row ->
                                new Notice(
                                        row.getObject("entry_id", UUID.class),
                                        row.getObject("run_id", UUID.class),
                                        row.getBigDecimal("amount"),
                                        row.getString("message"),
                                        row.getLong("created_ms")));
    }

    static int forgetUsage(Tx tx, UUID account, UUID run, int most) throws SQLException {
        return SQL.on(tx, "forget_usage")
                .uuid("account", account)
                .uuid("run", run)
                .integer("most", most)
                .update();
    }

    static void use(Tx tx, UUID account, List<Usage> usage) {
        SQL.on(tx, "use")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", usage, Usage::stepAttempt)
                .column("runs", "uuid", usage, Usage::run)
                .column("attempts", "int4", usage, Usage::attempt)
                .column("tokens", "int8", usage, Usage::tokens)
                .column("costs", "numeric", usage, Usage::cost)
                .column("charges", "numeric", usage, Usage::charged)
                .later();
    }

    private static Standing standing(ResultSet row) throws SQLException {
        return new Standing(
                new Balance(row.getBigDecimal("balance"), row.getBigDecimal("reserved")),
                row.getLong("seq"),
                row.getLong("entry_ms"));
    }

    private static Stored stored(ResultSet row) throws SQLException {
        UUID run = row.getObject("run_id", UUID.class);
        var entry =
                new Entry(
                        row.getLong("seq"),
                        row.getObject("id", UUID.class),
                        EntryKind.of(
                                row.getString("transaction_type"), row.getString("refund_kind")),
                        run == null ? null : new Entry.Of(run, row.getInt("attempt")),
                        row.getBigDecimal("amount"),
                        row.getString("idempotency_key"),
                        row.getObject("reverses", UUID.class),
                        row.getString("reason"),
                        row.getLong("created_ms"));
        return new Stored(entry, row.getBigDecimal("held_after"));
    }
}
