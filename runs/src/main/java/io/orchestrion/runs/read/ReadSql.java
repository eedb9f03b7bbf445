package io.orchestrion.runs.read;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.run.PlanVersion;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.RunAttempt;
import io.orchestrion.runs.run.Transition;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Binds and reads the statements of `read.sql`; decides nothing.
public final class ReadSql {
    private static final NamedSql SQL = NamedSql.beside(ReadSql.class, "read.sql");

    /// Before every id.
    private static final UUID FIRST = new UUID(0, 0);

    private ReadSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    private static Bound ofRun(Tx tx, String statement, UUID account, UUID run) {
        return SQL.on(tx, statement).uuid("account", account).uuid("run", run);
    }

    static List<RunAttempt> attempts(Tx tx, UUID account, UUID run, int after, int most)
            throws SQLException {
        return ofRun(tx, "attempts", account, run)
                .integer("after", after)
                .integer("most", most)
                .list(RecordSql::attempt);
    }

    static List<Transition> transitions(Tx tx, UUID account, UUID run, int after, int most)
            throws SQLException {
        return ofRun(tx, "transitions", account, run)
                .integer("after", after)
                .integer("most", most)
                .list(RecordSql::transition);
    }

    static List<PlanVersion> plans(
            Tx tx, UUID account, UUID run, int afterAttempt, int afterVersion, int most)
            throws SQLException {
        return ofRun(tx, "plans", account, run)
                .integer("after_attempt", afterAttempt)
                .integer("after_version", afterVersion)
                .integer("most", most)
                .list(RecordSql::plan);
    }

    /// @param attempt of the run; null for all
    static List<AgentView> agents(
            Tx tx,
            UUID account,
            UUID run,
            @Nullable Integer attempt,
            @Nullable UUID after,
            int most)
            throws SQLException {
        return ofRun(tx, "agents", account, run)
                .integer("attempt", attempt)
                .uuid("after", after == null ? FIRST : after)
                .integer("most", most)
                .list(ViewRowSql::agent);
    }

    static @Nullable AgentView agent(Tx tx, UUID account, UUID run, UUID id) throws SQLException {
        return ofRun(tx, "agent", account, run).uuid("id", id).one(ViewRowSql::agent);
    }

    /// @param after the place of the last one; -1 for the first page
    static List<TaskView> tasks(Tx tx, UUID account, UUID agent, int after, int most)
            throws SQLException {
        return SQL.on(tx, "tasks")
                .uuid("account", account)
                .uuid("agent", agent)
                .integer("after", after)
                .integer("most", most)
                .list(ViewRowSql::task);
    }

    static @Nullable TaskView task(Tx tx, UUID account, UUID run, UUID id) throws SQLException {
        return ofRun(tx, "task", account, run).uuid("id", id).one(ViewRowSql::task);
    }

    /// @param after the place of the last one; -1 for the first page
    static List<StepView> steps(Tx tx, UUID account, UUID task, int after, int most)
            throws SQLException {
        return SQL.on(tx, "steps")
                .uuid("account", account)
                .uuid("task", task)
                .integer("after", after)
                .integer("most", most)
                .list(ViewRowSql::step);
    }

    static @Nullable StepView step(Tx tx, UUID account, UUID run, UUID id) throws SQLException {
        return ofRun(tx, "step", account, run).uuid("id", id).one(ViewRowSql::step);
    }

    static @Nullable StepView stepAnywhere(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "step_anywhere")
                .uuid("account", account)
                .uuid("id", id)
                .one(ViewRowSql::step);
    }

    static List<StepAttemptView> stepAttempts(
            Tx tx, UUID account, UUID step, @Nullable UUID after, int most) throws SQLException {
        return SQL.on(tx, "step_attempts")
                .uuid("account", account)
                .uuid("step", step)
                .uuid("after", after == null ? FIRST : after)
                .integer("most", most)
                .list(ViewRowSql::stepAttempt);
    }

    /// What is in the tree of a run, by what its rows are in.
    enum Level {
        AGENT("costs_of_agents"),
        TASK("costs_of_tasks"),
        STEP("costs_of_steps");

        private final String statement;

        Level(String statement) {
            this.statement = statement;
        }
    }

    /// What these have used so far; those that have used nothing are left out.
    static Map<UUID, Spent> costs(Tx tx, UUID account, Level level, List<UUID> ids)
            throws SQLException {
        var costs = new HashMap<UUID, Spent>();
        if (!ids.isEmpty()) {
            SQL.on(tx, level.statement)
                    .uuid("account", account)
                    .uuids("ids", List.copyOf(ids))
                    .list(
                            row ->
                                    costs.put(
                                            row.getObject("id", UUID.class),
                                            new Spent(
                                                    row.getLong("tokens"),
                                                    row.getBigDecimal("charged"))));
        }
        return costs;
    }

    static List<ApprovalView> approvals(
            Tx tx,
            UUID account,
            @Nullable String status,
            @Nullable UUID run,
            @Nullable UUID after,
            int most)
            throws SQLException {
        return SQL.on(tx, "approvals")
                .uuid("account", account)
                .text("status", status)
                .uuid("run", run)
                .uuid("after", after == null ? FIRST : after)
                .integer("most", most)
                .list(ViewRowSql::approval);
    }

    static @Nullable ApprovalView approval(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "approval")
                .uuid("account", account)
                .uuid("id", id)
                .one(ViewRowSql::approval);
    }

    static List<TicketView> tickets(
            Tx tx,
            UUID account,
            @Nullable String status,
            @Nullable UUID run,
            @Nullable UUID before,
            int most)
            throws SQLException {
        return SQL.on(tx, "tickets")
                .uuid("account", account)
                .text("status", status)
                .uuid("run", run)
                .uuid("before", before)
                .integer("most", most)
                .list(ViewRowSql::ticket);
    }

    static @Nullable TicketView ticket(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "ticket").uuid("account", account).uuid("id", id).one(ViewRowSql::ticket);
    }

    /// @param silentMs without a heartbeat since then
    /// @param longestMs how long an attempt may run
    static List<StuckRun> stuck(
            Tx tx,
            @Nullable UUID afterAccount,
            @Nullable UUID after,
            long silentMs,
            long longestMs,
            int most)
            throws SQLException {
        return SQL.on(tx, "stuck")
                .uuid("after_account", afterAccount == null ? FIRST : afterAccount)
                .uuid("after", after == null ? FIRST : after)
                .bigint("silent", silentMs)
                .bigint("longest", longestMs)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> ViewRowSql.stuck(row, silentMs, tx.nowMillis()));
    }

    /// Null where no account has such a run.
    static @Nullable UUID owner(Tx tx, UUID run) throws SQLException {
        return SQL.on(tx, "owner").uuid("id", run).one(row -> row.getObject(1, UUID.class));
    }
}
