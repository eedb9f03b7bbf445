package io.orchestrion.kernel.plan;

import io.orchestrion.kernel.db.Bound;
import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `plan.sql`.
public final class PlanSql {
    private static final NamedSql SQL = NamedSql.beside(PlanSql.class, "plan.sql");

    private PlanSql() {}

    public static NamedSql statements() {
        return SQL;
    }

    private record Row(String base, @Nullable Period period) {}

    /// How the account stands; on the base plan where there is no such account.
    static Standing standing(Tx tx, UUID account, Plans plans) throws SQLException {
        List<Row> rows =
                SQL.on(tx, "standing")
                        .uuid("account", account)
                        .list(
                                row -> {
                                    String plan = row.getString("period_plan");
                                    return new Row(
                                            row.getString("plan"),
                                            plan == null
                                                    ? null
                                                    : new Period(
                                                            plan,
                                                            row.getLong("from_ms"),
                                                            row.getLong("until_ms")));
                                });
        var periods = new ArrayList<Period>();
        for (Row row : rows) {
            Period period = row.period();
            if (period != null) {
                periods.add(period);
            }
        }
        Plan base = rows.isEmpty() ? plans.free() : plans.named(rows.getFirst().base());
        return new Standing(plans, base, periods);
    }

    static void lockAccount(Tx tx, UUID account) throws SQLException {
        SQL.on(tx, "lock_account").uuid("account", account).list(row -> row.getString("plan"));
    }

    static void replacePeriods(Tx tx, UUID account, List<Period> periods) throws SQLException {
        SQL.on(tx, "delete_periods").uuid("account", account).update();
        SQL.on(tx, "insert_periods")
                .uuid("account", account)
                .column("froms", "int8", periods, Period::fromMs)
                .column("untils", "int8", periods, Period::untilMs)
                .column("plans", "text", periods, Period::planId)
                .update();
    }

    /// How many the month has then; null, and nothing is counted, when not all of them fit.
    static @Nullable Long addIfAllFit(Tx tx, UUID account, int month, int tasks, int most)
            throws SQLException {
        return tasks > most
                ? null
                : SQL.on(tx, "add_if_all_fit")
                        .uuid("account", account)
                        .integer("month", month)
                        .integer("tasks", tasks)
                        .integer("most", most)
                        .one(row -> row.getLong("tasks"));
    }

    static long lockMonth(Tx tx, UUID account, int month) throws SQLException {
        Long tasks =
                SQL.on(tx, "lock_month")
                        .uuid("account", account)
                        .integer("month", month)
                        .one(row -> row.getLong("tasks"));
        return tasks == null ? 0 : tasks;
    }

    static void addToMonth(Tx tx, UUID account, int month, int tasks) throws SQLException {
        SQL.on(tx, "add_to_month")
                .uuid("account", account)
                .integer("month", month)
                .integer("tasks", tasks)
                .update();
    }

    static long month(Tx tx, UUID account, int month) throws SQLException {
        Long tasks =
                SQL.on(tx, "month")
                        .uuid("account", account)
                        .integer("month", month)
                        .one(row -> row.getLong("tasks"));
        return tasks == null ? 0 : tasks;
    }

    /// @param firstEndMs when the first of them ends if nobody renews it
    record LiveLeases(int count, @Nullable Long firstEndMs) {}

    static LiveLeases liveLeases(Tx tx, UUID account, String queue) throws SQLException {
        LiveLeases found =
                SQL.on(tx, "live_leases")
                        .uuid("account", account)
                        .text("queue", queue)
                        .bigint("now", tx.nowMillis())
                        .one(
                                row ->
                                        new LiveLeases(
                                                row.getInt("leases"),
                                                Bound.nullableLong(row, "first_end")));
        return found == null ? new LiveLeases(0, null) : found;
    }
}
