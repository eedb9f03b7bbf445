package io.orchestrion.runs.check;

import io.orchestrion.kernel.db.NamedSql;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.check.Anomalies.AttemptPlace;
import io.orchestrion.runs.check.RunsInvariants.Place;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/// Binds and reads the statements of `check.sql`; decides nothing.
public final class CheckSql {
    private static final NamedSql SQL = NamedSql.beside(CheckSql.class, "check.sql");

    private CheckSql() {}

    /// The statements themselves, for the tests that hold them to their forms.
    public static NamedSql statements() {
        return SQL;
    }

    /// One page.
    ///
    /// @param seen how many rows were looked at
    /// @param last where the next page goes on; null where there was no row
    record Looked<T, P>(List<T> found, int seen, @Nullable P last) {}

    static Looked<Violation, Place> runs(Tx tx, Place from, int most, long oldestHeartbeat)
            throws SQLException {
        return looked(
                SQL.on(tx, "runs")
                        .uuid("account", from.account())
                        .uuid("place", from.id())
                        .integer("most", most)
                        .bigint("now", tx.nowMillis())
                        .bigint("oldest_heartbeat", oldestHeartbeat)
                        .list(row -> row(row, from.phase(), Violation.Of.RUN)));
    }

    static Looked<Violation, Place> agents(Tx tx, Place from, int most) throws SQLException {
        return tree(tx, "agents", from, most, Violation.Of.AGENT);
    }

    static Looked<Violation, Place> tasks(Tx tx, Place from, int most) throws SQLException {
        return tree(tx, "tasks", from, most, Violation.Of.TASK);
    }

    private static Looked<Violation, Place> tree(
            Tx tx, String name, Place from, int most, Violation.Of of) throws SQLException {
        return looked(
                SQL.on(tx, name)
                        .uuid("account", from.account())
                        .uuid("place", from.id())
                        .integer("most", most)
                        .list(row -> row(row, from.phase(), of)));
    }

    static Looked<Violation, Place> entries(Tx tx, Place from, int most) throws SQLException {
        return looked(
                SQL.on(tx, "entries")
                        .uuid("account", from.account())
                        .bigint("place", from.seq())
                        .integer("most", most)
                        .bigint("now", tx.nowMillis())
                        .list(row -> row(row, from.phase(), Violation.Of.ENTRY)));
    }

    static Looked<Violation, Place> balances(Tx tx, Place from, int most) throws SQLException {
        return looked(
                SQL.on(tx, "balances")
                        .uuid("place", from.id())
                        .integer("most", most)
                        .list(row -> row(row, from.phase(), Violation.Of.ACCOUNT)));
    }

    static List<Violation> guards(Tx tx) throws SQLException {
        return SQL.on(tx, "guards")
                .list(
                        row ->
                                Violation.read(
                                        row.getString("broken"), Violation.Of.GUARD, null, null));
    }

    static Looked<Anomaly, AttemptPlace> attempts(Tx tx, AttemptPlace from, int most)
            throws SQLException {
        return looked(
                SQL.on(tx, "attempts")
                        .uuid("account", from.account())
                        .uuid("run", from.run())
                        .integer("attempt", from.attempt())
                        .integer("most", most)
                        .list(CheckSql::attempt));
    }

    /// A row of a page.
    ///
    /// @param place null but for the last row
    private record Row<T, P>(List<T> found, int seen, @Nullable P place) {}

    private static <T, P> Looked<T, P> looked(List<Row<T, P>> rows) {
        var found = new ArrayList<T>();
        for (Row<T, P> row : rows) {
            found.addAll(row.found());
        }
        return rows.isEmpty()
                ? new Looked<>(found, 0, null)
                : new Looked<>(found, rows.getLast().seen(), rows.getLast().place());
    }

    private static Row<Violation, Place> row(
            ResultSet row, RunsInvariants.Phase phase, Violation.Of of) throws SQLException {
        UUID account = row.getObject("account_id", UUID.class);
        UUID id = UUID.fromString(row.getString("id"));
        List<Violation> found =
                texts(row, "rules").stream()
                        .map(rule -> Violation.read(rule, of, account, id))
                        .toList();
        Place place =
                of == Violation.Of.ENTRY
                        ? new Place(phase, account, RunsInvariants.FIRST_ID, row.getLong("place"))
                        : new Place(phase, account, id, 0);
        return new Row<>(found, row.getInt("seen"), row.getBoolean("last") ? place : null);
    }

    private static Row<Anomaly, AttemptPlace> attempt(ResultSet row) throws SQLException {
        UUID account = row.getObject("account_id", UUID.class);
        UUID run = row.getObject("run_id", UUID.class);
        int attempt = row.getInt("attempt_number");
        List<Anomaly.Kind> kinds = texts(row, "kinds").stream().map(Anomaly.Kind::of).toList();
        var anomaly =
                new Anomaly(
                        account,
                        run,
                        attempt,
                        kinds,
                        row.getBigDecimal("charged"),
                        row.getBigDecimal("metered"));
        return new Row<>(
                kinds.isEmpty() ? List.of() : List.of(anomaly),
                row.getInt("seen"),
                row.getBoolean("last") ? new AttemptPlace(account, run, attempt) : null);
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return Arrays.asList((String[]) row.getArray(column).getArray());
    }
}
