package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.orchestrations.execution.Approval.Answer;
import io.orchestrion.orchestrations.execution.Approval.Question;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;

/// Binds and reads the statements of `approval.sql`; decides nothing.
public final class ApprovalSql {
    private static final NamedSql SQL = NamedSql.beside(ApprovalSql.class, "approval.sql");

    private ApprovalSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static void insert(Tx tx, UUID account, List<Approval> rows) {
        SQL.on(tx, "insert")
                .uuid("account", account)
                .column("ids", "uuid", rows, Approval::id)
                .column("executions", "uuid", rows, Approval::execution)
                .column("steps", "text", rows, Approval::stepId)
                .column("step_executions", "uuid", rows, Approval::stepExecution)
                .column("kinds", "text", rows, row -> row.kind().word())
                .column("statuses", "text", rows, row -> row.status().word())
                .column("seqs", "int4", rows, Approval::seq)
                .column("assignees", "text", rows, row -> row.question().assigneeGroup())
                .column("titles", "text", rows, row -> row.question().title())
                .column("inputs", "text", rows, row -> row.question().input())
                .column("requested", "int8", rows, row -> row.question().requestedMs())
                .column("dues", "int8", rows, row -> row.question().dueMs())
                .later(rows.size(), "account " + account + " does not exist");
    }

    static void update(Tx tx, UUID account, List<Approval> rows) {
        SQL.on(tx, "update")
                .uuid("account", account)
                .column("ids", "uuid", rows, Approval::id)
                .column("statuses", "text", rows, row -> row.status().word())
                .column("seqs", "int4", rows, Approval::seq)
                .column("decided", "int8", rows, ofAnswer(Answer::atMs))
                .column("decided_by", "uuid", rows, ofPerson(Person::key))
                .column("decided_by_names", "text", rows, ofPerson(Person::name))
                .column("notes", "text", rows, ofAnswer(Answer::note))
                .later(rows.size(), "an approval is gone");
    }

    private static Function<Approval, @Nullable Object> ofAnswer(
            Function<Answer, @Nullable Object> part) {
        return row -> {
            Answer answer = row.answer();
            return answer == null ? null : part.apply(answer);
        };
    }

    private static Function<Approval, @Nullable Object> ofPerson(
            Function<Person, @Nullable Object> part) {
        return ofAnswer(
                answer -> {
                    Person by = answer.by();
                    return by == null ? null : part.apply(by);
                });
    }

    static @Nullable Approval find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(ApprovalSql::read);
    }

    static List<Approval> pending(Tx tx, UUID account, UUID execution) throws SQLException {
        return SQL.on(tx, "pending_of_execution")
                .uuid("account", account)
                .uuid("execution", execution)
                .list(ApprovalSql::read);
    }

    static @Nullable Approval newest(Tx tx, UUID account, UUID execution, String stepId)
            throws SQLException {
        return SQL.on(tx, "newest_of_step")
                .uuid("account", account)
                .uuid("execution", execution)
                .text("step", stepId)
                .one(ApprovalSql::read);
    }

    static List<Approval> page(Tx tx, ApprovalQuery query) throws SQLException {
        ApprovalStatus status = query.status();
        AttemptKind kind = query.kind();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("after", query.after())
                .text("status", status == null ? null : status.word())
                .text("kind", kind == null ? null : kind.word())
                .text("assignee", query.assigneeGroup())
                .uuid("execution", query.execution())
                .bigint("due_before", query.dueBeforeMs())
                .integer("most", query.limit())
                .list(ApprovalSql::read);
    }

    static Approval read(ResultSet row) throws SQLException {
        Long decided = Bound.nullableLong(row, "decided_ms");
        UUID by = row.getObject("decided_by", UUID.class);
        Person person = by == null ? null : new Person(by, row.getString("decided_by_name"));
        return new Approval(
                row.getObject("id", UUID.class),
                row.getObject("execution_id", UUID.class),
                row.getString("step_id"),
                row.getObject("step_execution_id", UUID.class),
                AttemptKind.of(row.getString("kind")),
                ApprovalStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                row.getInt("seq"),
                new Question(
                        row.getString("assignee_group"),
                        row.getString("title"),
                        row.getString("input"),
                        row.getLong("requested_ms"),
                        Bound.nullableLong(row, "due_ms")),
                decided == null ? null : new Answer(decided, person, row.getString("note")));
    }
}
