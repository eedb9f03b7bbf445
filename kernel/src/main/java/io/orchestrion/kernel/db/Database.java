package io.orchestrion.kernel.db;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.progress.Lanes;
import io.orchestrion.kernel.signals.Signals;

import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// The database: opens connections with our limits on them, and keeps a small fair pool for
/// everything that does not own one. Fair, because a pool that lets newcomers overtake starves
/// callers for seconds under virtual threads (decision 5).
public final class Database implements AutoCloseable {
    private record Seen(long nowMillis, long atNanos) {}

    private volatile @Nullable Seen seen;
    private volatile @Nullable Boolean distributed;

    /// The name under which our sessions appear in the database.
    static final String APPLICATION = "orchestrion";

    private static final Driver DRIVER = new Driver();
    private static final int RESERVED = 2;

    /// While a process is stopped, every caller's time runs out and nobody gets a connection,
    /// though all are free a moment after it goes on. So a caller that waited through such a stop
    /// waits once more. Seen with a process that was stopped for two seconds: ten of twenty
    /// requests were refused as overload.
    private static final Duration AFTER_A_PAUSE = Duration.ofMillis(250);

    /// The first version of PostgreSQL that bounds a transaction's time by itself.
    private static final int BOUNDS_TRANSACTIONS = 17;

    private static final String LANE_OPTIONS =
            " -c enable_hashjoin=off -c enable_mergejoin=off -c orchestrion.guard=statement";

    /// A distributed PostgreSQL refuses to make plans like that, see [Tables].
    private static final String ONE_PLAN = "set plan_cache_mode = force_generic_plan";

    private final DatabaseOptions options;
    private final StoreClock clock;
    private final Failpoints failpoints;
    private final Signals signals;
    private final Room room;
    private final StoreLog log = new StoreLog();
    private final BlockingQueue<Session> idle;
    private final TransactionWatch watch;
    private final Lanes lanes = new Lanes();

    /// Connections that only [Urgent] callers get, when all others are lent.
    private final BlockingQueue<Session> reserved;

    public Database(DatabaseOptions options, StoreClock clock, Failpoints failpoints) {
        this(options, clock, failpoints, Signals.NONE, Room.UNKNOWN);
    }

    /// @param signals told of failures
    public Database(
            DatabaseOptions options,
            StoreClock clock,
            Failpoints failpoints,
            Signals signals,
            Room room) {
        this.options = options;
        this.clock = clock;
        this.failpoints = failpoints;
        this.signals = signals;
        this.room = room;
        this.watch = new TransactionWatch(options.transactionTimeout());
        this.idle = pool(options.poolSize());
        this.reserved = pool(RESERVED);
    }

    private BlockingQueue<Session> pool(int size) {
        var pool = new ArrayBlockingQueue<Session>(size, true);
        for (int i = 0; i < size; i++) {
            pool.add(new Session(this, "pool", false, failpoints));
        }
        return pool;
    }

    /// A session of its own for a thread that keeps it, such as a committer.
    public Session session(String name) {
        return new Session(this, name, true, failpoints);
    }

    /// One transaction on a pooled connection.
    public <T extends @Nullable Object> T transaction(Session.Body<T> body) {
        boolean urgent = Urgent.marked();
        Session free = urgent ? idle.poll() : null;
        BlockingQueue<Session> pool = urgent && free == null ? reserved : idle;
        Session session = free == null ? borrow(pool) : free;
        try {
            return session.transaction(body);
        } finally {
            pool.add(session);
        }
    }

    /// The same for an engine, which changes its own rows and its items in one: after a deadlock or
    /// a serialization failure, which left nothing behind, it is done again, a few times, as the
    /// lanes do. The body must be bearable twice up to its commit.
    public <T extends @Nullable Object> T retried(Session.Body<T> body) {
        return Tries.run(Set.of(StoreException.Kind.CONFLICT), () -> transaction(body));
    }

