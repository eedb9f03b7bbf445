package io.orchestrion.runs.tree;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.state.StepStatus;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `step.sql`; decides nothing.
public final class StepSql {
    private static final NamedSql SQL = NamedSql.beside(StepSql.class, "step.sql");

    private StepSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// What a step gave, as a later one is told of it.
    public record Given(UUID id, String name, String output, int bytes) {}

    public static List<Step> lock(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(StepSql::read);
    }

    public static @Nullable Step find(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "find").uuid("account", account).uuid("id", id).one(StepSql::read);
    }

    /// The first steps of a task that nobody has and that wait for nothing more.
    public static List<Step> lockNext(Tx tx, UUID account, UUID task, int most)
            throws SQLException {
        return SQL.on(tx, "lock_next")
                .uuid("account", account)
                .uuid("task", task)
                .integer("most", most)
                .list(StepSql::read);
    }

    /// In their order, those after a place.
    public static List<Step> ofTask(Tx tx, UUID account, UUID task, int after, int most)
            throws SQLException {
        return SQL.on(tx, "of_task")
                .uuid("account", account)
                .uuid("task", task)
                .integer("after", after)
                .integer("most", most)
                .list(StepSql::read);
    }

    public static List<Given> outputs(Tx tx, UUID account, UUID task, List<String> names)
            throws SQLException {
        return SQL.on(tx, "outputs_of_named")
                .uuid("account", account)
                .uuid("task", task)
                .texts("names", List.copyOf(names))
                .list(StepSql::given);
    }

    /// The newest first.
    public static List<Given> outputsBefore(Tx tx, UUID account, UUID task, int before, int most)
            throws SQLException {
        return SQL.on(tx, "outputs_before")
                .uuid("account", account)
                .uuid("task", task)
                .integer("before", before)
                .integer("most", most)
                .list(StepSql::given);
    }

    /// What the last steps of tasks gave, from one place to another.
    ///
    /// @param names of the tasks; null for all
    public static List<Given> outputsOfTasks(
            Tx tx,
            UUID account,
            UUID agent,
            int from,
            int to,
            @Nullable List<String> names,
            int most)
            throws SQLException {
        Bound bound =
                SQL.on(tx, "outputs_of_tasks")
                        .uuid("account", account)
                        .uuid("agent", agent)
                        .integer("from", from)
                        .integer("to", to)
                        .integer("most", most);
        return bound.textsOrNull("names", names).list(StepSql::given);
    }

    private static Given given(ResultSet row) throws SQLException {
        String output = row.getString("output");
        return new Given(
                row.getObject("id", UUID.class),
                row.getString("name"),
                output == null ? "null" : output,
                row.getInt("output_bytes"));
    }

    public static void insert(Tx tx, UUID account, List<Step> steps) {
        Step first = steps.getFirst();
        SQL.on(tx, "insert")
                .uuid("account", account)
                .uuid("run", first.home().run())
                .bigint("now", first.times().createdMs())
                .column("ids", "uuid", steps, Step::id)
                .column("agents", "uuid", steps, each -> each.home().agent())
                .column("tasks", "uuid", steps, each -> each.home().task())
                .column("sequences", "int4", steps, each -> each.home().sequence())
                .column("names", "text", steps, each -> each.home().name())
                .column("kinds", "text", steps, each -> each.home().kind().word())
                .column("tools", "text", steps, each -> each.call().tool())
                .column("inputs", "text", steps, each -> each.call().input())
                .column("keys", "text", steps, each -> each.call().key())
                .column("dependencies", "text", steps, each -> each.links().names())
                .column("dependents", "text", steps, each -> TaskSql.ids(each.links()))
                .column("needs", "int4", steps, each -> each.links().unmet())
                .column("timeouts", "int8", steps, each -> each.call().timeoutMs())
                .column("attempts", "int4", steps, each -> each.call().maxAttempts())
                .column("tokens", "int8", steps, each -> each.call().maxTokens())
                .column("schemas", "text", steps, each -> each.call().outputSchema())
                .column(
                        "policies",
                        "text",
                        steps,
                        each -> each.call().confirmed() ? "confirm" : "allow")
                .later(steps.size(), "account " + account + " does not exist");
    }

    public static void update(Tx tx, UUID account, List<Step> rows) {
        SQL.on(tx, "update")
                .uuid("account", account)
                .column("ids", "uuid", rows, Step::id)
                .column("statuses", "text", rows, each -> each.status().word())
                .column("seqs", "int4", rows, Step::seq)
                .column("approved", "bool", rows, each -> each.progress().approved())
                .column("open", "uuid", rows, each -> each.progress().open())
                .column("attempts", "int4", rows, each -> each.progress().attempt())
                .column("made", "int4", rows, each -> each.progress().made())
                .column("not_before", "int8", rows, each -> each.progress().notBeforeMs())
                .column("outputs", "text", rows, StepSql::output)
                .column("bytes", "int4", rows, StepSql::bytes)
                .column("output_items", "uuid", rows, StepSql::item)
                .column("started", "int8", rows, each -> each.times().startedMs())
                .column("ended", "int8", rows, each -> each.times().endedMs())
                .column("skip_reasons", "text", rows, each -> each.fault().skipReason())
                .column("codes", "text", rows, each -> each.fault().code())
                .column("errors", "text", rows, each -> each.fault().message())
                .later(rows.size(), "a step is gone");
    }

    private static @Nullable String output(Step step) {
        Step.Output output = step.output();
        return output == null ? null : output.json();
    }

    private static @Nullable Integer bytes(Step step) {
        Step.Output output = step.output();
        return output == null ? null : output.bytes();
    }

    /// As they are, without a lock.
    public static List<Step> find(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "find_all")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(StepSql::read);
    }

    private static @Nullable UUID item(Step step) {
        Step.Output output = step.output();
        return output == null ? null : output.item();
    }

    private static Step.@Nullable Output output(ResultSet row) throws SQLException {
        String json = row.getString("output");
        UUID item = row.getObject("output_item", UUID.class);
        return json == null && item == null
                ? null
                : new Step.Output(json, row.getInt("output_bytes"), item);
    }

    /// Those of them that begin with this claim, as they are now.
    public static List<Step> begin(Tx tx, UUID account, Collection<UUID> ids) throws SQLException {
        return SQL.on(tx, "begin")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(StepSql::read);
    }

    /// What waited for a step that ended well waits for one less.
    public static void meet(Tx tx, UUID account, List<UUID> ids) {
        SQL.on(tx, "meet")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .later(ids.size(), "a step is gone");
    }

    /// Those of them that had not begun, which now never do.
    public static List<Step> skip(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "skip")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .bigint("now", tx.nowMillis())
                .list(StepSql::read);
    }

    public static void cancelOfTasks(Tx tx, UUID account, Collection<UUID> tasks) {
        SQL.on(tx, "cancel_of_tasks")
                .uuid("account", account)
                .uuids("tasks", List.copyOf(tasks))
                .bigint("now", tx.nowMillis())
                .later();
    }

    public static void cancelOfAgents(
            Tx tx, UUID account, Collection<UUID> agents, Collection<UUID> except) {
        SQL.on(tx, "cancel_of_agents")
                .uuid("account", account)
                .uuids("agents", List.copyOf(agents))
                .uuids("except", List.copyOf(except))
                .bigint("now", tx.nowMillis())
                .later();
    }

    /// What is under way of a task: attempts and approvals.
    public static List<UUID> openOfTask(Tx tx, UUID account, UUID task) throws SQLException {
        return SQL.on(tx, "open_of_task")
                .uuid("account", account)
                .uuid("task", task)
                .list(row -> row.getObject("open_id", UUID.class));
    }

    public static List<UUID> openOfAgents(Tx tx, UUID account, Collection<UUID> agents)
            throws SQLException {
        return SQL.on(tx, "open_of_agents")
                .uuid("account", account)
                .uuids("agents", List.copyOf(agents))
                .list(row -> row.getObject("open_id", UUID.class));
    }

    public static void resetTask(Tx tx, UUID account, UUID task) {
        SQL.on(tx, "reset_task").uuid("account", account).uuid("task", task).later();
    }

    public static void resetAgent(Tx tx, UUID account, UUID agent) {
        SQL.on(tx, "reset_agent").uuid("account", account).uuid("agent", agent).later();
    }

    static Step read(ResultSet row) throws SQLException {
        long tokens = row.getLong("max_tokens");
        Long maxTokens = row.wasNull() ? null : Long.valueOf(tokens);
        return new Step(
                row.getObject("id", UUID.class),
                new Step.Home(
                        row.getObject("run_id", UUID.class),
                        row.getObject("agent_id", UUID.class),
                        row.getObject("task_id", UUID.class),
                        row.getInt("sequence_number"),
                        row.getString("name"),
                        Step.Kind.of(row.getString("kind"))),
                new Step.Call(
                        row.getString("tool"),
                        row.getString("input"),
                        Bound.nullableLong(row, "timeout_ms"),
                        row.getInt("max_attempts"),
                        maxTokens,
                        row.getString("output_schema"),
                        row.getString("policy").equals("confirm"),
                        row.getString("idempotency_key")),
                TaskSql.links(row),
                StepStatus.of(row.getString("status")),
                row.getInt("seq"),
                new Step.Progress(
                        row.getBoolean("approved"),
                        row.getObject("open_id", UUID.class),
                        row.getInt("attempt_number"),
                        row.getInt("attempts_made"),
                        Bound.nullableLong(row, "not_before_ms")),
                output(row),
                new Step.Times(
                        row.getLong("created_ms"),
                        Bound.nullableLong(row, "started_ms"),
                        Bound.nullableLong(row, "ended_ms")),
                new Fault(
                        row.getString("skip_reason"),
                        row.getString("error_code"),
                        row.getString("error")));
    }
}
