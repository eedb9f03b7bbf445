package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.bulk.BulkSql.Due;
import io.orchestrion.kernel.bulk.BulkSql.Seen;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Carries out operations, one step of each in turn. A step is one short transaction. It changes
/// some items by the ordinary verbs, and notes how far it came. When a node dies, another goes on
/// from there, and nothing is done or counted twice.
public final class BulkRunner implements Sweeper {
    /// Operations that get a turn in one pass, the longest waiting first.
    static final int OPERATIONS = 20;

    /// Items that one step changes at the most, and rows that it looks at.
    static final int BATCH = 500;

    static final int SCAN = 2000;

    /// Transactions in one turn: an operation with bad items must not keep the others waiting.
    private static final int TURN = 40;

    /// After so many turns in a row without progress an operation is given up.
    static final int TRIES_MAX = 20;

    private static final Duration PAUSE_MAX = Duration.ofMinutes(1);
    private static final Logger log = LoggerFactory.getLogger(BulkRunner.class);

    private final Database database;
    private final WorkVerbs verbs;

    public BulkRunner(Database database, WorkVerbs verbs) {
        this.database = database;
        this.verbs = verbs;
    }

    @Override
    public String name() {
        return "bulk-runner";
    }

    /// While any operation is under way, the next pass follows at once.
    @Override
    public int fullPass() {
        return 1;
    }

    /// How many operations came further.
    @Override
    public int runOnce() {
        List<Due> due = database.transaction(tx -> BulkSql.due(tx, OPERATIONS));
        return Sweeps.each(name(), due, this::turn);
    }

    /// What a step was about to do, in case it fails.
    private static final class Attempt {
        List<UUID> items = List.of();
        @Nullable UUID from;
    }

    private int turn(Due due) {
        try {
            return steps(due);
        } catch (RuntimeException e) {
            if (!storeIsAway(e)) {
                putOff(due);
            }
            throw e;
        }
    }

    /// Does one step. If it fails because of an item, it tries smaller steps, down to that item
    /// alone, which is then noted as failed and passed over.
    private int steps(Due due) {
        int size = BATCH;
        boolean grows = true;
        int moved = 0;
        for (int i = 0; i < TURN; i++) {
            var attempt = new Attempt();
            int most = size;
            try {
                boolean came = database.transaction(tx -> step(tx, due, most, attempt));
                database.failpoints().hit("bulk.after-step");
                if (!came) {
                    return moved;
                }
                moved = 1;
                if (size == BATCH) {
                    return moved;
                }
                size = grows ? Math.min(BATCH, size * 2) : size;
            } catch (RuntimeException e) {
                if (storeIsAway(e) || attempt.items.isEmpty()) {
                    throw e;
                }
                if (attempt.items.size() == 1) {
                    leaveBehind(due, attempt, e);
                    moved = 1;
                } else {
                    // Waiting for a lock takes seconds, and each smaller step would wait again.
                    grows = grows && !lockedOut(e);
                    size = grows ? attempt.items.size() / 2 : 1;
                }
            }
        }
        return moved;
    }

    private static boolean lockedOut(RuntimeException e) {
        return e instanceof StoreException store && store.kind() == StoreException.Kind.LOCKED;
    }

    /// Then no item is at fault, and all will work again when the store is back.
    private static boolean storeIsAway(RuntimeException e) {
        return e instanceof StoreException store
                && switch (store.kind()) {
                    case UNAVAILABLE, OUTCOME_UNKNOWN, NO_ROOM, OVERLOADED -> true;
                    case CONFLICT, LOCKED, TIMED_OUT, REJECTED -> false;
                };
    }

