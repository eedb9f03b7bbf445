package io.orchestrion.runs.tree;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.tree.StepAttempt.Ended;
import io.orchestrion.runs.tree.StepAttempt.Number;
import io.orchestrion.runs.tree.StepAttempt.Times;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Binds and reads the statements of `attempt.sql`; decides nothing.
public final class AttemptSql {
    private static final NamedSql SQL = NamedSql.beside(AttemptSql.class, "attempt.sql");

    private AttemptSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// Who has claimed an attempt.
    public record Claim(UUID attempt, @Nullable String worker) {}

    public static List<StepAttempt> find(Tx tx, UUID account, Collection<UUID> ids)
            throws SQLException {
        return SQL.on(tx, "find")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(AttemptSql::read);
    }

    /// Oldest first.
    public static List<StepAttempt> ofStep(Tx tx, UUID account, UUID step, int most)
            throws SQLException {
        return SQL.on(tx, "of_step")
                .uuid("account", account)
                .uuid("step", step)
                .integer("most", most)
                .list(AttemptSql::read);
    }

    public static void insert(Tx tx, UUID account, List<StepAttempt> rows) {
        SQL.on(tx, "insert")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", rows, StepAttempt::id)
                .column("runs", "uuid", rows, StepAttempt::run)
                .column("steps", "uuid", rows, StepAttempt::step)
                .column("of_runs", "int4", rows, each -> each.number().ofRun())
                .column("of_agents", "int4", rows, each -> each.number().ofAgent())
                .column("of_tasks", "int4", rows, each -> each.number().ofTask())
                .column("of_steps", "int4", rows, each -> each.number().ofStep())
                .column(
                        "messages",
                        "text",
                        rows,
                        each -> each.number().message(each.run(), each.step()))
                .column("held", "text", rows, each -> each.held().toPlainString())
                .column("not_before", "int8", rows, each -> each.times().notBeforeMs())
                .later(rows.size(), "account " + account + " does not exist");
    }

    /// Those of them that nobody had before, as they are now.
    public static List<StepAttempt> begin(Tx tx, UUID account, List<Claim> claims)
            throws SQLException {
        return SQL.on(tx, "begin")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .column("ids", "uuid", claims, Claim::attempt)
                .column("workers", "text", claims, Claim::worker)
                .list(AttemptSql::read);
    }

    public static void end(Tx tx, UUID account, List<StepAttempt> rows) {
        SQL.on(tx, "end")
                .uuid("account", account)
                .column("ids", "uuid", rows, StepAttempt::id)
                .column("statuses", "text", rows, each -> each.status().word())
                .column("applied", "bool", rows, StepAttempt::applied)
                .column("ended", "int8", rows, each -> each.times().endedMs())
                .column("codes", "text", rows, each -> each.ended().errorCode())
                .column("https", "int4", rows, each -> each.ended().httpStatus())
                .column("errors", "text", rows, each -> each.ended().message())
                .column("partial", "bool", rows, each -> each.ended().partial())
                .column("retry_after", "int4", rows, each -> each.ended().retryAfterSeconds())
                .column("usages", "text", rows, each -> each.ended().usage())
                .column("logs_refs", "text", rows, each -> each.ended().logsRef())
                .later(rows.size(), "an attempt of a step is gone");
    }

    /// What follows from their ends has followed.
    public static void apply(Tx tx, UUID account, List<UUID> ids) {
        SQL.on(tx, "apply")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .later(ids.size(), "an attempt of a step is gone");
    }

    /// Ends those that are under way; the credits that were held for each.
    public static List<BigDecimal> cancel(Tx tx, UUID account, Collection<UUID> ids)
            throws SQLException {
        return SQL.on(tx, "cancel")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(row -> row.getBigDecimal("credits_held"));
    }

    /// What ended during a pause, in the order of the ends.
    public static List<StepAttempt> unapplied(Tx tx, UUID account, UUID run, int most)
            throws SQLException {
        return SQL.on(tx, "unapplied")
                .uuid("account", account)
                .uuid("run", run)
                .integer("most", most)
                .list(AttemptSql::read);
    }

    /// How many attempts ended since a time.
    ///
    /// @param failed at the most as many as were asked for
    /// @param ended the same of all
    public record Outcomes(int failed, int ended) {}

    public static Outcomes outcomesSince(
            Tx tx, UUID account, UUID run, long sinceMs, int mostFailed, int most)
            throws SQLException {
        return Objects.requireNonNull(
                SQL.on(tx, "outcomes_since")
                        .uuid("account", account)
                        .uuid("run", run)
                        .bigint("since", sinceMs)
                        .integer("most_failed", mostFailed)
                        .integer("most", most)
                        .one(row -> new Outcomes(row.getInt("failed"), row.getInt("ended"))));
    }

    static StepAttempt read(ResultSet row) throws SQLException {
        int http = row.getInt("error_status");
        Integer httpStatus = row.wasNull() ? null : Integer.valueOf(http);
        int seconds = row.getInt("retry_after_seconds");
        Integer retryAfter = row.wasNull() ? null : Integer.valueOf(seconds);
        boolean half = row.getBoolean("error_partial");
        Boolean partial = row.wasNull() ? null : Boolean.valueOf(half);
        return new StepAttempt(
                row.getObject("id", UUID.class),
                row.getObject("run_id", UUID.class),
                row.getObject("step_id", UUID.class),
                new Number(
                        row.getInt("run_attempt"),
                        row.getInt("agent_attempt"),
                        row.getInt("task_attempt"),
                        row.getInt("attempt_number")),
                AttemptStatus.of(row.getString("status")),
                row.getBoolean("applied"),
                row.getBigDecimal("credits_held"),
                new Times(
                        row.getLong("created_ms"),
                        Bound.nullableLong(row, "not_before_ms"),
                        Bound.nullableLong(row, "started_ms"),
                        Bound.nullableLong(row, "ended_ms")),
                new Ended(
                        row.getString("error_code"),
                        httpStatus,
                        row.getString("error"),
                        partial,
                        retryAfter,
                        row.getString("usage"),
                        row.getString("logs_ref"),
                        row.getString("worker")));
    }
}
