package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.orchestrations.execution.DeadLetter.Compensation;
import io.orchestrion.orchestrations.execution.DeadLetter.Handling;
import io.orchestrion.orchestrations.execution.DeadLetter.Origin;
import io.orchestrion.orchestrations.execution.DeadLetter.Status;
import io.orchestrion.orchestrations.execution.Execution.DefinitionRef;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `dead_letter.sql`; decides nothing.
public final class DeadLetterSql {
    private static final NamedSql SQL = NamedSql.beside(DeadLetterSql.class, "dead_letter.sql");

    private DeadLetterSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static void insert(Tx tx, UUID account, List<DeadLetter> rows) {
        Bound bound =
                SQL.on(tx, "insert")
                        .uuid("account", account)
                        .column("executions", "uuid", rows, row -> row.origin().execution())
                        .column("definitions", "uuid", rows, row -> row.origin().definition().id())
                        .column(
                                "versions",
                                "int4",
                                rows,
                                row -> row.origin().definition().version())
                        .column("steps", "text", rows, DeadLetter::stepId)
                        .column("step_executions", "uuid", rows, DeadLetter::stepExecution)
                        .column(
                                "error_classes",
                                "text",
                                rows,
                                row -> row.error().errorClass().name())
                        .column("error_codes", "text", rows, row -> row.error().code())
                        .column("error_statuses", "int4", rows, row -> row.error().httpStatus())
                        .column("error_summaries", "text", rows, row -> row.error().summary())
                        .column("correlations", "text", rows, row -> row.origin().correlationId())
                        .column("created", "int8", rows, row -> row.handling().createdMs());
        changing(bound, rows).later(rows.size(), "account " + account + " does not exist");
    }

    static void update(Tx tx, UUID account, List<DeadLetter> rows) {
        changing(SQL.on(tx, "update").uuid("account", account), rows)
                .later(rows.size(), "a dead letter is gone");
    }

    private static Bound changing(Bound bound, List<DeadLetter> rows) {
        return bound.column("ids", "uuid", rows, DeadLetter::id)
                .column("reasons", "text", rows, row -> row.reason().word())
                .column("statuses", "text", rows, row -> row.status().word())
                .column("seqs", "int4", rows, DeadLetter::seq)
                .column("actions", "text", rows, row -> row.handling().action())
                .column("compensations", "text", rows, DeadLetterSql::compensation)
                .column("closed", "int8", rows, row -> row.handling().closedMs())
                .column("closed_by", "text", rows, row -> row.handling().closedBy())
                .column("notes", "text", rows, row -> row.handling().note());
    }

    private static @Nullable String compensation(DeadLetter row) {
        Compensation compensation = row.handling().compensation();
        return compensation == null ? null : compensation.word();
    }

    static @Nullable DeadLetter find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(DeadLetterSql::read);
    }

    static @Nullable DeadLetter open(Tx tx, UUID account, UUID execution, String stepId)
            throws SQLException {
        return SQL.on(tx, "open")
                .uuid("account", account)
                .uuid("execution", execution)
                .text("step", stepId)
                .one(DeadLetterSql::read);
    }

    static List<DeadLetter> openOf(Tx tx, UUID account, UUID execution) throws SQLException {
        return SQL.on(tx, "open_of_execution")
                .uuid("account", account)
                .uuid("execution", execution)
                .list(DeadLetterSql::read);
    }

    static @Nullable DeadLetter newest(Tx tx, UUID account, UUID execution, String stepId)
            throws SQLException {
        return SQL.on(tx, "newest_of_step")
                .uuid("account", account)
                .uuid("execution", execution)
                .text("step", stepId)
                .one(DeadLetterSql::read);
    }

    static List<DeadLetter> page(Tx tx, DeadLetterQuery query) throws SQLException {
        Status status = query.status();
        Reason reason = query.reason();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("before", query.before())
                .text("status", status == null ? null : status.word())
                .text("reason", reason == null ? null : reason.word())
                .uuid("definition", query.definition())
                .uuid("execution", query.execution())
                .bigint("from_ms", query.fromMs())
                .bigint("to_ms", query.toMs())
                .bool("acting", query.actionRequired())
                .integer("most", query.limit())
                .list(DeadLetterSql::read);
    }

    static DeadLetter read(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getObject("id", UUID.class),
                new Origin(
                        row.getObject("execution_id", UUID.class),
                        new DefinitionRef(
                                row.getObject("definition_id", UUID.class),
                                row.getInt("definition_version")),
                        row.getString("correlation_id")),
                row.getString("step_id"),
                row.getObject("step_execution_id", UUID.class),
                Reason.valueOf(row.getString("reason").toUpperCase(Locale.ROOT)),
                Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getInt("seq"),
                Objects.requireNonNull(ExecutionSql.error(row, false)),
                new Handling(
                        row.getLong("created_ms"),
                        row.getString("action_required"),
                        Compensation.of(row.getString("compensation")),
                        Bound.nullableLong(row, "closed_ms"),
                        row.getString("closed_by"),
                        row.getString("note")));
    }
}
