package io.orchestrion.runs.run;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `run.sql`; decides nothing.
public final class RunSql {
    private static final NamedSql SQL = NamedSql.beside(RunSql.class, "run.sql");

    private RunSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// Locks those that nobody else has locked.
    public static List<Run> lockFree(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock_free")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(RunSql::read);
    }

    /// The plan that was sent along; null for none.
    public static @Nullable String plan(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "plan")
                .uuid("account", account)
                .uuid("id", id)
                .one(row -> row.getString("plan"));
    }

    /// Waits for its lock; null where there is none.
    public static @Nullable Run lock(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "lock", account, id);
    }

    /// Null where there is none, or somebody else has locked it.
    public static @Nullable Run lockIfFree(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "lock_if_free", account, id);
    }

    public static @Nullable Run find(Tx tx, UUID account, UUID id) throws SQLException {
        return one(tx, "find", account, id);
    }

    private static @Nullable Run one(Tx tx, String statement, UUID account, UUID id)
            throws SQLException {
        return SQL.on(tx, statement).uuid("account", account).uuid("id", id).one(RunSql::read);
    }

    public static List<Run> page(Tx tx, RunQuery query) throws SQLException {
        RunStatus status = query.status();
        Bound bound =
                SQL.on(tx, "page")
                        .uuid("account", query.account())
                        .uuid("before", query.before())
                        .text("status", status == null ? null : status.word())
                        .bigint("created_from", query.createdFromMs())
                        .bigint("created_to", query.createdToMs())
                        .integer("most", query.limit());
        return bound.boolOrNull("escalated", query.escalated()).list(RunSql::read);
    }

    public static void insert(Tx tx, Run run) {
        Asked asked = run.asked();
        Bounds bounds = run.bounds();
        Timeouts timeouts = bounds.timeouts();
        SQL.on(tx, "insert")
                .uuid("account", run.account())
                .uuid("id", run.id())
                .integer("seq", run.seq())
                .text("status", run.status().word())
                .text("name", asked.name())
                .text("task", asked.task())
                .text("context", asked.context())
                .text("plan", asked.plan())
                .text("planner", asked.planner().word())
                .text("priority", asked.priority().word())
                .text("failure_mode", asked.failureMode().word())
                .text("tool_policies", asked.toolPolicies())
                .text("created_by", asked.createdBy())
                .text("trace", asked.trace())
                .integer("max_attempts", bounds.attempts())
                .integer("max_agents", bounds.agents())
                .integer("max_replans", bounds.replans())
                .bigint("max_tokens", bounds.tokens())
                .integer("max_tasks", bounds.tasksAtOnce())
                .integer("max_steps", bounds.stepsAtOnce())
                .bigint("pending_ms", timeouts.pendingMs())
                .bigint("running_ms", timeouts.runningMs())
                .bigint("paused_ms", timeouts.pausedMs())
                .bigint("resuming_ms", timeouts.resumingMs())
                .bigint("retrying_ms", timeouts.retryingMs())
                .bigint("agent_ms", timeouts.agentMs())
                .bigint("task_ms", timeouts.taskMs())
                .bigint("step_ms", timeouts.stepMs())
                .bigint("planning_ms", timeouts.planningMs())
                .bigint("created", run.times().createdMs())
                .later(1, "account " + run.account() + " does not exist");
    }

    public static void update(Tx tx, Run run) {
        Progress progress = run.progress();
        Counts counts = run.counts();
        Credits credits = run.credits();
        Times times = run.times();
        Note note = run.note();
        SQL.on(tx, "update")
                .uuid("account", run.account())
                .uuid("id", run.id())
                .integer("seq", run.seq())
                .text("status", run.status().word())
                .integer("attempt", progress.attempt())
                .integer("plan_version", progress.planVersion())
                .integer("replans", progress.replans())
                .integer("agents", counts.agents())
                .integer("tasks", counts.tasks())
                .integer("steps", counts.steps())
                .integer("open", counts.plan().open())
                .integer("completed_agents", counts.plan().completed())
                .integer("skipped", counts.plan().skipped())
                .integer("lost_agents", counts.plan().lostAgents())
                .integer("lost_tasks", counts.plan().lostTasks())
                .integer("before", counts.plan().before())
                .integer("in_flight", progress.inFlight())
                .uuid("replanner", progress.replanner())
                .decimal("reserved", credits.reserved())
                .decimal("charged", credits.charged())
                .decimal("refunded", credits.refunded())
                .decimal("held", credits.held())
                .decimal("over", credits.over())
                .bool("short", credits.shortOf())
                .bigint("started", times.startedMs())
                .bigint("running", times.runningMs())
                .bigint("active", times.activeMs())
                .bigint("since", times.runningSinceMs())
                .bigint("deadline", times.deadlineMs())
                .bigint("heartbeat", times.heartbeatMs())
                .bigint("completed", times.ends().completedMs())
                .bigint("cancelled", times.ends().cancelledMs())
                .bigint("duration", times.ends().durationMs())
                .bigint("deleted", times.ends().deletedMs())
                .text("error_code", note.errorCode())
                .text("error", note.error())
                .text("pause_reason", note.pauseReason())
                .uuid("ticket", note.ticket())
                .bool("escalated", note.escalated())
                .bigint("window_from", note.windowFromMs())
                .uuid("driver", run.driver())
                .later(1, "run " + run.id() + " is gone");
    }

    public static Run read(ResultSet row) throws SQLException {
        return new Run(
                row.getObject("account_id", UUID.class),
                row.getObject("id", UUID.class),
                row.getInt("seq"),
                RunStatus.of(row.getString("status")),
                asked(row),
                bounds(row),
                new Run.State(progress(row), credits(row), row.getObject("driver_id", UUID.class)),
                times(row),
                note(row));
    }

    private static Asked asked(ResultSet row) throws SQLException {
        return new Asked(
                row.getString("name"),
                row.getString("task"),
                row.getString("context"),
                null,
                PlannerMode.named(row.getString("planner_mode")).orElseThrow(),
                Priority.named(row.getString("priority")).orElseThrow(),
                FailureMode.named(row.getString("failure_mode")).orElseThrow(),
                row.getString("tool_policies"),
                row.getString("created_by"),
                row.getString("trace"));
    }

    private static Bounds bounds(ResultSet row) throws SQLException {
        return new Bounds(
                row.getInt("max_attempts"),
                row.getInt("max_agents"),
                row.getInt("max_replans"),
                row.getLong("max_tokens"),
                row.getInt("max_concurrent_tasks"),
                row.getInt("max_concurrent_steps"),
                new Timeouts(
                        row.getLong("pending_timeout_ms"),
                        row.getLong("running_timeout_ms"),
                        row.getLong("paused_timeout_ms"),
                        row.getLong("resuming_timeout_ms"),
                        row.getLong("retrying_timeout_ms"),
                        row.getLong("agent_timeout_ms"),
                        row.getLong("task_timeout_ms"),
                        row.getLong("step_timeout_ms"),
                        row.getLong("planning_timeout_ms")));
    }

    private static Progress progress(ResultSet row) throws SQLException {
        return new Progress(
                row.getInt("attempt_number"),
                row.getInt("plan_version"),
                row.getInt("replan_count"),
                new Counts(
                        row.getInt("agent_count"),
                        row.getInt("task_count"),
                        row.getInt("step_count"),
                        new Counts.OfPlan(
                                row.getInt("agents_open"),
                                row.getInt("agents_completed"),
                                row.getInt("agents_skipped"),
                                row.getInt("agents_lost"),
                                row.getInt("tasks_lost"),
                                row.getInt("agents_completed_before"))),
                row.getInt("steps_in_flight"),
                row.getObject("replanner_id", UUID.class));
    }

    private static Credits credits(ResultSet row) throws SQLException {
        return new Credits(
                row.getBigDecimal("credits_reserved"),
                row.getBigDecimal("credits_charged"),
                row.getBigDecimal("credits_refunded"),
                row.getBigDecimal("credits_held"),
                row.getBigDecimal("credits_over"),
                row.getBoolean("short_of_credits"));
    }

    private static Times times(ResultSet row) throws SQLException {
        return new Times(
                row.getLong("created_ms"),
                Bound.nullableLong(row, "started_ms"),
                Bound.nullableLong(row, "running_ms"),
                row.getLong("active_ms"),
                Bound.nullableLong(row, "running_since_ms"),
                Bound.nullableLong(row, "deadline_ms"),
                Bound.nullableLong(row, "last_heartbeat_ms"),
                new Times.Ends(
                        Bound.nullableLong(row, "completed_ms"),
                        Bound.nullableLong(row, "cancelled_ms"),
                        Bound.nullableLong(row, "duration_ms"),
                        Bound.nullableLong(row, "deleted_ms")));
    }

    private static Note note(ResultSet row) throws SQLException {
        return new Note(
                row.getString("last_error_code"),
                row.getString("last_error"),
                row.getString("pause_reason"),
                row.getObject("ticket_id", UUID.class),
                row.getBoolean("escalated"),
                row.getLong("window_from_ms"));
    }
}
