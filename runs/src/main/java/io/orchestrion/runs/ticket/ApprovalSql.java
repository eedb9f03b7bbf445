package io.orchestrion.runs.ticket;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.ticket.Approval.Answer;
import io.orchestrion.runs.ticket.Approval.Status;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `approval.sql`; decides nothing.
public final class ApprovalSql {
    private static final NamedSql SQL = NamedSql.beside(ApprovalSql.class, "approval.sql");

    private ApprovalSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// Which approvals somebody wants to see, newest first.
    public record Query(
            UUID account,
            @Nullable UUID before,
            @Nullable Status status,
            @Nullable UUID run,
            int limit) {}

    public static @Nullable Approval find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(ApprovalSql::read);
    }

    public static List<Approval> page(Tx tx, Query query) throws SQLException {
        Status status = query.status();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("before", query.before())
                .text("status", status == null ? null : status.word())
                .uuid("run", query.run())
                .integer("most", query.limit())
                .list(ApprovalSql::read);
    }

    public static void insert(Tx tx, UUID account, List<Approval> rows) {
        SQL.on(tx, "insert")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", rows, Approval::id)
                .column("runs", "uuid", rows, Approval::run)
                .column("steps", "uuid", rows, Approval::step)
                .column("attempts", "int4", rows, Approval::attempt)
                .column("tools", "text", rows, Approval::tool)
                .column("inputs", "text", rows, Approval::input)
                .later(rows.size(), "account " + account + " does not exist");
    }

    public static void decide(Tx tx, UUID account, Approval decided) {
        Answer answer = Objects.requireNonNull(decided.answer());
        SQL.on(tx, "decide")
                .uuid("account", account)
                .uuid("id", decided.id())
                .integer("seq", decided.seq())
                .text("status", decided.status().word())
                .bigint("now", answer.atMs())
                .text("by", answer.by())
                .text("note", answer.note())
                .later(1, "approval " + decided.id() + " is decided");
    }

    /// Those of them that were pending, as they are now.
    public static List<Approval> cancel(Tx tx, UUID account, Collection<UUID> ids)
            throws SQLException {
        return SQL.on(tx, "cancel")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(ApprovalSql::read);
    }

    static Approval read(ResultSet row) throws SQLException {
        Long decided = Bound.nullableLong(row, "decided_ms");
        return new Approval(
                row.getObject("id", UUID.class),
                row.getObject("run_id", UUID.class),
                row.getObject("step_id", UUID.class),
                row.getInt("attempt_number"),
                row.getInt("seq"),
                Status.named(row.getString("status")).orElseThrow(),
                row.getString("tool"),
                row.getString("input"),
                row.getLong("requested_ms"),
                decided == null
                        ? null
                        : new Answer(
                                decided,
                                Objects.requireNonNullElse(row.getString("decided_by"), "engine"),
                                row.getString("note")));
    }
}
