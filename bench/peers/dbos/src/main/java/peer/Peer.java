package peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * DBOS Transact for Java: what is set, and why.
 *
 * <ul>
 *   <li>Workflows are called directly, which runs them in this process without a queue. That is the
 *       library's shortest way: its queues are polled, once a second if nothing is set.
 *   <li>64 callers in a closed loop, each of which waits for its workflow's result.
 *   <li>A pool of 32 connections instead of the library's own 10, so that callers wait for the
 *       database more than for each other.
 *   <li>A step does nothing and returns a result of 64 bytes. The workflow takes the payload and
 *       returns the last step's result, so that both are stored.
 *   <li>No admin server, no schedules, no queues. LISTEN stays as it is set by the library.
 * </ul>
 */
public final class Peer {
    private static final int CALLERS = 64;
    private static final int CONNECTIONS = 32;
    private static final String RESULT = "{\"answer\":\"" + "r".repeat(51) + "\"}";

    /** What the library wraps; it needs an interface. */
    public interface Flow {
        String run(String payload) throws Exception;
    }

    /** So many steps, one after the other. */
    public static final class Steps implements Flow {
        private final DBOS dbos;
        private final int steps;

        Steps(DBOS dbos, int steps) {
            this.dbos = dbos;
            this.steps = steps;
        }

        @Override
        @Workflow(name = "steps")
        public String run(String payload) throws Exception {
            String last = "";
            for (int i = 1; i <= steps; i++) {
                last = dbos.runStep(() -> RESULT, "step" + i);
            }
            return last;
        }
    }

    private record Snapshot(long nanos, long completed) {}

    private final Arguments arguments;
    private final String version = libraryVersion();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private Peer(Arguments arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] args) {
        try {
            System.out.println(new Peer(Arguments.parse(args)).measure());
            System.exit(0);
        } catch (IllegalArgumentException e) {
            System.err.println("dbos: " + e.getMessage());
        } catch (Throwable e) {
            System.err.println("dbos: the run failed: " + e);
            e.printStackTrace();
        }
        System.exit(1);
    }

    private String measure() throws Exception {
        try (HikariDataSource pool = pool()) {
            var dbos =
                    new DBOS(
                            DBOSConfig.defaults("peer")
                                    .withDataSource(pool)
                                    .withMigrate(true)
                                    .withAppVersion("1")
                                    .withAdminServer(false));
            Flow flow = dbos.registerProxy(Flow.class, new Steps(dbos, arguments.mode().steps));
            dbos.launch();
            Snapshot before;
            Snapshot after;
            List<Thread> callers = startCallers(flow);
            try {
                pass(arguments.warmup(), "warm-up");
                before = snapshot();
                pass(arguments.seconds(), "measuring");
                after = snapshot();
            } finally {
                stopping.set(true);
                for (Thread caller : callers) {
                    caller.join();
                }
            }
            failIfAnythingFailed();
            checkBooks(pool);
            dbos.shutdown();
            return report(before, after);
        }
    }

    private List<Thread> startCallers(Flow flow) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            Thread caller = new Thread(() -> call(flow), "caller-" + i);
            caller.start();
            callers.add(caller);
        }
        return callers;
    }

    private void call(Flow flow) {
        try {
            while (!stopping.get()) {
                String result = flow.run(arguments.payload());
                if (!RESULT.equals(result)) {
                    throw new IllegalStateException("a workflow answered " + result);
                }
                completed.incrementAndGet();
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private void pass(double seconds, String what) throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Duration.ofNanos(Math.min(left, 1_000_000_000L)).toMillis() + 1);
            failIfAnythingFailed();
            System.err.printf(
                    Locale.ROOT,
                    "dbos %s %s: %s: %d completed%n",
                    version,
                    arguments.mode().word,
                    what,
                    completed.get());
        }
    }

    private Snapshot snapshot() {
        return new Snapshot(System.nanoTime(), completed.get());
    }

    private void failIfAnythingFailed() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a workflow failed: " + cause, cause);
        }
    }

    /** A count that the database does not confirm is worth nothing. */
    private void checkBooks(HikariDataSource pool) throws SQLException {
        long done =
                count(pool, "select count(*) from dbos.workflow_status where status = 'SUCCESS'");
        long steps = count(pool, "select count(*) from dbos.operation_outputs");
        if (done != completed.get() || steps != completed.get() * arguments.mode().steps) {
            throw new IllegalStateException(
                    "counted "
                            + completed
                            + " workflows, but the database holds "
                            + done
                            + " with "
                            + steps
                            + " steps");
        }
    }

    private static long count(HikariDataSource pool, String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private String report(Snapshot before, Snapshot after) {
        long done = after.completed() - before.completed();
        if (done == 0) {
            throw new IllegalStateException("no workflow was completed in the measuring window");
        }
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        return String.format(
                Locale.ROOT,
                "{\"peer\":\"dbos\",\"version\":\"%s\",\"mode\":\"%s\",\"created\":%d,\"completed\":%d,\"seconds\":%.3f,\"lifeCyclesPerSecond\":%.1f,\"settings\":\"%d"
                    + " callers, direct calls, %d connections; java %s\"}",
                version,
                arguments.mode().word,
                done,
                done,
                seconds,
                done / seconds,
                CALLERS,
                CONNECTIONS,
                Runtime.version().feature());
    }

    private HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setPoolName("dbos");
        config.setJdbcUrl(arguments.jdbcUrl());
        config.setUsername(arguments.user());
        config.setPassword(arguments.password());
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    private static String libraryVersion() {
        Properties properties = new Properties();
        try (InputStream in = Peer.class.getResourceAsStream("/peer.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new IllegalStateException("peer.properties cannot be read from the jar", e);
        }
        return properties.getProperty("version");
    }
}
