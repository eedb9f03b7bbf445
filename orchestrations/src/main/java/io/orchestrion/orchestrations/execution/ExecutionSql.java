package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.orchestrations.execution.Execution.Asked;
import io.orchestrion.orchestrations.execution.Execution.DefinitionRef;
import io.orchestrion.orchestrations.execution.Execution.Ending;
import io.orchestrion.orchestrations.execution.Execution.Parent;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.orchestrations.execution.Execution.Times;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// Binds and reads the statements of `execution.sql`; decides nothing.
public final class ExecutionSql {
    private static final NamedSql SQL = NamedSql.beside(ExecutionSql.class, "execution.sql");

    private ExecutionSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// Those of them that no other session holds.
    static List<Execution> lockFree(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock_free")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(ExecutionSql::read);
    }

    /// Waits for them.
    static List<Execution> lock(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(ExecutionSql::read);
    }

    static List<Execution> find(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "find")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(ExecutionSql::read);
    }

    static List<Execution> findByKey(Tx tx, UUID account, Collection<String> keys)
            throws SQLException {
        return SQL.on(tx, "find_by_key")
                .uuid("account", account)
                .texts("keys", List.copyOf(keys))
                .list(ExecutionSql::read);
    }

    /// For executions whose keys nobody else can have.
    static void insert(Tx tx, UUID account, List<Execution> rows) {
        inserting(SQL.on(tx, "insert"), tx, account, rows)
                .later(rows.size(), "account " + account + " does not exist");
    }

    /// The ids of those whose keys were free.
    static Set<UUID> insertKeyed(Tx tx, UUID account, List<Execution> rows) throws SQLException {
        return Set.copyOf(
                inserting(SQL.on(tx, "insert_keyed"), tx, account, rows)
                        .list(row -> row.getObject("id", UUID.class)));
    }

    private static Bound inserting(Bound bound, Tx tx, UUID account, List<Execution> rows) {
        return bound.uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", rows, Execution::id)
                .column("definitions", "uuid", rows, row -> row.definition().id())
                .column("versions", "int4", rows, row -> row.definition().version())
                .column("target_types", "text", rows, row -> row.asked().target().type())
                .column("target_ids", "text", rows, row -> row.asked().target().id())
                .column("inputs", "text", rows, row -> row.asked().input())
                .column("digests", "uuid", rows, row -> row.asked().digest())
                .column("keys", "text", rows, row -> row.asked().idempotencyKey())
                .column("correlations", "text", rows, row -> row.asked().correlationId())
                .column("traces", "text", rows, row -> row.asked().trace())
                .column("parents", "uuid", rows, ExecutionSql::parent)
                .column("depths", "int4", rows, ExecutionSql::depth)
                .column("timeouts", "int8", rows, row -> row.times().timeoutMs())
                .column("timers", "uuid", rows, row -> row.times().timer());
    }

    private static @Nullable UUID parent(Execution row) {
        Parent parent = row.asked().parent();
        return parent == null ? null : parent.execution();
    }

    private static int depth(Execution row) {
        Parent parent = row.asked().parent();
        return parent == null ? 0 : parent.depth() + 1;
    }

    static void update(Tx tx, UUID account, List<Execution> rows) {
        SQL.on(tx, "update")
                .uuid("account", account)
                .column("ids", "uuid", rows, Execution::id)
                .column("statuses", "text", rows, row -> row.status().word())
                .column("seqs", "int4", rows, Execution::seq)
                .column("attempts", "int4", rows, Execution::attemptCount)
                .column("completed", "int8", rows, row -> row.times().completedMs())
                .column("active", "int8", rows, row -> row.times().activeMs())
                .column("since", "int8", rows, row -> row.times().runningSinceMs())
                .column("timers", "uuid", rows, row -> row.times().timer())
                .column("outputs", "text", rows, row -> row.ending().output())
                .column("error_classes", "text", rows, ofError(error -> error.errorClass().name()))
                .column("error_codes", "text", rows, ofError(StepError::code))
                .column("error_statuses", "int4", rows, ofError(StepError::httpStatus))
                .column("error_summaries", "text", rows, ofError(StepError::summary))
                .column("compensated", "bool", rows, row -> row.ending().compensated())
                .column("reviewed", "bool", rows, row -> row.ending().reviewed())
                .later(rows.size(), "an execution is gone");
    }

    private static Function<Execution, @Nullable Object> ofError(
            Function<StepError, @Nullable Object> part) {
        return row -> {
            StepError error = row.ending().error();
            return error == null ? null : part.apply(error);
        };
    }

    static int activeOfTarget(Tx tx, UUID account, UUID definition, Target target)
            throws SQLException {
        Integer found =
                SQL.on(tx, "active_of_target")
                        .uuid("account", account)
                        .uuid("definition", definition)
                        .text("target_type", target.type())
                        .text("target_id", target.id())
                        .one(row -> row.getInt("found"));
        return found == null ? 0 : found;
    }

    /// When waits are over, by the ids of their attempts.
    static Map<UUID, Long> timers(Tx tx, UUID account, List<UUID> waits) throws SQLException {
        var times = new HashMap<UUID, Long>();
        SQL.on(tx, "timers")
                .uuid("account", account)
                .uuids("ids", List.copyOf(waits))
                .list(row -> times.put(row.getObject("id", UUID.class), row.getLong("run_at_ms")));
        return times;
    }

    static int activeOfDefinition(Tx tx, UUID account, UUID definition) throws SQLException {
        Integer found =
                SQL.on(tx, "active_of_definition")
                        .uuid("account", account)
                        .uuid("definition", definition)
                        .one(row -> row.getInt("found"));
        return found == null ? 0 : found;
    }

    static List<Execution> page(Tx tx, ExecutionQuery query) throws SQLException {
        ExecutionStatus status = query.status();
        return SQL.on(tx, "page")
                .uuid("account", query.account())
                .uuid("before", query.before())
                .text("status", status == null ? null : status.word())
                .uuid("definition", query.definition())
                .text("target_type", query.targetType())
                .text("target_id", query.targetId())
                .text("correlation", query.correlationId())
                .integer("most", query.limit())
                .list(ExecutionSql::read);
    }

    static List<Execution> unreviewed(Tx tx, UUID account, @Nullable UUID before, int most)
            throws SQLException {
        return SQL.on(tx, "unreviewed")
                .uuid("account", account)
                .uuid("before", before)
                .integer("most", most)
                .list(ExecutionSql::read);
    }

    static Execution read(ResultSet row) throws SQLException {
        return new Execution(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                new DefinitionRef(
                        row.getObject("definition_id", UUID.class),
                        row.getInt("definition_version")),
                ExecutionStatus.of(row.getString("status")),
                row.getInt("seq"),
                new Asked(
                        new Target(row.getString("target_type"), row.getString("target_id")),
                        row.getString("input"),
                        row.getString("idempotency_key"),
                        row.getString("correlation_id"),
                        row.getString("trace"),
                        row.getObject("digest", UUID.class),
                        parent(row)),
                new Times(
                        row.getLong("started_ms"),
                        Bound.nullableLong(row, "completed_ms"),
                        row.getLong("active_ms"),
                        Bound.nullableLong(row, "running_since_ms"),
                        Bound.nullableLong(row, "timeout_ms"),
                        row.getObject("timer_id", UUID.class)),
                row.getInt("attempt_count"),
                new Ending(
                        row.getString("output"),
                        error(row, false),
                        row.getBoolean("compensated"),
                        row.getBoolean("reviewed")));
    }

    private static @Nullable Parent parent(ResultSet row) throws SQLException {
        UUID parent = row.getObject("parent_id", UUID.class);
        return parent == null ? null : new Parent(parent, row.getInt("depth") - 1);
    }

    /// The error of a row of an execution or of an attempt; null for none.
    static @Nullable StepError error(ResultSet row, boolean overridden) throws SQLException {
        String errorClass = row.getString("error_class");
        if (errorClass == null) {
            return null;
        }
        int status = row.getInt("error_status");
        Integer httpStatus = row.wasNull() ? null : Integer.valueOf(status);
        return new StepError(
                ErrorClass.valueOf(errorClass),
                row.getString("error_code"),
                httpStatus,
                row.getString("error_summary"),
                overridden);
    }
}
