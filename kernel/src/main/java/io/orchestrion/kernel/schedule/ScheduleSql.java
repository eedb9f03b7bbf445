package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `schedule.sql`.
public final class ScheduleSql {
    private static final NamedSql SQL = NamedSql.beside(ScheduleSql.class, "schedule.sql");

    private ScheduleSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    /// A task of a schedule that has not ended.
    record OpenTask(UUID id, boolean held) {}

    static void lockAccount(Tx tx, UUID account) throws SQLException {
        SQL.on(tx, "lock_account")
                .uuid("account", account)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int count(Tx tx, UUID account) throws SQLException {
        Integer count =
                SQL.on(tx, "count").uuid("account", account).one(row -> row.getInt("schedules"));
        return count == null ? 0 : count;
    }

    static @Nullable UUID named(Tx tx, UUID account, String name) throws SQLException {
        return SQL.on(tx, "named")
                .uuid("account", account)
                .text("name", name)
                .one(row -> row.getObject("schedule_id", UUID.class));
    }

    static void insert(
            Tx tx,
            UUID account,
            UUID id,
            ScheduleDefinition definition,
            long anchorMs,
            boolean paused,
            @Nullable Long nextMs)
            throws SQLException {
        define(SQL.on(tx, "insert"), definition)
                .uuid("account", account)
                .uuid("id", id)
                .bigint("anchor", anchorMs)
                .bool("paused", paused)
                .bigint("next", nextMs)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static void redefine(Tx tx, UUID account, UUID id, ScheduleDefinition definition, long anchorMs)
            throws SQLException {
        define(SQL.on(tx, "redefine"), definition)
                .uuid("account", account)
                .uuid("id", id)
                .bigint("anchor", anchorMs)
                .bigint("now", tx.nowMillis())
                .update();
    }

    private static Bound define(Bound bound, ScheduleDefinition definition) throws SQLException {
        Timing timing = definition.timing();
        CatchUp catchUp = definition.catchUp();
        TaskTemplate task = definition.task();
        return bound.text("name", definition.name())
                .text("cron", timing.cron())
                .bigint("every", timing.everySeconds())
                .text("timezone", timing.timezone())
                .bigint("start", timing.startMs())
                .bigint("end", timing.endMs())
                .text("catch_up", catchUp.policy().word())
                .integer("catch_up_max", catchUp.max())
                .integer("catch_up_within", catchUp.withinSeconds())
                .text("overlap", definition.overlap().word())
                .integer("jitter", definition.jitterSeconds())
                .text("type", task.type())
                .text("payload", task.payload())
                .integer("priority", task.priority())
                .integer("attempts", task.maxAttempts())
                .integer("lease", task.leaseSeconds());
    }

    static @Nullable Schedule get(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "get").uuid("account", account).uuid("id", id).one(ScheduleSql::schedule);
    }

    static List<Schedule> list(Tx tx, UUID account, UUID before, int most) throws SQLException {
        return SQL.on(tx, "list")
                .uuid("account", account)
                .uuid("before", before)
                .integer("most", most)
                .list(ScheduleSql::schedule);
    }

    static @Nullable Schedule lock(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "lock")
                .uuid("account", account)
                .uuid("id", id)
                .one(ScheduleSql::schedule);
    }

