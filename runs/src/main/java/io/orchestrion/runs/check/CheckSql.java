package io.orchestrion.runs.check;

import io.orchestrion.kernel.db.Bound;
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

    static List<Place> runsAfter(Tx tx, Place from, int most) throws SQLException {
        return after(tx, "runs_after", from, most);
    }

    static List<Violation> runs(Tx tx, @Nullable UUID one, List<Place> some, long oldestHeartbeat)
            throws SQLException {
        return violations(
                rows(tx, "runs", one, some)
                        .bigint("now", tx.nowMillis())
                        .bigint("oldest_heartbeat", oldestHeartbeat),
                Violation.Of.RUN);
    }

    static List<Place> agentsAfter(Tx tx, Place from, int most) throws SQLException {
        return after(tx, "agents_after", from, most);
    }

    static List<Violation> agents(Tx tx, @Nullable UUID one, List<Place> some) throws SQLException {
        return violations(rows(tx, "agents", one, some), Violation.Of.AGENT);
    }

    static List<Place> tasksAfter(Tx tx, Place from, int most) throws SQLException {
        return after(tx, "tasks_after", from, most);
    }

    static List<Violation> tasks(Tx tx, @Nullable UUID one, List<Place> some) throws SQLException {
        return violations(rows(tx, "tasks", one, some), Violation.Of.TASK);
    }

    static List<Place> artifactsAfter(Tx tx, Place from, int most) throws SQLException {
        return after(tx, "artifacts_after", from, most);
    }

    static List<Violation> artifacts(
            Tx tx, @Nullable UUID one, List<Place> some, long keptMs, long expiredBefore)
            throws SQLException {
        return violations(
                rows(tx, "artifacts", one, some)
                        .bigint("now", tx.nowMillis())
                        .bigint("kept", keptMs)
                        .bigint("expired_before", expiredBefore),
                Violation.Of.ARTIFACT);
    }

    static List<Place> entriesAfter(Tx tx, Place from, int most) throws SQLException {
        return SQL.on(tx, "entries_after")
                .uuid("account", from.account())
                .bigint("seq", from.seq())
                .integer("most", most)
                .list(
                        row ->
                                new Place(
                                        from.phase(),
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("id", UUID.class),
                                        row.getLong("seq")));
    }

    static List<Violation> entries(Tx tx, @Nullable UUID one, List<Place> some)
            throws SQLException {
        return violations(
                SQL.on(tx, "entries", one)
                        .column("accounts", "uuid", some, Place::account)
                        .column("seqs", "int8", some, Place::seq)
                        .bigint("now", tx.nowMillis()),
                Violation.Of.ENTRY);
    }

    static List<Place> balancesAfter(Tx tx, Place from, int most) throws SQLException {
        return SQL.on(tx, "balances_after")
                .uuid("account", from.account())
                .integer("most", most)
                .list(row -> place(from, row, "account_id"));
    }

    static List<Violation> balances(Tx tx, @Nullable UUID one, List<Place> some)
            throws SQLException {
        return violations(
                SQL.on(tx, "balances", one).column("accounts", "uuid", some, Place::account),
                Violation.Of.ACCOUNT);
    }

    static List<Violation> guards(Tx tx) throws SQLException {
        return SQL.on(tx, "guards")
                .list(
                        row ->
                                Violation.read(
                                        row.getString("broken"), Violation.Of.GUARD, null, null));
    }

    static List<AttemptPlace> attemptsAfter(Tx tx, AttemptPlace from, int most)
            throws SQLException {
        return SQL.on(tx, "attempts_after")
                .uuid("account", from.account())
                .uuid("run", from.run())
                .integer("attempt", from.attempt())
                .integer("most", most)
                .list(
                        row ->
                                new AttemptPlace(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("run_id", UUID.class),
                                        row.getInt("attempt_number")));
    }

    static List<Anomaly> attempts(Tx tx, @Nullable UUID one, List<AttemptPlace> some)
            throws SQLException {
        return SQL.on(tx, "attempts", one)
                .column("accounts", "uuid", some, AttemptPlace::account)
                .column("runs", "uuid", some, AttemptPlace::run)
                .column("attempts", "int4", some, AttemptPlace::attempt)
                .list(
                        row ->
                                new Anomaly(
                                        row.getObject("account_id", UUID.class),
                                        row.getObject("run_id", UUID.class),
                                        row.getInt("attempt_number"),
                                        texts(row, "kinds").stream().map(Anomaly.Kind::of).toList(),
                                        row.getBigDecimal("charged"),
                                        row.getBigDecimal("metered")));
    }

    private static List<Place> after(Tx tx, String name, Place from, int most) throws SQLException {
        return SQL.on(tx, name)
                .uuid("account", from.account())
                .uuid("id", from.id())
                .integer("most", most)
                .list(row -> place(from, row, "id"));
    }

    private static Place place(Place from, ResultSet row, String id) throws SQLException {
        return new Place(
                from.phase(),
                row.getObject("account_id", UUID.class),
                row.getObject(id, UUID.class),
                0);
    }

    private static Bound rows(Tx tx, String name, @Nullable UUID one, List<Place> some) {
        return SQL.on(tx, name, one)
                .column("accounts", "uuid", some, Place::account)
                .column("ids", "uuid", some, Place::id);
    }

    private static List<Violation> violations(Bound looked, Violation.Of of) throws SQLException {
        var all = new ArrayList<Violation>();
        looked.list(row -> all.addAll(violations(row, of)));
        return all;
    }

    private static List<Violation> violations(ResultSet row, Violation.Of of) throws SQLException {
        UUID account = row.getObject("account_id", UUID.class);
        UUID id = row.getObject("id", UUID.class);
        return texts(row, "rules").stream()
                .map(rule -> Violation.read(rule, of, account, id))
                .toList();
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        return Arrays.asList((String[]) row.getArray(column).getArray());
    }
}
