package io.orchestrion.runs.tree;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.state.AgentStatus;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `agent.sql`; decides nothing.
public final class AgentSql {
    private static final NamedSql SQL = NamedSql.beside(AgentSql.class, "agent.sql");

    private AgentSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    public static List<Agent> lock(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(AgentSql::read);
    }

    /// All agents of an attempt that have not ended.
    public static List<Agent> lockOpen(Tx tx, UUID account, UUID run, int attempt)
            throws SQLException {
        return SQL.on(tx, "lock_open")
                .uuid("account", account)
                .uuid("run", run)
                .integer("attempt", attempt)
                .list(AgentSql::read);
    }

    public static @Nullable Agent find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(AgentSql::read);
    }

    /// @param attempt null for those of all attempts
    public static List<Agent> ofRun(Tx tx, UUID account, UUID run, @Nullable Integer attempt)
            throws SQLException {
        return SQL.on(tx, "of_run")
                .uuid("account", account)
                .uuid("run", run)
                .integer("attempt", attempt)
                .list(AgentSql::read);
    }

    /// Workers of one plan that failed, tolerated or not.
    public static List<Agent> lost(Tx tx, UUID account, UUID run, int attempt, int version)
            throws SQLException {
        return SQL.on(tx, "lost")
                .uuid("account", account)
                .uuid("run", run)
                .integer("attempt", attempt)
                .integer("version", version)
                .list(AgentSql::read);
    }

    /// @param agents new ones of one plan and role
    public static void insert(Tx tx, UUID account, List<Agent> agents) {
        Agent first = agents.getFirst();
        SQL.on(tx, "insert")
                .uuid("account", account)
                .uuid("run", first.run())
                .integer("attempt", first.place().attempt())
                .integer("version", first.place().planVersion())
                .text("role", first.place().role().word())
                .bigint("timeout", first.clock().timeoutMs())
                .bigint("now", first.clock().createdMs())
                .column("ids", "uuid", agents, Agent::id)
                .column("sequences", "int4", agents, each -> each.place().sequence())
                .column("subtasks", "text", agents, each -> each.spec().subtask())
                .column("failures", "text", agents, each -> each.spec().failureMode().word())
                .column("parallelisms", "text", agents, each -> each.spec().parallelism().word())
                .column("loops", "bool", agents, each -> each.spec().loops())
                .column("tasks", "int4", agents, each -> each.progress().tasks())
                .later(agents.size(), "account " + account + " does not exist");
    }

    public static void update(Tx tx, UUID account, List<Agent> rows) {
        SQL.on(tx, "update")
                .uuid("account", account)
                .column("ids", "uuid", rows, Agent::id)
                .column("statuses", "text", rows, each -> each.status().word())
                .column("seqs", "int4", rows, Agent::seq)
                .column("loops", "bool", rows, each -> each.spec().loops())
                .column("rounds", "int4", rows, each -> each.progress().rounds())
                .column("superseded", "bool", rows, each -> each.progress().superseded())
                .column("attempts", "int4", rows, each -> each.progress().attempt())
                .column("tasks", "int4", rows, each -> each.progress().tasks())
                .column("open", "int4", rows, each -> each.progress().open())
                .column("active", "int4", rows, each -> each.progress().active())
                .column("completed", "int4", rows, each -> each.progress().completed())
                .column("skipped", "int4", rows, each -> each.progress().skipped())
                .column("active_ms", "int8", rows, each -> each.clock().activeMs())
                .column("since", "int8", rows, each -> each.clock().runningSinceMs())
                .column("deadlines", "int8", rows, each -> each.clock().deadlineMs())
                .column("not_before", "int8", rows, each -> each.clock().notBeforeMs())
                .column("started", "int8", rows, each -> each.clock().startedMs())
                .column("ended", "int8", rows, each -> each.clock().endedMs())
                .column("codes", "text", rows, each -> each.fault().code())
                .column("errors", "text", rows, each -> each.fault().message())
                .later(rows.size(), "an agent is gone");
    }

    /// Those of them that begin with this claim, as they are now.
    public static List<Agent> begin(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "begin")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(AgentSql::read);
    }

    static Agent read(ResultSet row) throws SQLException {
        return new Agent(
                row.getObject("id", UUID.class),
                row.getObject("run_id", UUID.class),
                new Agent.Place(
                        row.getInt("attempt_number"),
                        row.getInt("plan_version"),
                        row.getInt("sequence_number"),
                        Agent.Role.named(row.getString("role")).orElseThrow()),
                new Agent.Spec(
                        row.getString("subtask"),
                        FailureMode.named(row.getString("failure_mode")).orElseThrow(),
                        ParallelismMode.named(row.getString("parallelism_mode")).orElseThrow(),
                        row.getBoolean("loops")),
                AgentStatus.of(row.getString("status")),
                row.getInt("seq"),
                new Agent.Progress(
                        row.getInt("agent_attempt"),
                        row.getInt("rounds"),
                        row.getBoolean("superseded"),
                        row.getInt("task_count"),
                        row.getInt("tasks_open"),
                        row.getInt("tasks_active"),
                        row.getInt("tasks_completed"),
                        row.getInt("tasks_skipped")),
                clock(row),
                new Fault(null, row.getString("error_code"), row.getString("error")));
    }

    static Clock clock(ResultSet row) throws SQLException {
        return new Clock(
                row.getLong("timeout_ms"),
                row.getLong("active_ms"),
                Bound.nullableLong(row, "running_since_ms"),
                Bound.nullableLong(row, "deadline_ms"),
                Bound.nullableLong(row, "not_before_ms"),
                row.getLong("created_ms"),
                Bound.nullableLong(row, "started_ms"),
                Bound.nullableLong(row, "ended_ms"));
    }
}
