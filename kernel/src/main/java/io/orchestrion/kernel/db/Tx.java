package io.orchestrion.kernel.db;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// One open transaction: its connection, its one moment in time, and what is to happen once it is
/// committed.
public final class Tx {
    private static final Logger log = LoggerFactory.getLogger(Tx.class);

    private static final int TOGETHER_AT_MOST = 3;
    private static final NamedSql.Parsed BEGIN = plain("begin");
    private static final NamedSql.Parsed COMMIT = plain("commit");
    private static final NamedSql.Parsed ROLLBACK = plain("rollback");

    /// Texts of several statements in one, by those of each: driver and database keep what they
    /// made of a text, so there must be few of them.
    private static final Map<List<String>, String> TOGETHER = new ConcurrentHashMap<>();

    /// Of a lone statement, which asked for no time.
    static final long NO_TIME = Long.MIN_VALUE;

    private final Connection connection;
    private final long nowMillis;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Bound> saidLater = new ArrayList<>();
    private long id;
    private int parts;
    private boolean begun;

    /// @param connection that commits by itself: this one says `begin` and `commit` itself, each in
    ///     one breath with what else is said. The driver says `begin` apart from it, and the
    ///     database answers that with a message of its own, for which both sides wake up.
    Tx(Connection connection, long nowMillis) {
        this.connection = connection;
        this.nowMillis = nowMillis;
    }

    private static NamedSql.Parsed plain(String word) {
        return new NamedSql.Parsed(word, "", word, Map.of(), 0);
    }

    /// For `*Sql` classes only; the architecture test holds them to it.
    public Connection connection() throws SQLException {
        flush();
        if (!begun && nowMillis != NO_TIME) {
            send(List.of(), new Bound(this, BEGIN), _ -> true);
        }
        return connection;
    }

    /// Reads the answer to a statement.
    @FunctionalInterface
    interface AnswerReader<T> {
        T read(PreparedStatement answered) throws SQLException;
    }

    void sayLater(Bound statement) {
        if (nowMillis == NO_TIME) {
            throw new IllegalStateException("a lone statement has nothing after it");
        }
        saidLater.add(statement);
    }

    /// Says what waits to be said, so that only the commit is left.
    public void flush() throws SQLException {
        if (!saidLater.isEmpty()) {
            Bound last = saidLater.removeLast();
            send(last, last::checked);
        }
    }

    /// The same, but for what can be said in one round trip with the commit: statements of which
    /// nobody looks at the answers, and one among them that writes all or nothing where nothing was
    /// said before, because then nothing is written at all where that one wrote nothing.
    public void flushBeforeCommit() throws SQLException {
        List<Bound> checked = saidLater.stream().filter(Bound::isChecked).toList();
        boolean harmless =
                checked.isEmpty()
                        || (!begun && checked.size() == 1 && checked.getFirst().isAllOrNone());
        if (!harmless || saidLater.size() >= TOGETHER_AT_MOST) {
            flush();
        }
    }

    /// Whether anything was said to the database yet.
    public boolean hasBegun() {
        return begun;
    }

    /// Says a statement, after all that waits to be said and in one round trip with it; in a few
    /// when much waits, which is always the same few statements for each of many accounts.
    <T> T send(Bound last, AnswerReader<T> reader) throws SQLException {
        List<Bound> waiting = List.copyOf(saidLater);
        saidLater.clear();
        int from = 0;
        while (waiting.size() - from > TOGETHER_AT_MOST - 1) {
            List<Bound> group = waiting.subList(from, from + TOGETHER_AT_MOST);
            Bound end = group.getLast();
            send(group.subList(0, TOGETHER_AT_MOST - 1), end, end::checked);
            from += TOGETHER_AT_MOST;
        }
        return send(waiting.subList(from, waiting.size()), last, reader);
    }

    private <T> T send(List<Bound> waiting, Bound last, AnswerReader<T> reader)
            throws SQLException {
        List<Bound> before = begun || nowMillis == NO_TIME ? waiting : afterBegin(waiting, last);
        try (PreparedStatement statement = connection.prepareStatement(together(before, last))) {
            int place = 1;
            for (Bound each : before) {
                place = each.bind(statement, place);
            }
            last.bind(statement, place);
            begun = true;
            statement.execute();
            for (Bound each : before) {
                each.checked(statement);
                statement.getMoreResults();
            }
            return reader.read(statement);
        }
    }

    private List<Bound> afterBegin(List<Bound> waiting, Bound last) {
        if (last.parsed() == BEGIN) {
            return waiting;
        }
        var all = new ArrayList<Bound>(waiting.size() + 1);
        all.add(new Bound(this, BEGIN));
        all.addAll(waiting);
        return all;
    }

    /// With what is left to be said before it, if anything. If that fails, nothing is committed.
    void commit() throws SQLException {
        List<Bound> left = List.copyOf(saidLater);
        saidLater.clear();
        if (begun || !left.isEmpty()) {
            send(left, new Bound(this, COMMIT), _ -> true);
        }
    }

    void rollBack() throws SQLException {
        saidLater.clear();
        if (begun) {
            send(List.of(), new Bound(this, ROLLBACK), _ -> true);
        }
    }

    private static String together(List<Bound> before, Bound last) {
        if (before.isEmpty()) {
            return last.parsed().text();
        }
        var texts = new ArrayList<String>();
        before.forEach(each -> texts.add(each.parsed().text()));
        texts.add(last.parsed().text());
        return TOGETHER.computeIfAbsent(texts, all -> String.join(";\n", all));
    }

    /// The database's time of this transaction, the same for everything in it.
    public long nowMillis() {
        if (nowMillis == NO_TIME) {
            throw new IllegalStateException("a lone statement reads the time itself");
        }
        return nowMillis;
    }

    /// A number that no other transaction has, by which what it wrote is found again. Random, so
    /// that nobody has to be asked for it; it says nothing about any order.
    public long id() {
        if (id == 0) {
            id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
        }
        return id;
    }

    /// A number for each of the things that a transaction writes several of.
    public int nextPart() {
        return parts++;
    }

    /// Runs once the commit is durable, never when it is not. For wake-ups and counters: it must
    /// not block or fail.
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /// The commit stands, whatever becomes of these: one that fails is logged and no more.
    void committed() {
        for (Runnable action : afterCommit) {
            try {
                action.run();
            } catch (RuntimeException e) {
                log.error("an action after a commit failed", e);
            }
        }
    }
}
