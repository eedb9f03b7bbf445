package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `subject.sql`.
public final class SubjectSql {
    private static final NamedSql SQL = NamedSql.beside(SubjectSql.class, "subject.sql");

    private SubjectSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    static void insert(Tx tx, UUID account, List<SubjectEvent> events) {
        SQL.on(tx, "insert_subject_events")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("subject_ids", "uuid", events, SubjectEvent::id)
                .column("seqs", "int4", events, SubjectEvent::seq)
                .column("kinds", "text", events, SubjectEvent::kind)
                .column("events", "text", events, SubjectEvent::event)
                .column("froms", "text", events, SubjectEvent::from)
                .column("tos", "text", events, SubjectEvent::to)
                .column("correlations", "text", events, SubjectEvent::correlationId)
                .column("datas", "text", events, SubjectEvent::data)
                .column("audited", "uuid", events, SubjectEvent::auditedUnder)
                .later();
    }

    static List<SubjectLine> scan(Tx tx, UUID account, String log, EventCursor after, int most)
            throws SQLException {
        return SQL.on(tx, "scan_subjects")
                .uuid("account", account)
                .text("log", log)
                .bigint("position", after.position())
                .uuid("id", after.workId())
                .integer("seq", after.seq())
                .integer("most", most)
                .list(SubjectSql::line);
    }

    static List<SubjectLine> of(Tx tx, UUID account, UUID subject, int after, int most)
            throws SQLException {
        return SQL.on(tx, "of_subject")
                .uuid("account", account)
                .uuid("id", subject)
                .integer("after", after)
                .integer("most", most)
                .list(SubjectSql::line);
    }

    static void remove(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        SQL.on(tx, "subjects_go").update();
        SQL.on(tx, "remove_subjects")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .update();
    }

    private static SubjectLine line(ResultSet row) throws SQLException {
        return new SubjectLine(
                row.getLong("position"),
                row.getLong("at_ms"),
                new SubjectEvent(
                        row.getString("kind"),
                        row.getObject("subject_id", UUID.class),
                        row.getInt("seq"),
                        row.getString("event"),
                        row.getString("from_state"),
                        null,
                        row.getString("to_state"),
                        new SubjectEvent.Told(
                                row.getString("data"),
                                row.getString("correlation_id"),
                                null,
                                null,
                                null,
                                null)));
    }
}
