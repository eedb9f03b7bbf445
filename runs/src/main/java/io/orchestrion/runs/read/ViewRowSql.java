package io.orchestrion.runs.read;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.tree.Links;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/// Reads the rows of `read.sql`.
final class ViewRowSql {

    private ViewRowSql() {}

    static AgentView agent(ResultSet row) throws SQLException {
        return new AgentView(
                id(row, "id"),
                id(row, "run_id"),
                new AgentView.Place(
                        row.getInt("attempt_number"),
                        row.getInt("plan_version"),
                        row.getInt("sequence_number"),
                        row.getString("role").equals("planner"),
                        row.getBoolean("superseded")),
                row.getString("subtask"),
                AgentStatus.of(row.getString("status")),
                failureMode(row),
                mode(row),
                new AgentView.Tasks(
                        row.getInt("agent_attempt"),
                        row.getInt("task_count"),
                        row.getInt("tasks_open"),
                        row.getBoolean("loops"),
                        row.getInt("rounds")),
                lived(row),
                trouble(row));
    }

    static TaskView task(ResultSet row) throws SQLException {
        return new TaskView(
                id(row, "id"),
                new TaskView.Place(
                        id(row, "run_id"),
                        id(row, "agent_id"),
                        row.getInt("attempt_number"),
                        row.getInt("sequence_number"),
                        row.getInt("round"),
                        Links.names(row.getString("dependencies")),
                        row.getInt("unmet")),
                row.getString("name"),
                TaskStatus.of(row.getString("status")),
                failureMode(row),
                mode(row),
                new TaskView.Steps(
                        row.getInt("task_attempt"),
                        row.getInt("step_count"),
                        row.getInt("steps_open")),
                lived(row),
                row.getString("skip_reason"),
                trouble(row));
    }

    static StepView step(ResultSet row) throws SQLException {
        return new StepView(
                id(row, "id"),
                new StepView.Place(
                        id(row, "run_id"),
                        id(row, "agent_id"),
                        id(row, "task_id"),
                        row.getInt("sequence_number"),
                        mode(row),
                        TaskStatus.of(row.getString("task_status")),
                        Links.names(row.getString("dependencies")),
                        row.getInt("unmet")),
                row.getString("name"),
                new StepView.Call(
                        row.getString("kind"),
                        row.getString("tool"),
                        row.getString("input"),
                        row.getString("idempotency_key"),
                        Bound.nullableLong(row, "timeout_ms"),
                        row.getInt("max_attempts"),
                        Bound.nullableLong(row, "max_tokens"),
                        row.getString("policy")),
                StepStatus.of(row.getString("status")),
                new StepView.Attempts(row.getInt("attempts_made"), open(row)),
                new StepView.Output(row.getString("output"), nullableInt(row, "output_bytes")),
                lived(row),
                row.getString("skip_reason"),
                trouble(row));
    }

    private static StepView.@Nullable Open open(ResultSet row) throws SQLException {
        UUID open = row.getObject("open_id", UUID.class);
        return open == null
                ? null
                : new StepView.Open(
                        open,
                        row.getString("approval_id") != null,
                        "running".equals(row.getString("open_status")),
                        Bound.nullableLong(row, "open_not_before_ms"));
    }

    static StepAttemptView stepAttempt(ResultSet row) throws SQLException {
        String code = row.getString("error_code");
        String error = row.getString("error");
        return new StepAttemptView(
                id(row, "id"),
                id(row, "step_id"),
                new StepAttemptView.Number(
                        row.getInt("run_attempt"),
                        row.getInt("agent_attempt"),
                        row.getInt("task_attempt"),
                        row.getInt("attempt_number")),
                row.getString("status"),
                new StepAttemptView.Times(
                        row.getLong("created_ms"),
                        Bound.nullableLong(row, "not_before_ms"),
                        Bound.nullableLong(row, "started_ms"),
                        Bound.nullableLong(row, "ended_ms")),
                code == null && error == null
                        ? null
                        : new StepAttemptView.Failed(
                                code,
                                nullableInt(row, "error_status"),
                                error,
                                nullableInt(row, "retry_after_seconds")),
                new StepAttemptView.Used(
                        Bound.nullableLong(row, "tokens"), row.getBigDecimal("charged")),
                row.getString("worker"),
                row.getString("logs_ref"));
    }

    static ApprovalView approval(ResultSet row) throws SQLException {
        Long decided = Bound.nullableLong(row, "decided_ms");
        return new ApprovalView(
                id(row, "id"),
                id(row, "run_id"),
                id(row, "step_id"),
                row.getInt("attempt_number"),
                row.getString("status"),
                row.getString("tool"),
                row.getString("input"),
                row.getLong("requested_ms"),
                decided == null
                        ? null
                        : new ApprovalView.Decided(
                                row.getString("decided_by"), row.getString("note"), decided));
    }

    static TicketView ticket(ResultSet row) throws SQLException {
        Long resolved = Bound.nullableLong(row, "resolved_ms");
        return new TicketView(
                id(row, "id"),
                id(row, "run_id"),
                row.getString("status"),
                row.getString("severity"),
                new TicketView.Why(
                        row.getString("trigger"),
                        row.getString("last_trigger"),
                        row.getString("error_code"),
                        row.getString("error")),
                row.getInt("added"),
                row.getBoolean("holds"),
                row.getLong("created_ms"),
                resolved == null
                        ? null
                        : new TicketView.Resolved(
                                row.getString("resolved_by"),
                                row.getString("resolution"),
                                row.getString("note"),
                                resolved));
    }

    static StuckRun stuck(ResultSet row, long silentMs, long nowMs) throws SQLException {
        Long beat = Bound.nullableLong(row, "last_heartbeat_ms");
        return new StuckRun(
                id(row, "account_id"),
                id(row, "id"),
                row.getInt("attempt_number"),
                row.getLong("active_ms") + nowMs - row.getLong("running_since_ms"),
                beat,
                beat == null || beat < silentMs,
                row.getBigDecimal("credits_reserved"),
                row.getBigDecimal("credits_charged"));
    }

    private static UUID id(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    private static @Nullable Integer nullableInt(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    private static FailureMode failureMode(ResultSet row) throws SQLException {
        return FailureMode.named(row.getString("failure_mode")).orElseThrow();
    }

    private static ParallelismMode mode(ResultSet row) throws SQLException {
        return ParallelismMode.named(row.getString("parallelism_mode")).orElseThrow();
    }

    private static AgentView.Lived lived(ResultSet row) throws SQLException {
        return new AgentView.Lived(
                row.getLong("created_ms"),
                Bound.nullableLong(row, "not_before_ms"),
                Bound.nullableLong(row, "started_ms"),
                Bound.nullableLong(row, "ended_ms"));
    }

    private static AgentView.@Nullable Trouble trouble(ResultSet row) throws SQLException {
        String error = row.getString("error");
        String code = row.getString("error_code");
        return error == null && code == null
                ? null
                : new AgentView.Trouble(code, error == null ? String.valueOf(code) : error);
    }
}
