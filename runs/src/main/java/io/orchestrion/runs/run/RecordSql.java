package io.orchestrion.runs.run;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `record.sql`; decides nothing.
public final class RecordSql {
    private static final NamedSql SQL = NamedSql.beside(RecordSql.class, "record.sql");

    private RecordSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    public static void begin(Tx tx, UUID account, UUID run, int attempt, BigDecimal reserved) {
        SQL.on(tx, "insert_attempt")
                .uuid("account", account)
                .uuid("run", run)
                .integer("attempt", attempt)
                .decimal("reserved", reserved)
                .bigint("now", tx.nowMillis())
                .later(1, "account " + account + " does not exist");
    }

    public static void end(Tx tx, UUID account, RunAttempt ended) {
        RunStatus outcome = ended.outcome();
        SQL.on(tx, "end_attempt")
                .uuid("account", account)
                .uuid("run", ended.run())
                .integer("attempt", ended.number())
                .text("outcome", outcome == null ? null : outcome.word())
                .decimal("charged", ended.credits().charged())
                .decimal("refunded", ended.credits().refunded())
                .text("error_code", ended.errorCode())
                .text("error", ended.error())
                .bigint("now", tx.nowMillis())
                .later(1, "an attempt of run " + ended.run() + " has ended before");
    }

    public static List<RunAttempt> attempts(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "attempts")
                .uuid("account", account)
                .uuid("run", run)
                .list(RecordSql::attempt);
    }

    public static RunAttempt attempt(ResultSet row) throws SQLException {
        String outcome = row.getString("outcome");
        return new RunAttempt(
                row.getObject("run_id", UUID.class),
                row.getInt("attempt_number"),
                outcome == null ? null : RunStatus.of(outcome),
                new RunAttempt.Sums(
                        row.getBigDecimal("credits_reserved"),
                        row.getBigDecimal("credits_charged"),
                        row.getBigDecimal("credits_refunded")),
                row.getString("error_code"),
                row.getString("error"),
                row.getLong("started_ms"),
                Bound.nullableLong(row, "ended_ms"));
    }

    /// The number is the next one of the run.
    public static void add(Tx tx, UUID account, Transition transition) {
        RunStatus from = transition.from();
        SQL.on(tx, "insert_transition")
                .uuid("account", account)
                .uuid("run", transition.run())
                .integer("attempt", transition.attempt())
                .text("from", from == null ? null : from.word())
                .text("to", transition.to().word())
                .text("actor", transition.actor())
                .text("reason", transition.reason())
                .bigint("now", transition.atMs())
                .later(1, "account " + account + " does not exist");
    }

    public static List<Transition> transitions(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "transitions")
                .uuid("account", account)
                .uuid("run", run)
                .list(RecordSql::transition);
    }

    public static Transition transition(ResultSet row) throws SQLException {
        String from = row.getString("from_status");
        return new Transition(
                row.getObject("run_id", UUID.class),
                row.getInt("number"),
                row.getInt("attempt_number"),
                from == null ? null : RunStatus.of(from),
                RunStatus.of(row.getString("to_status")),
                row.getString("actor"),
                row.getString("reason"),
                row.getLong("at_ms"));
    }

    public static void add(Tx tx, UUID account, Decision decision) {
        SQL.on(tx, "insert_decision")
                .uuid("account", account)
                .uuid("id", decision.id())
                .uuid("run", decision.run())
                .integer("attempt", decision.attempt())
                .text("level", decision.level().word())
                .uuid("subject", decision.subject())
                .text("kind", decision.kind().word())
                .text("trigger", decision.trigger())
                .text("inputs", decision.inputs())
                .text("outcome", decision.outcome())
                .bigint("now", decision.atMs())
                .later(1, "account " + account + " does not exist");
    }

    /// Oldest first.
    public static List<Decision> decisions(
            Tx tx, UUID account, UUID run, @Nullable UUID after, int most) throws SQLException {
        return SQL.on(tx, "decisions")
                .uuid("account", account)
                .uuid("run", run)
                .uuid("after", after)
                .integer("most", most)
                .list(RecordSql::decision);
    }

    private static Decision decision(ResultSet row) throws SQLException {
        return new Decision(
                row.getObject("id", UUID.class),
                row.getObject("run_id", UUID.class),
                row.getInt("attempt_number"),
                Decision.Level.of(row.getString("level")),
                row.getObject("subject_id", UUID.class),
                Decision.Kind.of(row.getString("kind")),
                row.getString("trigger"),
                row.getString("inputs"),
                row.getString("outcome"),
                row.getLong("at_ms"));
    }

    public static void add(Tx tx, UUID account, PlanVersion plan) {
        SQL.on(tx, "insert_plan")
                .uuid("account", account)
                .uuid("run", plan.run())
                .integer("attempt", plan.attempt())
                .integer("version", plan.version())
                .text("source", plan.source().word())
                .text("document", plan.document())
                .text("analysis", plan.failureAnalysis())
                .text("made_by", plan.madeBy())
                .bigint("now", plan.atMs())
                .later(1, "account " + account + " does not exist");
    }

    public static List<PlanVersion> plans(Tx tx, UUID account, UUID run) throws SQLException {
        return SQL.on(tx, "plans").uuid("account", account).uuid("run", run).list(RecordSql::plan);
    }

    /// Null where there is no such plan.
    public static @Nullable PlanVersion plan(
            Tx tx, UUID account, UUID run, int attempt, int version) throws SQLException {
        return SQL.on(tx, "plan")
                .uuid("account", account)
                .uuid("run", run)
                .integer("attempt", attempt)
                .integer("version", version)
                .one(RecordSql::plan);
    }

    public static PlanVersion plan(ResultSet row) throws SQLException {
        return new PlanVersion(
                row.getObject("run_id", UUID.class),
                row.getInt("attempt_number"),
                row.getInt("plan_version"),
                PlanVersion.Source.of(row.getString("source")),
                row.getString("document"),
                row.getString("failure_analysis"),
                row.getString("made_by"),
                row.getLong("at_ms"));
    }

    /// The item that this message made since then; null for none.
    public static @Nullable UUID enqueued(Tx tx, UUID account, String message, long sinceMs)
            throws SQLException {
        return SQL.on(tx, "enqueued")
                .uuid("account", account)
                .text("message", message)
                .bigint("since", sinceMs)
                .one(row -> row.getObject("item_id", UUID.class));
    }

    public static void enqueue(
            Tx tx, UUID account, UUID run, String message, UUID item, String queue) {
        SQL.on(tx, "enqueue")
                .uuid("account", account)
                .uuid("run", run)
                .text("message", message)
                .uuid("item", item)
                .text("queue", queue)
                .bigint("now", tx.nowMillis())
                .later(1, "account " + account + " does not exist");
    }
}