    private Session borrow(BlockingQueue<Session> pool) {
        try {
            Session session = waitFor(pool, options.poolWait());
            if (session == null) {
                session = waitFor(pool, AFTER_A_PAUSE);
            }
            if (session == null) {
                Deadline.check();
                var busy =
                        new StoreException(
                                StoreException.Kind.OVERLOADED,
                                "no database connection was free within " + options.poolWait());
                log.failed(busy);
                throw busy;
            }
            return session;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }

    private static @Nullable Session waitFor(BlockingQueue<Session> pool, Duration most)
            throws InterruptedException {
        return pool.poll(Deadline.nanosLeft(most.toNanos()), TimeUnit.NANOSECONDS);
    }

    /// A new connection with our limits; the caller closes it.
    public Connection connect() throws SQLException {
        return connect("");
    }

    /// The same for transactions, whose whole time the database bounds, too.
    Connection connectForTransactions() throws SQLException {
        return bounded(connect());
    }

    /// The same for the few statements of a lane. Their plans are made once: each statement is
    /// written so that only one plan is good, and planning it anew would take as long as running it
    /// (decision 44). That plan looks up rows one by one. A hash or a merge would read all rows of
    /// an account, which are few only as long as the account is new (decision 52). These statements
    /// guard their own changes (decision 121).
    Connection connectForLane() throws SQLException {
        Connection connection = bounded(connect(LANE_OPTIONS));
        try {
            if (!isDistributed(connection)) {
                execute(connection, ONE_PLAN);
            }
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /// Set by a statement and not as an option of the connection, because older servers refuse
    /// options that they do not know.
    private Connection bounded(Connection connection) throws SQLException {
        if (connection.getMetaData().getDatabaseMajorVersion() >= BOUNDS_TRANSACTIONS) {
            try {
                execute(connection, "set transaction_timeout = " + databaseLimitMs());
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        }
        return connection;
    }

    private static void execute(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    /// Later than our own watch, which can tell where the thread was.
    private long databaseLimitMs() {
        return options.transactionTimeout().toMillis() * 4 / 3;
    }

    /// Whether the tables are spread over several machines. It is asked once, because the servers
    /// are stopped before somebody spreads the tables.
    public boolean isDistributed() {
        Boolean known = distributed;
        return known == null ? transaction(tx -> isDistributed(tx.connection())) : known;
    }

    private boolean isDistributed(Connection connection) throws SQLException {
        Boolean known = distributed;
        if (known == null) {
            known = Tables.areDistributed(connection);
            distributed = known;
        }
        return known;
    }

    private Connection connect(String moreOptions) throws SQLException {
        var properties = new Properties();
        properties.setProperty("user", options.user());
        properties.setProperty("password", options.password());
        properties.setProperty("currentSchema", options.schema());
        properties.setProperty("ApplicationName", APPLICATION);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("connectTimeout", seconds(options.connectTimeout().toSeconds()));
        properties.setProperty("loginTimeout", seconds(options.connectTimeout().toSeconds()));
        // Longer than the limit of a statement, so that the database answers first. This limit is
        // for a connection whose other end is gone.
        properties.setProperty(
                "socketTimeout", seconds(options.statementTimeout().toSeconds() + 5));
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("binaryTransferEnable", UuidArray.TYPE_NUMBER);
        // Sequential scans are off because a statement prepared on an empty table keeps them when
        // the table has grown (measured: a third of the throughput; decision 6).
        properties.setProperty(
                "options",
                "-c statement_timeout="
                        + options.statementTimeout().toMillis()
                        + " -c lock_timeout="
                        + options.lockTimeout().toMillis()
                        + " -c idle_in_transaction_session_timeout="
                        + databaseLimitMs()
                        + " -c enable_seqscan=off -c jit=off -c timezone=UTC"
                        + " -c default_transaction_isolation=read\\ committed"
                        + moreOptions);
        Connection connection = DRIVER.connect(options.jdbcUrl(), properties);
        if (connection == null) {
            throw new SQLException("not a PostgreSQL address", "08001");
        }
        return connection;
    }

    private static String seconds(long value) {
        return Long.toString(Math.max(1, value));
    }

    void failed(StoreException failure) {
        signals.databaseError(failure.kind().name().toLowerCase(Locale.ROOT));
        log.failed(failure);
        if (failure.kind() == StoreException.Kind.NO_ROOM) {
            room.make();
        }
    }

    void succeeded() {
        log.good();
    }

    /// Refuses new work and claims when the store is nearly full: the room that is left is for
    /// those who hold work already.
    public void checkRoom() {
        if (room.full()) {
            var full =
                    new StoreException(
                            StoreException.Kind.NO_ROOM, "the disk of the database is full");
            log.failed(full);
            throw full;
        }
    }

    /// Whether [#checkRoom] would refuse, for what can wait.
    public boolean isFull() {
        return room.full();
    }

    void saw(long nowMillis) {
        seen = new Seen(nowMillis, System.nanoTime());
    }

    /// The database's time to within a moment, without asking it: counted on from its last answer.
    /// For choosing between rules, never for anything stored.
    public long aboutNowMillis() {
        Seen last = seen;
        return last == null
                ? transaction(Tx::nowMillis)
                : last.nowMillis() + (System.nanoTime() - last.atNanos()) / 1_000_000;
    }

    public StoreClock clock() {
        return clock;
    }

    /// The failpoints of this kernel, for code outside of it.
    public Failpoints failpoints() {
        return failpoints;
    }

    /// Ends transactions that take too long.
    TransactionWatch watch() {
        return watch;
    }

    /// How many transactions of sessions of that name were ended because they took too long.
    public long endedTransactions(String name) {
        return watch.ended(name);
    }

    /// The lanes that write to it.
    public Lanes lanes() {
        return lanes;
    }

    public DatabaseOptions options() {
        return options;
    }

    /// Closes the idle connections; one still in use is closed by the process's end.
    @Override
    public void close() {
        watch.close();
        for (BlockingQueue<Session> pool : List.of(idle, reserved)) {
            Session session = pool.poll();
            while (session != null) {
                session.close();
                session = pool.poll();
            }
        }
    }
}
