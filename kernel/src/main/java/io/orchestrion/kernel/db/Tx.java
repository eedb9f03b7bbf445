package io.orchestrion.kernel.db;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/// One open transaction: its connection, its one time, and what is to happen after the commit.
public final class Tx {
    private static final Logger log = LoggerFactory.getLogger(Tx.class);

    private static final int TOGETHER_AT_MOST = 3;
    private static final NamedSql.Parsed BEGIN = plain("begin");
    private static final NamedSql.Parsed COMMIT = plain("commit");
    private static final NamedSql.Parsed ROLLBACK = plain("rollback");

    /// Several statements joined into one text, by the list of their texts. Driver and database
    /// cache by the text, so there must be few of them.
    private static final Map<List<String>, String> TOGETHER = new ConcurrentHashMap<>();

    /// The time of a lone statement, which asked for none.
    static final long NO_TIME = Long.MIN_VALUE;

    private final Connection connection;
    private final long nowMillis;
    private final List<Runnable> afterCommit = new ArrayList<>();
    private final List<Bound> saidLater = new ArrayList<>();
    private final Map<Class<?>, Object> kept = new HashMap<>();
    private Set<String> names = Set.of();
    private long id;
    private int parts;
    private boolean begun;

    /// @param connection in the mode that commits each statement. This class sends `begin` and
    ///     `commit` itself, each in one round trip with other statements. The driver would send
    ///     `begin` as a message of its own, for which both sides wake up.
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

    /// Sends all statements that wait, so that only the commit is left.
    public void flush() throws SQLException {
        if (!saidLater.isEmpty()) {
            Bound last = saidLater.removeLast();
            send(last, last::checked);
        }
    }

    /// The same, except for statements that can be sent in one round trip with the commit: those
    /// whose answers nobody reads. One statement that writes all or nothing may be among them if it
    /// is the first that is sent; if it writes nothing, then nothing was written at all.
    public void flushBeforeCommit() throws SQLException {
        List<Bound> checked = saidLater.stream().filter(Bound::isChecked).toList();
        boolean harmless =
                checked.isEmpty()
                        || (!begun && checked.size() == 1 && checked.getFirst().isAllOrNone());
        if (!harmless || saidLater.size() >= TOGETHER_AT_MOST) {
            flush();
        }
    }

    /// Whether any statement was sent yet.
    public boolean hasBegun() {
        return begun;
    }

    /// Sends a statement together with all that wait, in one round trip. When many wait it takes a
    /// few, each of the same few forms, so that plans can be reused.
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

    /// Commits, and before that sends what still waits, in the same round trip. If that fails,
    /// nothing is committed.
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

    /// A number that no other transaction has. Rows that the transaction writes carry it and are
    /// found by it again. It is random, so no statement is needed to get it, and it says nothing
    /// about any order.
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

    /// What a module remembers until the end of this transaction, made when it is first asked for.
    public <T> T kept(Class<T> type, Supplier<T> made) {
        return type.cast(kept.computeIfAbsent(type, _ -> made.get()));
    }

    /// What this transaction commits, for failpoints before and after it. A transaction may commit
    /// several things.
    public void called(String name) {
        if (names.isEmpty()) {
            names = new LinkedHashSet<>();
        }
        names.add(name);
    }

    Set<String> names() {
        return names;
    }

    /// Runs once the commit is durable, never when it is not. For wake-ups and counters: it must
    /// not block or fail.
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /// The transaction is committed, whatever happens in these. One that fails is only logged.
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
