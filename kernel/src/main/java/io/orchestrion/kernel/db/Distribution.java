package io.orchestrion.kernel.db;

import io.orchestrion.kernel.db.Tables.Place;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Spreads the tables of a database that has the extension Citus over its workers, as [SchemaPart]
/// says. It does the steps that are missing, one statement after the other. So it can be repeated
/// after a failure, and does nothing when all is done.
public final class Distribution {
    /// The foreign keys of the tables that are everywhere lead to rows that are on one machine;
    /// triggers have to be allowed, and settings of a transaction to be passed on.
    private static final Map<String, String> SETTINGS =
            Map.of(
                    "citus.enable_unsafe_triggers", "on",
                    "citus.propagate_set_commands", "local");

    /// Why it cannot be done, in words for the operator.
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message);
        }
    }

    private final Database database;
    private final Schema tables;
    private final String schema;
    private final int shards;

    /// @param tables of all parts
    /// @param shards how many parts a table has; an account is in one of them
    public Distribution(Database database, Schema tables, int shards) {
        this.database = database;
        this.tables = tables;
        this.schema = database.options().schema();
        this.shards = shards;
    }

    /// The steps that are missing.
    public List<String> plan() throws SQLException, Refused {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            return plan(statement);
        }
    }

    /// Does the missing steps; returns them.
    public List<String> run() throws SQLException, Refused {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set statement_timeout = 0");
            List<String> steps = plan(statement);
            checkNobodyIsThere(statement);
            for (String step : steps) {
                statement.execute(step);
            }
            List<String> wrong = wrong(statement);
            if (!wrong.isEmpty()) {
                throw new Refused("not all tables are where they belong: " + wrong);
            }
            return steps;
        }
    }

    private List<String> plan(Statement statement) throws SQLException, Refused {
        checkExtension(statement);
        checkTables(statement);
        Map<String, Spread> spread = spread(statement);
        var steps = new ArrayList<String>();
        settings(statement, steps);
        foreignKeysToDrop(statement).forEach(steps::add);
        for (String table : ordered(statement, tables.at(Place.EVERYWHERE))) {
            if (!spread.containsKey(table)) {
                steps.add("select create_reference_table('" + schema + "." + table + "')");
            }
        }
        List<String> left =
                ordered(statement, tables.at(Place.BY_ACCOUNT)).stream()
                        .filter(table -> !spread.containsKey(table))
                        .toList();
        if (!left.isEmpty()) {
            steps.add("set citus.shard_count = " + shards);
        }
        for (String table : left) {
            String beside = table.equals(FIRST) ? "none" : schema + "." + FIRST;
            steps.add(
                    "select create_distributed_table('%s.%s', 'account_id', colocate_with => '%s')"
                            .formatted(schema, table, beside));
        }
        return steps;
    }

    /// All others lie with it.
    private static final String FIRST = "account";

    private static void checkExtension(Statement statement) throws SQLException, Refused {
        if (texts(statement, "select extversion from pg_extension where extname = 'citus'")
                .isEmpty()) {
            throw new Refused(
                    "the database has no extension citus. Install it on all machines, put citus"
                            + " first in shared_preload_libraries, restart them, and say: create"
                            + " extension citus");
        }
        if (texts(statement, "select node_name from citus_get_active_worker_nodes()").isEmpty()) {
            throw new Refused(
                    "the extension knows no workers. Say for each: select"
                            + " citus_add_node('its.host', 5432)");
        }
    }

    private void checkTables(Statement statement) throws SQLException, Refused {
        Set<String> there =
                new TreeSet<>(
                        texts(
                                statement,
                                "select tablename from pg_tables where schemaname = '"
                                        + schema
                                        + "'"));
        var missing = new TreeSet<String>();
        for (Place place : Place.values()) {
            for (String table : tables.at(place)) {
                if (!there.remove(table)) {
                    missing.add(table);
                }
            }
        }
        if (!missing.isEmpty()) {
            throw new Refused("the schema " + schema + " lacks the tables " + missing);
        }
        if (!there.isEmpty()) {
            throw new Refused(
                    "the schema "
                            + schema
                            + " has tables that this release does not know: "
                            + there);
        }
    }

    private static void checkNobodyIsThere(Statement statement) throws SQLException, Refused {
        List<String> others =
                texts(
                        statement,
                        "select pid from pg_stat_activity where datname = current_database()"
                                + " and pid <> pg_backend_pid() and application_name = '"
                                + Database.APPLICATION
                                + "'");
        if (!others.isEmpty()) {
            throw new Refused(
                    others.size()
                            + " sessions of Orchestrion are open on the database: stop all servers"
                            + " and runners first");
        }
    }

    /// Sets them for this session and for all later ones.
    private static void settings(Statement statement, List<String> steps) throws SQLException {
        String base = texts(statement, "select quote_ident(current_database())").getFirst();
        for (Map.Entry<String, String> setting : new TreeMap<>(SETTINGS).entrySet()) {
            String name = setting.getKey();
            String wanted = setting.getValue();
            String now =
                    texts(statement, "select current_setting('" + name + "', true)").getFirst();
            if (!wanted.equals(now)) {
                steps.add("set " + name + " = '" + wanted + "'");
                steps.add("alter database " + base + " set " + name + " = '" + wanted + "'");
            }
        }
    }

    /// Foreign keys between tables of different places, except those to tables that are on every
    /// machine.
    private List<String> foreignKeysToDrop(Statement statement) throws SQLException {
        var drops = new ArrayList<String>();
        for (ForeignKey key : foreignKeys(statement)) {
            Place from = place(key.from());
            Place to = place(key.to());
            if (from != to && !(from == Place.BY_ACCOUNT && to == Place.EVERYWHERE)) {
                drops.add(
                        "alter table %s.%s drop constraint %s"
                                .formatted(schema, key.from(), key.name()));
            }
        }
        return drops;
    }

    private @Nullable Place place(String table) {
        for (Place place : Place.values()) {
            if (tables.at(place).contains(table)) {
                return place;
            }
        }
        return null;
    }

    private record ForeignKey(String name, String from, String to) {}

    private List<ForeignKey> foreignKeys(Statement statement) throws SQLException {
        var keys = new ArrayList<ForeignKey>();
        try (ResultSet rows =
                statement.executeQuery(
                        "select k.conname, f.relname, t.relname from pg_constraint k"
                                + " join pg_class f on f.oid = k.conrelid"
                                + " join pg_class t on t.oid = k.confrelid"
                                + " where k.contype = 'f' and f.relnamespace = '"
                                + schema
                                + "'::regnamespace order by 2, 1")) {
            while (rows.next()) {
                keys.add(new ForeignKey(rows.getString(1), rows.getString(2), rows.getString(3)));
            }
        }
        return keys;
    }

    /// A table comes before those with foreign keys to it.
    private List<String> ordered(Statement statement, List<String> tables) throws SQLException {
        List<ForeignKey> keys = foreignKeys(statement);
        var ordered = new LinkedHashSet<String>();
        while (ordered.size() < tables.size()) {
            int before = ordered.size();
            for (String table : tables) {
                boolean ready =
                        keys.stream()
                                .filter(
                                        key ->
                                                key.from().equals(table)
                                                        && tables.contains(key.to()))
                                .allMatch(
                                        key ->
                                                key.to().equals(table)
                                                        || ordered.contains(key.to()));
                if (ready) {
                    ordered.add(table);
                }
            }
            if (ordered.size() == before) {
                throw new IllegalStateException("foreign keys lead in a circle among " + tables);
            }
        }
        return List.copyOf(ordered);
    }

    /// How a table is spread.
    ///
    /// @param method `h` by a column, `n` whole on each machine
    private record Spread(String method, @Nullable String column, int with) {}

    private Map<String, Spread> spread(Statement statement) throws SQLException {
        var spread = new HashMap<String, Spread>();
        try (ResultSet rows =
                statement.executeQuery(
                        "select c.relname, p.partmethod, case when p.partmethod = 'h' then"
                                + " column_to_column_name(p.logicalrelid, p.partkey) end,"
                                + " p.colocationid from pg_dist_partition p"
                                + " join pg_class c on c.oid = p.logicalrelid"
                                + " where c.relnamespace = '"
                                + schema
                                + "'::regnamespace")) {
            while (rows.next()) {
                spread.put(
                        rows.getString(1),
                        new Spread(rows.getString(2), rows.getString(3), rows.getInt(4)));
            }
        }
        return spread;
    }

    private List<String> wrong(Statement statement) throws SQLException {
        Map<String, Spread> spread = spread(statement);
        Spread first = spread.get(FIRST);
        var wrong = new ArrayList<String>();
        for (Place place : Place.values()) {
            for (String table : tables.at(place)) {
                Spread is = spread.get(table);
                boolean right =
                        switch (place) {
                            case AT_THE_ENTRY -> is == null;
                            case EVERYWHERE -> is != null && is.method().equals("n");
                            case BY_ACCOUNT ->
                                    is != null
                                            && is.equals(first)
                                            && "account_id".equals(is.column());
                        };
                if (!right) {
                    wrong.add(table);
                }
            }
        }
        return wrong;
    }

    private static List<String> texts(Statement statement, String query) throws SQLException {
        var texts = new ArrayList<String>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(Objects.requireNonNullElse(rows.getString(1), ""));
            }
        }
        return texts;
    }
}