    static List<UUID> accountsDue(Tx tx, int most) throws SQLException {
        return SQL.on(tx, "accounts_due")
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static List<UUID> due(Tx tx, UUID account, int most) throws SQLException {
        return SQL.on(tx, "due")
                .uuid("account", account)
                .bigint("now", tx.nowMillis())
                .integer("most", most)
                .list(row -> row.getObject("schedule_id", UUID.class));
    }

    static @Nullable Schedule lockDue(Tx tx, UUID account, UUID id) throws SQLException {
        return SQL.on(tx, "lock_due")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("now", tx.nowMillis())
                .one(ScheduleSql::schedule);
    }

    private static Schedule schedule(ResultSet row) throws SQLException {
        return new Schedule(
                row.getObject("account_id", UUID.class),
                row.getObject("schedule_id", UUID.class),
                definition(row),
                row.getLong("anchor_ms"),
                row.getBoolean("paused"),
                progress(row),
                row.getLong("created_ms"),
                row.getLong("updated_ms"));
    }

    private static ScheduleDefinition definition(ResultSet row) throws SQLException {
        return new ScheduleDefinition(
                row.getString("name"),
                new Timing(
                        row.getString("cron"),
                        Bound.nullableLong(row, "every_seconds"),
                        row.getString("timezone"),
                        Bound.nullableLong(row, "start_ms"),
                        Bound.nullableLong(row, "end_ms")),
                new CatchUp(
                        CatchUp.Policy.of(row.getString("catch_up")),
                        row.getInt("catch_up_max"),
                        row.getInt("catch_up_within_s")),
                Overlap.of(row.getString("overlap")),
                row.getInt("jitter_s"),
                new TaskTemplate(
                        row.getString("task_type"),
                        row.getString("payload_text"),
                        row.getInt("priority"),
                        row.getInt("max_attempts"),
                        row.getInt("lease_seconds")));
    }

    private static Progress progress(ResultSet row) throws SQLException {
        return new Progress(
                Bound.nullableLong(row, "next_fire_ms"),
                Bound.nullableLong(row, "due_ms"),
                Bound.nullableLong(row, "buffered_ms"),
                row.getLong("fire_seq"),
                Bound.nullableLong(row, "last_fire_ms"),
                row.getObject("last_task_id", UUID.class),
                row.getLong("fired"),
                row.getLong("missed"),
                row.getLong("skipped"),
                row.getLong("failed"),
                Bound.nullableLong(row, "failure_ms"),
                row.getString("failure"));
    }

    static void save(Tx tx, UUID account, UUID id, boolean paused, Progress progress)
            throws SQLException {
        SQL.on(tx, "save")
                .uuid("account", account)
                .uuid("id", id)
                .bool("paused", paused)
                .bigint("next", progress.nextFireMs())
                .bigint("due", progress.dueMs())
                .bigint("buffered", progress.bufferedMs())
                .bigint("fire_seq", progress.fireSeq())
                .bigint("last_fire", progress.lastFireMs())
                .uuid("last_task", progress.lastTaskId())
                .bigint("fired", progress.fired())
                .bigint("missed", progress.missed())
                .bigint("skipped", progress.skipped())
                .bigint("failed", progress.failed())
                .bigint("failure_ms", progress.failureMs())
                .text("failure", progress.failure())
                .update();
    }

    /// Notes that its owner has changed it.
    static void touch(Tx tx, UUID account, UUID id) throws SQLException {
        SQL.on(tx, "touch")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("now", tx.nowMillis())
                .update();
    }

    static void delete(Tx tx, UUID account, UUID id) throws SQLException {
        SQL.on(tx, "delete").uuid("account", account).uuid("id", id).update();
    }

    static void deleteAllFires(Tx tx, UUID account, UUID id) throws SQLException {
        SQL.on(tx, "delete_all_fires").uuid("account", account).uuid("id", id).update();
    }

    /// Removes the history up to an entry, but for those of open tasks.
    static void deleteFires(Tx tx, UUID account, UUID id, long seq) throws SQLException {
        SQL.on(tx, "delete_fires")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("seq", seq)
                .update();
    }

    static void insertFire(Tx tx, UUID account, UUID id, Fire fire) throws SQLException {
        insertFire(tx, "insert_fire", account, id, fire);
    }

    /// False when something else is written about that time already.
    static boolean insertFireUnlessKnown(Tx tx, UUID account, UUID id, Fire fire)
            throws SQLException {
        return insertFire(tx, "insert_fire_unless_known", account, id, fire) == 1;
    }

    private static int insertFire(Tx tx, String statement, UUID account, UUID id, Fire fire)
            throws SQLException {
        return SQL.on(tx, statement)
                .uuid("account", account)
                .uuid("id", id)
                .bigint("seq", fire.seq())
                .bigint("fire", fire.fireMs())
                .bool("manual", fire.manual())
                .bool("late", fire.late())
                .text("result", fire.result().word())
                .bigint("times", fire.times())
                .uuid("task", fire.taskId())
                .text("detail", fire.detail())
                .bigint("now", fire.atMs())
                .update();
    }

    static List<Fire> fires(Tx tx, UUID account, UUID id, long before, int most)
            throws SQLException {
        return SQL.on(tx, "fires")
                .uuid("account", account)
                .uuid("id", id)
                .bigint("before", before)
                .integer("most", most)
                .list(
                        row ->
                                new Fire(
                                        row.getLong("seq"),
                                        row.getLong("fire_ms"),
                                        row.getBoolean("manual"),
                                        row.getBoolean("late"),
                                        Fire.Result.of(row.getString("result")),
                                        row.getLong("times"),
                                        row.getObject("task_id", UUID.class),
                                        row.getString("detail"),
                                        row.getLong("at_ms")));
    }

    static List<OpenTask> openTasks(Tx tx, UUID account, UUID id, int newest) throws SQLException {
        return SQL.on(tx, "open_tasks")
                .uuid("account", account)
                .uuid("id", id)
                .integer("newest", newest)
                .list(ScheduleSql::openTask);
    }

    /// Those of the tasks that are open. The lock keeps them open until the transaction ends.
    static List<OpenTask> lockTasks(Tx tx, UUID account, List<UUID> ids) throws SQLException {
        return SQL.on(tx, "lock_tasks")
                .uuid("account", account)
                .uuids("ids", List.copyOf(ids))
                .list(ScheduleSql::openTask);
    }

    private static OpenTask openTask(ResultSet row) throws SQLException {
        String state = row.getString("state");
        return new OpenTask(
                row.getObject("id", UUID.class), state.equals("leased") || state.equals("running"));
    }

    static List<UUID> accountsWithOldFires(Tx tx, long oldMs, int most) throws SQLException {
        return SQL.on(tx, "accounts_with_old_fires")
                .bigint("old", oldMs)
                .integer("most", most)
                .list(row -> row.getObject("account_id", UUID.class));
    }

    static int purgeFires(Tx tx, UUID account, long oldMs, int most) throws SQLException {
        return SQL.on(tx, "purge_fires")
                .uuid("account", account)
                .bigint("old", oldMs)
                .integer("most", most)
                .update();
    }
}
