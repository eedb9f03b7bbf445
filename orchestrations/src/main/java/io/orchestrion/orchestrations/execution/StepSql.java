package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepType;
import io.orchestrion.orchestrations.execution.StepAttempt.Ended;
import io.orchestrion.orchestrations.execution.StepAttempt.Key;
import io.orchestrion.orchestrations.execution.StepAttempt.Place;
import io.orchestrion.orchestrations.execution.StepAttempt.Times;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// Binds and reads the statements of `step.sql`; decides nothing.
public final class StepSql {
    private static final NamedSql SQL = NamedSql.beside(StepSql.class, "step.sql");

    private StepSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    static List<StepAttempt> find(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "find")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(StepSql::read);
    }

    static List<StepAttempt> open(Tx tx, UUID account, UUID execution) throws SQLException {
        return SQL.on(tx, "open")
                .uuid("account", account)
                .uuid("execution", execution)
                .list(StepSql::read);
    }

    static List<StepAttempt> newest(Tx tx, UUID account, UUID execution, String stepId)
            throws SQLException {
        return SQL.on(tx, "newest")
                .uuid("account", account)
                .uuid("execution", execution)
                .text("step", stepId)
                .list(StepSql::read);
    }

    /// The newest attempt of any step; null for none.
    static @Nullable StepAttempt last(Tx tx, UUID account, UUID execution) throws SQLException {
        return SQL.on(tx, "last")
                .uuid("account", account)
                .uuid("execution", execution)
                .one(StepSql::read);
    }

    static Map<String, @Nullable String> results(
            Tx tx, UUID account, UUID execution, Collection<String> stepIds) throws SQLException {
        var results = new HashMap<String, @Nullable String>();
        SQL.on(tx, "results")
                .uuid("account", account)
                .uuid("execution", execution)
                .texts("steps", List.copyOf(stepIds))
                .list(row -> results.put(row.getString("step_id"), row.getString("result")));
        return results;
    }

    static void insert(Tx tx, UUID account, List<StepAttempt> rows) {
        Bound bound =
                SQL.on(tx, "insert")
                        .uuid("account", account)
                        .column("executions", "uuid", rows, StepAttempt::execution)
                        .column("steps", "text", rows, row -> row.place().stepId())
                        .column("types", "text", rows, row -> row.place().type().word())
                        .column("kinds", "text", rows, row -> row.place().kind().word())
                        .column("attempts", "int4", rows, row -> row.place().number())
                        .column("budgets", "int4", rows, row -> row.place().budgetFrom())
                        .column("keys", "text", rows, row -> row.key().value())
                        .column("epochs", "int4", rows, row -> row.key().epoch())
                        .column("safes", "text", rows, row -> row.key().declared().name())
                        .column("created", "int8", rows, row -> row.times().createdMs())
                        .column("retry_afters", "int8", rows, row -> row.times().retryAfterMs())
                        .column("timeouts", "int8", rows, row -> row.times().timeoutMs());
        changing(bound, rows).later(rows.size(), "account " + account + " does not exist");
    }

    static void update(Tx tx, UUID account, List<StepAttempt> rows) {
        changing(SQL.on(tx, "update").uuid("account", account), rows)
                .later(rows.size(), "a step execution is gone");
    }

    private static Bound changing(Bound bound, List<StepAttempt> rows) {
        return bound.column("ids", "uuid", rows, StepAttempt::id)
                .column("statuses", "text", rows, row -> row.status().word())
                .column("seqs", "int4", rows, StepAttempt::seq)
                .column("started", "int8", rows, row -> row.times().startedMs())
                .column("finished", "int8", rows, row -> row.times().finishedMs())
                .column("deadlines", "int8", rows, row -> row.times().deadlineMs())
                .column("results", "text", rows, row -> row.ended().result())
                .column("error_classes", "text", rows, ofError(error -> error.errorClass().name()))
                .column("error_codes", "text", rows, ofError(StepError::code))
                .column("error_statuses", "int4", rows, ofError(StepError::httpStatus))
                .column("error_summaries", "text", rows, ofError(StepError::summary))
                .column("overridden", "bool", rows, StepSql::isOverridden)
                .column("retry_seconds", "int4", rows, row -> row.ended().retryAfterSeconds())
                .column("logs_refs", "text", rows, row -> row.ended().logsRef())
                .column("usages", "text", rows, row -> row.ended().usage())
                .column("decisions", "text", rows, row -> row.ended().decision());
    }

    private static boolean isOverridden(StepAttempt row) {
        StepError error = row.ended().error();
        return error != null && error.overridden();
    }

    private static Function<StepAttempt, @Nullable Object> ofError(
            Function<StepError, @Nullable Object> part) {
        return row -> {
            StepError error = row.ended().error();
            return error == null ? null : part.apply(error);
        };
    }

    /// Those of them that were not begun yet, as they are now.
    static List<StepAttempt> begin(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "begin")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .uuids("ids", List.copyOf(ids))
                .list(StepSql::read);
    }

    static List<StepAttempt> page(Tx tx, StepQuery query) throws SQLException {
        StepStatus status = query.status();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("execution", query.execution())
                .uuid("after", query.after())
                .text("step", query.stepId())
                .text("status", status == null ? null : status.word())
                .integer("most", query.limit())
                .list(StepSql::read);
    }

    static List<StepAttempt> newestOfSteps(Tx tx, UUID account, UUID execution)
            throws SQLException {
        return SQL.on(tx, "newest_of_steps")
                .uuid("account", account)
                .uuid("execution", execution)
                .list(StepSql::read);
    }

    static StepAttempt read(ResultSet row) throws SQLException {
        int seconds = row.getInt("retry_after_seconds");
        Integer retryAfterSeconds = row.wasNull() ? null : Integer.valueOf(seconds);
        return new StepAttempt(
                row.getObject("id", UUID.class),
                row.getObject("execution_id", UUID.class),
                new Place(
                        row.getString("step_id"),
                        StepType.named(row.getString("step_type")).orElseThrow(),
                        AttemptKind.of(row.getString("kind")),
                        row.getInt("attempt_number"),
                        row.getInt("budget_from")),
                StepStatus.of(row.getString("status")),
                row.getInt("seq"),
                new Key(
                        row.getString("idempotency_key"),
                        row.getInt("key_epoch"),
                        SafeRetry.valueOf(row.getString("safe_retry"))),
                new Times(
                        row.getLong("created_ms"),
                        Bound.nullableLong(row, "retry_after_ms"),
                        Bound.nullableLong(row, "started_ms"),
                        Bound.nullableLong(row, "finished_ms"),
                        row.getLong("timeout_ms"),
                        Bound.nullableLong(row, "deadline_ms")),
                new Ended(
                        row.getString("result"),
                        ExecutionSql.error(row, row.getBoolean("error_overridden")),
                        retryAfterSeconds,
                        row.getString("logs_ref"),
                        row.getString("usage"),
                        row.getString("decision")));
    }
}
