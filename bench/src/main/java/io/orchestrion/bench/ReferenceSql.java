package io.orchestrion.bench;

import io.orchestrion.bench.StoreSql.Address;
import io.orchestrion.bench.load.BlockingWorker;
import io.orchestrion.bench.load.Latencies;
import io.orchestrion.bench.load.Sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;

/// The same life of a task as the plainest SQL that keeps the same promise: insert, claim with skip
/// locked, end, each committed. No history, no leases that run out, no HTTP: what PostgreSQL itself
/// can do here, to hold every other figure against.
public final class ReferenceSql {
    private static final long LEASE_MS = 300_000;

    private ReferenceSql() {}

    public static void createTable(Address database) throws SQLException {
        try (InputStream in = ReferenceSql.class.getResourceAsStream("reference.sql")) {
            StoreSql.execute(
                    database,
                    new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One connection on which so many rows go through each step together.
    public static BlockingWorker worker(Address database, int rows) throws SQLException {
        return new Rows(database.connect(), rows);
    }

    private static final class Rows implements BlockingWorker {
        private final Connection connection;
        private final int rows;
        private final PreparedStatement insert;
        private final PreparedStatement claim;
        private final PreparedStatement end;

        Rows(Connection connection, int rows) throws SQLException {
            this.connection = connection;
            this.rows = rows;
            // As the product's own connections do; a plan made on an empty table would stay.
            try (Statement settings = connection.createStatement()) {
                settings.execute("set enable_seqscan = off");
            }
            insert =
                    connection.prepareStatement(
                            "insert into reference_task (id, kind, state, payload)"
                                    + " select id, 'k', 'ready', ?::jsonb from unnest(?) as n(id)");
            claim =
                    connection.prepareStatement(
                            "with head as materialized (select id from reference_task where kind ="
                                    + " 'k' and state = 'ready' order by id limit ? for update skip"
                                    + " locked) update reference_task t set state = 'leased',"
                                    + " lease_until_ms = ? from head where t.id = head.id returning"
                                    + " t.id, t.payload::text");
            end =
                    connection.prepareStatement(
                            "update reference_task set state = 'done', lease_until_ms = null,"
                                    + " result = ?::jsonb where id = any(?) and state = 'leased'");
        }

        @Override
        public int step(Latencies into) throws SQLException {
            var ids = new UUID[rows];
            Arrays.setAll(ids, _ -> UUID.randomUUID());
            long inserting = System.nanoTime();
            insert.setString(1, Sample.PAYLOAD);
            insert.setArray(2, connection.createArrayOf("uuid", ids));
            insert.executeUpdate();
            into.record("insert", inserting);
            long claiming = System.nanoTime();
            claim.setInt(1, rows);
            claim.setLong(2, System.nanoTime() / 1_000_000 + LEASE_MS);
            var claimed = new ArrayList<UUID>();
            try (ResultSet found = claim.executeQuery()) {
                while (found.next()) {
                    claimed.add(found.getObject(1, UUID.class));
                }
            }
            into.record("claim", claiming);
            long ending = System.nanoTime();
            end.setString(1, Sample.RESULT);
            end.setArray(2, connection.createArrayOf("uuid", claimed.toArray()));
            int ended = end.executeUpdate();
            into.record("end", ending);
            return ended;
        }

        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
