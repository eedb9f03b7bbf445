package io.orchestrion.runs.ticket;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.ticket.Ticket.Answer;
import io.orchestrion.runs.ticket.Ticket.Resolution;
import io.orchestrion.runs.ticket.Ticket.Status;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `ticket.sql`; decides nothing.
public final class TicketSql {
    private static final NamedSql SQL = NamedSql.beside(TicketSql.class, "ticket.sql");

    private TicketSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// Which tickets somebody wants to see, newest first.
    public record Query(
            UUID account,
            @Nullable UUID before,
            @Nullable Status status,
            @Nullable UUID run,
            int limit) {}

    public static @Nullable Ticket find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(TicketSql::read);
    }

    /// Null for none.
    public static @Nullable Ticket open(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "open_of_run")
                .uuid("account", account)
                .uuid("run", run)
                .one(TicketSql::read);
    }

    public static List<Ticket> page(Tx tx, Query query) throws SQLException {
        Status status = query.status();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("before", query.before())
                .text("status", status == null ? null : status.word())
                .uuid("run", query.run())
                .integer("most", query.limit())
                .list(TicketSql::read);
    }

    public static void insert(Tx tx, UUID account, Ticket ticket) {
        SQL.on(tx, "insert")
                .uuid("account", account)
                .uuid("id", ticket.id())
                .uuid("run", ticket.run())
                .text("trigger", ticket.trigger().first())
                .text("code", ticket.cause().code())
                .text("error", ticket.cause().message())
                .bool("holds", ticket.holds())
                .bigint("now", ticket.createdMs())
                .later(1, "account " + account + " does not exist");
    }

    public static void update(Tx tx, UUID account, Ticket ticket) {
        Answer answer = ticket.answer();
        SQL.on(tx, "update")
                .uuid("account", account)
                .uuid("id", ticket.id())
                .integer("seq", ticket.seq())
                .text("status", ticket.status().word())
                .integer("added", ticket.trigger().added())
                .text("last", ticket.trigger().last())
                .bool("holds", ticket.holds())
                .bigint("resolved", answer == null ? null : Long.valueOf(answer.atMs()))
                .text("by", answer == null ? null : answer.by())
                .text("resolution", answer == null ? null : answer.resolution().word())
                .text("note", answer == null ? null : answer.note())
                .later(1, "ticket " + ticket.id() + " is resolved");
    }

    static Ticket read(ResultSet row) throws SQLException {
        Long resolved = Bound.nullableLong(row, "resolved_ms");
        return new Ticket(
                row.getObject("id", UUID.class),
                row.getObject("run_id", UUID.class),
                row.getInt("seq"),
                Status.named(row.getString("status")).orElseThrow(),
                new Ticket.Trigger(
                        row.getString("trigger"),
                        row.getInt("added"),
                        row.getString("last_trigger")),
                new Ticket.Cause(row.getString("error_code"), row.getString("error")),
                row.getBoolean("holds"),
                row.getLong("created_ms"),
                resolved == null
                        ? null
                        : new Answer(
                                resolved,
                                Objects.requireNonNullElse(row.getString("resolved_by"), ""),
                                Resolution.named(row.getString("resolution")).orElseThrow(),
                                row.getString("note")));
    }
}
