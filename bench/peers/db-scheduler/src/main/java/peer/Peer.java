package peer;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskDescriptor;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * db-scheduler: what is set, and why (from the library's README and its page on performance).
 *
 * <ul>
 *   <li>single: scheduleIfNotExists, one job a call, 64 producers over 16 connections. 16 threads,
 *       each with one job at a time. Polling by lock-and-fetch between 1.0 and 4.0 of the threads,
 *       which the README names for high throughput; 0.5 to 1.0, which it names for normal use, was
 *       slower in short tries.
 *   <li>batch: scheduleBatch of 500, 4 producers, with the driver's reWriteBatchedInserts. 50
 *       threads and lock-and-fetch between 2.0 and 10.0 of them, so up to 500 jobs a fetch; 20 and
 *       100 threads were not faster. The library completes each job with a delete of its own; there
 *       is no bulk way for that. Producers at most 4,000 jobs ahead, as in the other drivers.
 *   <li>both: a short polling interval and a check for due jobs after each call to create, so that
 *       the worker never waits while there is work. One-time work as a custom task, with the
 *       payload as its data.
 * </ul>
 */
public final class Peer {

    private static final int PRODUCER_CONNECTIONS = 16;
    private static final int BATCH_SIZE = 500;
    private static final Duration POLLING_INTERVAL = Duration.ofMillis(100);

    /**
     * What one mode sets; `atMostAhead` is how far the producers may run ahead of the worker before
     * they pause.
     */
    private record Setup(
            int producers,
            int jobsPerCall,
            int atMostAhead,
            int threads,
            double lower,
            double upper) {

        static Setup of(Arguments.Mode mode) {
            return switch (mode) {
                case SINGLE -> new Setup(64, 1, 2_000, 16, 1.0, 4.0);
                case BATCH -> new Setup(4, BATCH_SIZE, 4_000, 50, 2.0, 10.0);
            };
        }

        String inWords() {
            return String.format(
                    Locale.ROOT,
                    "%d producers, %s; %d threads, lock-and-fetch %.1f to %.1f of threads, polling"
                            + " interval %d ms and a check after each call to create",
                    producers,
                    jobsPerCall == 1 ? "scheduleIfNotExists" : "scheduleBatch of " + jobsPerCall,
                    threads,
                    lower,
                    upper,
                    POLLING_INTERVAL.toMillis());
        }
    }

    private record Snapshot(long nanos, long created, long completed) {}

    private final Arguments arguments;
    private final Setup setup;
    private final String version = libraryVersion();
    private final AtomicLong created = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong nextInstance = new AtomicLong();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /**
     * A custom task, so that a job counts only after the delete that completes it has been
     * answered.
     */
    private final CustomTask<String> nothing =
            Tasks.custom(TaskDescriptor.of("nothing", String.class))
                    .onFailure(
                            (complete, operations) -> {
                                failure.compareAndSet(null, complete.getCause().orElse(null));
                                operations.stop();
                            })
                    .execute(
                            (instance, context) ->
                                    (complete, operations) -> {
                                        operations.remove();
                                        completed.incrementAndGet();
                                    });

    private Peer(Arguments arguments) {
        this.arguments = arguments;
        this.setup = Setup.of(arguments.mode());
    }

    public static void main(String[] args) {
        try {
            System.out.println(new Peer(Arguments.parse(args)).measure());
            System.exit(0);
        } catch (IllegalArgumentException e) {
            System.err.println("db-scheduler: " + e.getMessage());
        } catch (Throwable e) {
            System.err.println("db-scheduler: the run failed: " + e);
            e.printStackTrace();
        }
        System.exit(1);
    }

    private String measure() throws Exception {
        // One connection for each thread, one for the poll and one for the housekeeping.
        try (HikariDataSource workerPool = pool("worker", setup.threads() + 2);
                HikariDataSource producerPool = pool("producers", PRODUCER_CONNECTIONS)) {
            createTables(producerPool);
            Scheduler scheduler =
                    Scheduler.create(workerPool, nothing)
                            .threads(setup.threads())
                            .pollUsingLockAndFetch(setup.lower(), setup.upper())
                            .pollingInterval(POLLING_INTERVAL)
                            .shutdownMaxWait(Duration.ofSeconds(30))
                            .build();
            scheduler.start();
            List<Thread> producers =
                    startProducers(
                            scheduler,
                            SchedulerClient.Builder.create(producerPool, nothing).build());

            Snapshot before;
            Snapshot after;
            try {
                pass(arguments.warmup(), "warm-up");
                before = snapshot();
                pass(arguments.seconds(), "measuring");
                after = snapshot();
            } finally {
                stopping.set(true);
                for (Thread producer : producers) {
                    producer.join();
                }
                scheduler.stop();
            }
            failIfAnythingFailed();
            checkBooks(producerPool);
            return report(before, after);
        }
    }

    private List<Thread> startProducers(Scheduler scheduler, SchedulerClient client) {
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < setup.producers(); i++) {
            Thread producer = new Thread(() -> produce(scheduler, client), "producer-" + i);
            producer.start();
            producers.add(producer);
        }
        return producers;
    }

    private void produce(Scheduler scheduler, SchedulerClient client) {
        try {
            while (!stopping.get()) {
                if (created.get() - completed.get() > setup.atMostAhead()) {
                    Thread.sleep(1);
                    continue;
                }
                create(client);
                created.addAndGet(setup.jobsPerCall());
                // What enableImmediateExecution() does for the scheduler's own client; the
                // producers have another one,
                // because their connections are theirs.
                scheduler.triggerCheckForDueExecutions();
            }
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    private void create(SchedulerClient client) {
        if (setup.jobsPerCall() == 1) {
            client.scheduleIfNotExists(newInstance(), Instant.now());
            return;
        }
        List<TaskInstance<?>> instances = new ArrayList<>(setup.jobsPerCall());
        for (int i = 0; i < setup.jobsPerCall(); i++) {
            instances.add(newInstance());
        }
        client.scheduleBatch(instances, Instant.now());
    }

    private TaskInstance<String> newInstance() {
        return nothing.instance(Long.toString(nextInstance.incrementAndGet()), arguments.payload());
    }

    private void pass(double seconds, String what) throws InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Duration.ofNanos(Math.min(left, 1_000_000_000L)).toMillis() + 1);
            failIfAnythingFailed();
            System.err.printf(
                    Locale.ROOT,
                    "db-scheduler %s %s: %s: %d created, %d completed%n",
                    version,
                    arguments.mode().word(),
                    what,
                    created.get(),
                    completed.get());
        }
    }

    private Snapshot snapshot() {
        return new Snapshot(System.nanoTime(), created.get(), completed.get());
    }

    private void failIfAnythingFailed() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a producer or a job failed: " + cause, cause);
        }
    }

    /**
     * A count that the database does not confirm is worth nothing: a created job is either
     * completed or still there.
     */
    private void checkBooks(HikariDataSource pool) throws SQLException {
        long expected = created.get() - completed.get();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from scheduled_tasks")) {
            rows.next();
            long unfinished = rows.getLong(1);
            if (unfinished != expected) {
                throw new IllegalStateException(
                        "counted "
                                + created
                                + " created and "
                                + completed
                                + " completed, so "
                                + expected
                                + " should be unfinished, but the database holds "
                                + unfinished);
            }
        }
    }

    private String report(Snapshot before, Snapshot after) {
        long createdInWindow = after.created() - before.created();
        long completedInWindow = after.completed() - before.completed();
        if (completedInWindow == 0) {
            throw new IllegalStateException("no job was completed in the measuring window");
        }
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        return String.format(
                Locale.ROOT,
                "{\"peer\":\"db-scheduler\",\"version\":\"%s\",\"mode\":\"%s\",\"created\":%d,\"completed\":%d,\"seconds\":%.3f,\"lifeCyclesPerSecond\":%.1f,\"settings\":\"%s;"
                    + " java %s\"}",
                version,
                arguments.mode().word(),
                createdInWindow,
                completedInWindow,
                seconds,
                Math.min(createdInWindow, completedInWindow) / seconds,
                setup.inWords(),
                Runtime.version().feature());
    }

    private HikariDataSource pool(String name, int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(arguments.jdbcUrl());
        config.setUsername(arguments.user());
        config.setPassword(arguments.password());
        config.setMaximumPoolSize(connections);
        // scheduleBatch is a JDBC batch; with this the driver sends it as inserts of many rows.
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        return new HikariDataSource(config);
    }

    private static void createTables(HikariDataSource pool) throws IOException, SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(resource("/tables.sql"), StandardCharsets.UTF_8));
        }
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

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Peer.class.getResourceAsStream(name)) {
            return in.readAllBytes();
        }
    }
}
