package io.orchestrion.kernel.db;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/// Brings the schema to this version, one part of it after the other. Numbered files run once, in
/// order; the repeatable ones run again whenever their text changed. All nodes may start at once:
/// an advisory lock lets one work while the others wait and then find everything done.
public final class Migrator {
    /// The oldest PostgreSQL that runs our statements.
    public static final int OLDEST_SERVER = 150_000;

    private static final Logger log = LoggerFactory.getLogger(Migrator.class);
    private static final long LOCK = 0x6f72_6368_6573L;

    private final Database database;
    private final Schema schema;

    public Migrator(Database database, Schema schema) {
        this.database = database;
        this.schema = schema;
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

        SchemaTooNew(Applied applied) {
            super("the schema has migration " + applied + ", which this release does not know");
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

    /// A migration that has run.
    private record Applied(String part, String name) {
        static Applied of(SchemaPart part, String file) {
            return new Applied(part.name(), file);
        }

        /// Migrations of the kernel are named by their file alone, as they were before there were
        /// parts.
        @Override
        public String toString() {
            return part.equals(KernelSchema.PART.name()) ? name : part + "/" + name;
        }
    }

    private void apply(Connection connection, Statement statement)
            throws SQLException, SchemaTooNew {
        statement.execute("create schema if not exists " + database.options().schema());
        statement.execute(
                """
                create table if not exists schema_migration (
                  name text primary key,
                  checksum text not null,
                  applied_at timestamptz not null default now())
                """);
        rememberParts(statement);
        Map<Applied, String> applied = applied(statement);
        checkKnown(applied);
        connection.setAutoCommit(false);
        int done = 0;
        for (SchemaPart part : schema.parts()) {
            done += apply(connection, part, applied);
        }
        Eras.settle(connection);
        connection.commit();
        connection.setAutoCommit(true);
        if (done > 0) {
            log.info(
                    "the schema was brought up to date: {} of {} migrations applied",
                    done,
                    schema.size());
        }
    }

    /// Migrations that ran before there were parts are the kernel's. An older release still reads
    /// the table, and finds names in it that it does not know.
    private static void rememberParts(Statement statement) throws SQLException {
        try (var rows =
                statement.executeQuery(
                        "select from pg_attribute where attrelid = 'schema_migration'::regclass"
                                + " and attname = 'part'")) {
            if (rows.next()) {
                return;
            }
        }
        statement.execute(
                """
                alter table schema_migration
                  add column part text not null default 'kernel',
                  drop constraint schema_migration_pkey,
                  add constraint schema_migration_pkey primary key (part, name)
                """);
    }

    private void checkKnown(Map<Applied, String> applied) throws SchemaTooNew {
        var unknown = new HashSet<>(applied.keySet());
        for (SchemaPart part : schema.parts()) {
            part.files().forEach(file -> unknown.remove(Applied.of(part, file)));
        }
        if (!unknown.isEmpty()) {
            throw new SchemaTooNew(unknown.iterator().next());
        }
    }

    private static int apply(Connection connection, SchemaPart part, Map<Applied, String> applied)
            throws SQLException {
        int done = 0;
        for (String file : part.once()) {
            String before = applied.get(Applied.of(part, file));
            if (before == null) {
                run(connection, part, file);
                done++;
            } else if (!part.checksum(file).equals(before)) {
                throw new IllegalStateException(
                        "migration "
                                + Applied.of(part, file)
                                + " was changed after it was applied");
            }
        }
        for (String file : part.repeatable()) {
            if (!part.checksum(file).equals(applied.get(Applied.of(part, file)))) {
                run(connection, part, file);
                done++;
            }
        }
        return done;
    }

    private static Map<Applied, String> applied(Statement statement) throws SQLException {
        var applied = new HashMap<Applied, String>();
        try (var rows =
                statement.executeQuery("select part, name, checksum from schema_migration")) {
            while (rows.next()) {
                applied.put(new Applied(rows.getString(1), rows.getString(2)), rows.getString(3));
            }
        }
        return applied;
    }

    private static void run(Connection connection, SchemaPart part, String file)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(part.text(file));
        } catch (SQLException e) {
            log.error("migration {} failed", Applied.of(part, file));
            throw e;
        }
        try (var insert =
                connection.prepareStatement(
                        """
                        insert into schema_migration (part, name, checksum) values (?, ?, ?)
                        on conflict (part, name) do update set checksum = excluded.checksum
                        """)) {
            insert.setString(1, part.name());
            insert.setString(2, file);
            insert.setString(3, part.checksum(file));
            insert.executeUpdate();
        }
        connection.commit();
        log.debug("migration {} applied", Applied.of(part, file));
    }
}