    /// Does one step; false when the operation has ended, or another node is working on it.
    private boolean step(Tx tx, Due due, int size, Attempt attempt) throws SQLException {
        BulkOperation operation = BulkSql.lockRunning(tx, due);
        if (operation == null) {
            return false;
        }
        List<Seen> seen =
                BulkSql.scan(
                        tx,
                        due.accountId(),
                        operation.profile(),
                        operation.filter(),
                        operation.reached(),
                        operation.createdMs(),
                        SCAN);
        int room = Math.min(size, operation.max() - operation.done());
        var items = new ArrayList<UUID>();
        UUID reached = operation.reached();
        int lookedAt = 0;
        while (lookedAt < seen.size() && items.size() < room) {
            Seen row = seen.get(lookedAt++);
            reached = row.id();
            if (row.fits()) {
                items.add(row.id());
            }
        }
        attempt.items = items;
        attempt.from = operation.reached();
        int done = items.isEmpty() ? 0 : carryOut(tx, operation, items);
        BulkOperation after = operation.moved(reached, done, items.size() - done);
        boolean atTheEnd = lookedAt == seen.size() && seen.size() < SCAN;
        if (atTheEnd || after.done() == after.max()) {
            end(tx, after, BulkState.FINISHED);
        } else {
            BulkSql.store(tx, after, tx.nowMillis());
        }
        database.failpoints().hit("bulk.before-commit");
        return true;
    }

    /// How many were changed; the others are in another state by now.
    private int carryOut(Tx tx, BulkOperation operation, List<UUID> items) throws SQLException {
        UUID account = operation.accountId();
        Command command =
                switch (operation.action()) {
                    case CANCEL -> new Command.Cancel();
                    case REQUEUE -> new Command.Reopen();
                    case PURGE -> null;
                };
        if (command == null) {
            return verbs.remove(tx, account, operation.profile(), items);
        }
        List<CommandRequest> requests =
                items.stream()
                        .map(
                                id ->
                                        new CommandRequest(
                                                account, operation.profile(), id, command, false))
                        .toList();
        return (int)
                verbs.execute(tx, account, requests).stream()
                        .filter(Ack.Applied.class::isInstance)
                        .count();
    }

    private static void end(Tx tx, BulkOperation operation, BulkState as) throws SQLException {
        BulkOperation ended = operation.ended(as, tx.nowMillis());
        BulkSql.store(tx, ended, null);
        Audit.write(
                tx,
                ended.accountId(),
                Actor.server(),
                as == BulkState.FINISHED ? Bulk.FINISHED : Bulk.FAILED,
                Bulk.subject(ended.id()),
                Bulk.numbers(ended));
    }

    /// Unless another node has meanwhile come further. Of many bad items the first few are logged.
    private void leaveBehind(Due due, Attempt attempt, RuntimeException why) {
        UUID item = attempt.items.getFirst();
        database.transaction(
                tx -> {
                    BulkOperation operation = BulkSql.lockRunning(tx, due);
                    if (operation == null || !operation.reached().equals(attempt.from)) {
                        return null;
                    }
                    if (operation.failures().size() < BulkOperation.FAILURES_KEPT) {
                        log.warn("operation {} could not be done to {}", due.id(), item, why);
                    }
                    BulkSql.store(tx, operation.failedAt(item, reason(why)), tx.nowMillis());
                    return null;
                });
    }

    /// The reason for the account to read. Details of the inside go only to the log.
    private static String reason(RuntimeException e) {
        if (e instanceof StoreException store) {
            return switch (store.kind()) {
                case LOCKED, CONFLICT -> "something else held it for too long";
                case TIMED_OUT -> "it took too long";
                default -> "the store refused the change";
            };
        }
        return "it could not be changed";
    }

    /// Longer and longer, so that the others get their turns; in the end it is given up.
    private void putOff(Due due) {
        database.transaction(
                tx -> {
                    BulkOperation operation = BulkSql.lockRunning(tx, due);
                    if (operation == null) {
                        return null;
                    }
                    BulkOperation tried = operation.triedInVain();
                    if (tried.tries() >= TRIES_MAX) {
                        end(tx, tried, BulkState.FAILED);
                    } else {
                        long pause =
                                Math.min(
                                        1000L << Math.min(tried.tries(), 20), PAUSE_MAX.toMillis());
                        BulkSql.store(tx, tried, tx.nowMillis() + pause);
                    }
                    return null;
                });
    }
}
