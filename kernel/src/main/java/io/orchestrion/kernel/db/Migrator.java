package io.orchestrion.kernel.db;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Brings the schema to this version. Numbered files run once, in order; the repeatable ones run
/// again whenever their text changed. All nodes may start at once: an advisory lock lets one work
/// while the others wait and then find everything done.
public final class Migrator {
    /// The oldest PostgreSQL whose statements we use.
    public static final int OLDEST_SERVER = 150_000;

    private static final Logger log = LoggerFactory.getLogger(Migrator.class);
    private static final List<String> ONCE =
            List.of(
                    "V001__kernel.sql",
                    "V002__plans.sql",
                    "V003__billing.sql",
                    "V004__keys.sql",
                    "V005__terms.sql",
                    "V006__events.sql",
                    "V007__schedules.sql",
                    "V008__bulk.sql",
                    "V009__types.sql",
                    "V010__flow.sql",
                    "V011__dependencies.sql",
                    "V012__receipts.sql",
                    "V013__one_guard.sql",
                    "V014__steady_plans.sql",
                    "V015__one_row.sql",
                    "V016__queue_policy.sql",
                    "V017__job_events.sql",
                    "V018__worker_tokens.sql",
                    "V019__jobs.sql",
                    "V020__runners.sql",
                    "V021__clients.sql",
                    "V022__webhooks.sql",
                    "V023__signals.sql",
                    "V024__history_in_row.sql",
                    "V025__fewer_statistics.sql",
                    "V026__positions_after_commit.sql",
                    "V027__reports.sql",
                    "V028__pool.sql",
                    "V029__subject_events.sql",
                    "V031__window_totals.sql",
                    "V033__published_items.sql",
                    "V034__no_outbox.sql");
    private static final List<String> REPEATABLE = List.of("R__work_guard.sql", "R__allowance.sql");
    private static final long LOCK = 0x6f72_6368_6573L;

    /// The files that make the schema.
    static List<String> files() {
        return Stream.concat(ONCE.stream(), REPEATABLE.stream()).toList();
    }

    private final Database database;

    public Migrator(Database database) {
        this.database = database;
    }

    /// The database is older than we can use.
    public static final class ServerTooOld extends Exception {
        private static final long serialVersionUID = 1;

        ServerTooOld(String found) {
            super(
                    "PostgreSQL "
                            + OLDEST_SERVER / 10_000
                            + " or newer is needed, this server is "
                            + found);
        }
    }

    /// The schema was made by a newer release, which an older one must not touch.
    public static final class SchemaTooNew extends Exception {
        private static final long serialVersionUID = 1;

        SchemaTooNew(String name) {
            super("the schema has migration " + name + ", which this release does not know");
        }
    }

    public void migrate() throws SQLException, ServerTooOld, SchemaTooNew {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            checkVersion(statement);
            // Waiting for another node's migration may take longer than a statement ever should.
            statement.execute("set statement_timeout = 0");
            statement.execute("set lock_timeout = 0");
            statement.execute("select pg_advisory_lock(" + LOCK + ")");
            // The lock goes with the connection, whether the migration ends well or not.
            apply(connection, statement);
        }
    }

    private static void checkVersion(Statement statement) throws SQLException, ServerTooOld {
        try (var rows =
                statement.executeQuery(
                        "select current_setting('server_version_num')::int,"
                                + " current_setting('server_version')")) {
            rows.next();
            if (rows.getInt(1) < OLDEST_SERVER) {
                throw new ServerTooOld(rows.getString(2));
            }
        }
    }

    private void apply(Connection connection, Statement statement)
            throws SQLException, SchemaTooNew {
        String schema = database.options().schema();
        statement.execute("create schema if not exists " + schema);
        statement.execute(
                """
                create table if not exists schema_migration (
                  name text primary key,
                  checksum text not null,
                  applied_at timestamptz not null default now())
                """);
        Map<String, String> applied = applied(statement);
        for (String name : applied.keySet()) {
            if (!ONCE.contains(name) && !REPEATABLE.contains(name)) {
                throw new SchemaTooNew(name);
            }
        }
        connection.setAutoCommit(false);
        var done = new ArrayList<String>();
        for (String name : ONCE) {
            if (!applied.containsKey(name)) {
                run(connection, name);
                done.add(name);
            } else if (!checksum(name).equals(applied.get(name))) {
                throw new IllegalStateException(
                        "migration " + name + " was changed after it was applied");
            }
        }
        for (String name : REPEATABLE) {
            if (!checksum(name).equals(applied.get(name))) {
                run(connection, name);
                done.add(name);
            }
        }
        Eras.settle(connection);
        connection.commit();
        connection.setAutoCommit(true);
        if (!done.isEmpty()) {
            log.info(
                    "the schema was brought up to date: {} of {} migrations applied",
                    done.size(),
                    files().size());
        }
    }

    private static Map<String, String> applied(Statement statement) throws SQLException {
        var applied = new HashMap<String, String>();
        try (var rows = statement.executeQuery("select name, checksum from schema_migration")) {
            while (rows.next()) {
                applied.put(rows.getString(1), rows.getString(2));
            }
        }
        return applied;
    }

    private static void run(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text(name));
        } catch (SQLException e) {
            log.error("migration {} failed", name);
            throw e;
        }
        try (var insert =
                connection.prepareStatement(
                        """
                        insert into schema_migration (name, checksum) values (?, ?)
                        on conflict (name) do update set checksum = excluded.checksum
                        """)) {
            insert.setString(1, name);
            insert.setString(2, checksum(name));
            insert.executeUpdate();
        }
        connection.commit();
        log.debug("migration {} applied", name);
    }

    private static String text(String name) {
        try (InputStream in = Migrator.class.getResourceAsStream("migration/" + name)) {
            if (in == null) {
                throw new IllegalStateException("migration " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read migration " + name, e);
        }
    }

    private static String checksum(String name) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text(name).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
