package io.orchestrion.runs.tree;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.state.TaskStatus;

import org.jspecify.annotations.Nullable;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// Binds and reads the statements of `task.sql`; decides nothing.
public final class TaskSql {
    private static final NamedSql SQL = NamedSql.beside(TaskSql.class, "task.sql");

    private TaskSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    public static List<Task> lock(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(TaskSql::read);
    }

    public static @Nullable Task find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(TaskSql::read);
    }

    /// The first tasks of an agent that wait for nothing more.
    public static List<Task> lockNext(Tx tx, UUID account, UUID agent, int most)
            throws SQLException {
        return SQL.on(tx, "lock_next")
                .uuid("account", account)
                .uuid("agent", agent)
                .integer("most", most)
                .list(TaskSql::read);
    }

    /// The tasks of an agent that steps are given out of.
    public static List<Task> lockActive(Tx tx, UUID account, UUID agent) throws SQLException {
        return SQL.on(tx, "lock_active")
                .uuid("account", account)
                .uuid("agent", agent)
                .list(TaskSql::read);
    }

    /// In their order, those after a place.
    public static List<Task> ofAgent(Tx tx, UUID account, UUID agent, int after, int most)
            throws SQLException {
        return SQL.on(tx, "of_agent")
                .uuid("account", account)
                .uuid("agent", agent)
                .integer("after", after)
                .integer("most", most)
                .list(TaskSql::read);
    }

    public static void insert(Tx tx, UUID account, List<Task> tasks) {
        Task first = tasks.getFirst();
        SQL.on(tx, "insert")
                .uuid("account", account)
                .uuid("run", first.home().run())
                .bigint("timeout", first.clock().timeoutMs())
                .bigint("now", first.clock().createdMs())
                .column("ids", "uuid", tasks, Task::id)
                .column("agents", "uuid", tasks, each -> each.home().agent())
                .column("sequences", "int4", tasks, each -> each.home().sequence())
                .column("names", "text", tasks, each -> each.spec().name())
                .column("failures", "text", tasks, each -> each.spec().failureMode().word())
                .column("parallelisms", "text", tasks, each -> each.spec().parallelism().word())
                .column("dependencies", "text", tasks, each -> each.links().names())
                .column("dependents", "text", tasks, each -> ids(each.links()))
                .column("needs", "int4", tasks, each -> each.links().unmet())
                .column("rounds", "int4", tasks, each -> each.home().round())
                .column("steps", "int4", tasks, each -> each.progress().steps())
                .later(tasks.size(), "account " + account + " does not exist");
    }

    public static void update(Tx tx, UUID account, List<Task> rows) {
        SQL.on(tx, "update")
                .uuid("account", account)
                .column("ids", "uuid", rows, Task::id)
                .column("statuses", "text", rows, each -> each.status().word())
                .column("seqs", "int4", rows, Task::seq)
                .column("active", "bool", rows, each -> each.progress().active())
                .column("attempts", "int4", rows, each -> each.progress().attempt())
                .column("open", "int4", rows, each -> each.progress().open())
                .column("given_out", "int4", rows, each -> each.progress().givenOut())
                .column("completed", "int4", rows, each -> each.progress().completed())
                .column("skipped", "int4", rows, each -> each.progress().skipped())
                .column("active_ms", "int8", rows, each -> each.clock().activeMs())
                .column("since", "int8", rows, each -> each.clock().runningSinceMs())
                .column("deadlines", "int8", rows, each -> each.clock().deadlineMs())
                .column("not_before", "int8", rows, each -> each.clock().notBeforeMs())
                .column("started", "int8", rows, each -> each.clock().startedMs())
                .column("ended", "int8", rows, each -> each.clock().endedMs())
                .column("skip_reasons", "text", rows, each -> each.fault().skipReason())
                .column("codes", "text", rows, each -> each.fault().code())
                .column("errors", "text", rows, each -> each.fault().message())
                .later(rows.size(), "a task is gone");
    }

    /// Those of them that begin with this claim, as they are now.
    public static List<Task> begin(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "begin")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(TaskSql::read);
    }

    /// What waited for a task that ended well waits for one less.
    public static void meet(Tx tx, UUID account, List<UUID> ids) {
        SQL.on(tx, "meet")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .later(ids.size(), "a task is gone");
    }

    /// Those of them that had not begun, which now never do.
    public static List<Task> skip(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "skip")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(TaskSql::read);
    }

    /// How many went.
    public static int cancelOpen(
            Tx tx, UUID account, Collection<UUID> agents, Collection<UUID> except)
            throws SQLException {
        return SQL.on(tx, "cancel_open")
                .uuid("account", account)
                .uuids("agents", List.copyOf(agents))
                .uuids("except", List.copyOf(except))
                .bigint("now", tx.nowMillis())
                .update();
    }

    /// All tasks of an agent from their beginning; how many there are.
    public static int reset(Tx tx, UUID account, UUID agent) throws SQLException {
        return SQL.on(tx, "reset")
                .uuid("account", account)
                .uuid("agent", agent)
                .list(row -> row.getObject("id", UUID.class))
                .size();
    }

    /// What an agent had planned before it begins anew.
    public static void setApart(Tx tx, UUID account, UUID agent) {
        SQL.on(tx, "set_apart").uuid("account", account).uuid("agent", agent).later();
    }

    /// The tasks that an agent has planned for itself, by name.
    public static Map<String, TaskStatus> names(Tx tx, UUID account, UUID agent)
            throws SQLException {
        var names = new LinkedHashMap<String, TaskStatus>();
        SQL.on(tx, "names")
                .uuid("account", account)
                .uuid("agent", agent)
                .list(
                        row ->
                                names.put(
                                        row.getString("name"),
                                        TaskStatus.of(row.getString("status"))));
        return names;
    }

    public static void pause(Tx tx, UUID account, Collection<UUID> agents) {
        ofAgents(tx, "pause", account, agents);
    }

    public static void goOn(Tx tx, UUID account, Collection<UUID> agents) {
        ofAgents(tx, "go_on", account, agents);
    }

    private static void ofAgents(Tx tx, String name, UUID account, Collection<UUID> agents) {
        SQL.on(tx, name)
                .uuid("account", account)
                .uuids("agents", List.copyOf(agents))
                .bigint("now", tx.nowMillis())
                .later();
    }

    static Task read(ResultSet row) throws SQLException {
        return new Task(
                row.getObject("id", UUID.class),
                new Task.Home(
                        row.getObject("run_id", UUID.class),
                        row.getObject("agent_id", UUID.class),
                        row.getInt("sequence_number"),
                        row.getInt("round")),
                new Task.Spec(
                        row.getString("name"),
                        FailureMode.named(row.getString("failure_mode")).orElseThrow(),
                        ParallelismMode.named(row.getString("parallelism_mode")).orElseThrow()),
                links(row),
                TaskStatus.of(row.getString("status")),
                row.getInt("seq"),
                new Task.Progress(
                        row.getBoolean("active"),
                        row.getInt("task_attempt"),
                        row.getInt("step_count"),
                        row.getInt("steps_open"),
                        row.getInt("steps_active"),
                        row.getInt("steps_completed"),
                        row.getInt("steps_skipped")),
                AgentSql.clock(row),
                new Fault(
                        row.getString("skip_reason"),
                        row.getString("error_code"),
                        row.getString("error")));
    }

    static String ids(Links links) {
        return links.dependents().stream().map(UUID::toString).collect(Collectors.joining(","));
    }

    static Links links(ResultSet row) throws SQLException {
        Array dependents = row.getArray("dependents");
        return new Links(
                Links.names(row.getString("dependencies")),
                List.of((UUID[]) dependents.getArray()),
                row.getInt("unmet"));
    }
}
