package io.orchestrion.bench;

import io.orchestrion.bench.StoreSql.Address;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Fills a store with finished tasks by copying one of them, column by column whatever the columns
/// are, under ids of earlier times.
public final class HistorySql {
    private static final int CHUNK = 20_000;
    private static final long SAY_EVERY_NANOS = TimeUnit.SECONDS.toNanos(15);

    /// A time-ordered id of the number `i`, a hundred to the millisecond.
    private static final String NEW_ID =
            "(lpad(to_hex(%d::bigint + i / 100), 12, '0') || '7' || substr(md5(i::text), 1, 3)"
                    + " || '8' || substr(md5(i::text), 4, 15))::uuid";

    /// As many as transactions wrote in `single`: three verbs, each with about ten tasks.
    private static final String CHUNKS_OF_EVENTS =
            """
            insert into event_chunk (account_id, queue, tx_id, part, position, work_ids, seqs, sums, look_ms)
            select c.account_id, c.queue, g.number, verb, e.position + 4 * g.number + verb, g.ids,
                   array_fill(verb, array[cardinality(g.ids)]), c.sums, c.look_ms
              from (select * from event_chunk where account_id = '%s' order by number limit 1) c
              join event_log e on e.account_id = c.account_id,
                   (select i / 10 as number, array_agg(%s) as ids
                      from generate_series(%d, %d) as i group by i / 10) g,
                   generate_series(1, 3) as verb
            """;

    /// As if these events had been read and counted.
    private static final String PLACES =
            """
            update event_log e set position = m.position
              from (select account_id, max(position) as position from event_chunk group by 1) m
             where e.account_id = m.account_id;
            update event_fold f set position = m.position
              from (select account_id, queue, max(position) as position from event_chunk group by 1, 2) m
             where f.account_id = m.account_id and f.queue = m.queue
            """;

    private HistorySql() {}

    /// What is copied, and where its copies lie.
    private record Original(String account, String id, long firstMs, List<String> columns) {
        static Original find(Statement statement, long rows) throws SQLException {
            String id = one(statement, "select id from work where state = 'succeeded' limit 1");
            return new Original(
                    one(statement, "select account_id from work where id = '" + id + "'"),
                    id,
                    Long.parseLong(one(statement, "select min(created_ms) from work"))
                            - rows / 100
                            - 1,
                    columns(statement));
        }

        private static List<String> columns(Statement statement) throws SQLException {
            var columns = new ArrayList<String>();
            try (ResultSet found =
                    statement.executeQuery(
                            "select column_name from information_schema.columns where table_schema"
                                    + " = current_schema() and table_name = 'work' and"
                                    + " is_generated = 'NEVER' order by ordinal_position")) {
                while (found.next()) {
                    columns.add(found.getString(1));
                }
            }
            return columns;
        }

        private String newId() {
            return String.format(Locale.ROOT, NEW_ID, firstMs);
        }

        String tasks(long from, long to) {
            String values =
                    columns.stream()
                            .map(column -> column.equals("id") ? newId() : "t." + column)
                            .collect(Collectors.joining(", "));
            return String.format(
                    Locale.ROOT,
                    "insert into work (%s) select %s from work t, generate_series(%d, %d) as i"
                            + " where t.account_id = '%s' and t.id = '%s'",
                    String.join(", ", columns),
                    values,
                    from,
                    to,
                    account,
                    id);
        }

        String events(long from, long to) {
            return String.format(Locale.ROOT, CHUNKS_OF_EVENTS, account, newId(), from, to);
        }
    }

    /// Over as many connections as there are processors: each insert keeps one busy.
    ///
    /// @param say told how far it is
    public static void fill(Address database, long rows, Consumer<String> say)
            throws SQLException, InterruptedException {
        Original original;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            original = Original.find(statement, rows);
        }
        var next = new AtomicLong();
        var progress = new Progress(rows, say);
        int connections = Runtime.getRuntime().availableProcessors();
        try (var threads = Executors.newFixedThreadPool(connections)) {
            Callable<Void> filler =
                    () -> {
                        fillFrom(next, database, original, progress);
                        return null;
                    };
            for (Future<Void> each : threads.invokeAll(Collections.nCopies(connections, filler))) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new SQLException("the store could not be filled", e.getCause());
        }
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(PLACES);
        }
    }

    private static void fillFrom(
            AtomicLong next, Address database, Original original, Progress progress)
            throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            // What guards rows against wrong changes need not look at copies of right ones.
            statement.execute("set session_replication_role = replica");
            statement.execute("set synchronous_commit = off");
            long from = next.getAndAdd(CHUNK);
            while (from < progress.rows) {
                long to = Math.min(progress.rows, from + CHUNK) - 1;
                statement.execute(original.tasks(from, to));
                statement.execute(original.events(from, to));
                progress.filled(to + 1 - from);
                from = next.getAndAdd(CHUNK);
            }
        }
    }

    /// Says how far it is now and then, and how long the rest will take.
    private static final class Progress {
        private final long rows;
        private final Consumer<String> say;
        private final long startNanos = System.nanoTime();
        private long saidNanos = startNanos;
        private long filled;

        Progress(long rows, Consumer<String> say) {
            this.rows = rows;
            this.say = say;
        }

        synchronized void filled(long more) {
            filled += more;
            long now = System.nanoTime();
            if (filled == rows || now - saidNanos > SAY_EVERY_NANOS) {
                saidNanos = now;
                double seconds = (now - startNanos) / 1e9;
                say.accept(
                        String.format(
                                Locale.ROOT,
                                "  %,d of %,d finished tasks after %.0f s, %.0f s to go",
                                filled,
                                rows,
                                seconds,
                                seconds / filled * (rows - filled)));
            }
        }
    }

    private static String one(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            if (!rows.next()) {
                throw new SQLException("nothing to copy: " + sql);
            }
            return rows.getString(1);
        }
    }

    /// How often each table was read from end to end since the database was made.
    public static Map<String, Long> sequentialScans(Address database) throws SQLException {
        var scans = new TreeMap<String, Long>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "select relname, seq_scan from pg_stat_user_tables")) {
            while (rows.next()) {
                scans.put(rows.getString(1), rows.getLong(2));
            }
        }
        return scans;
    }
}
