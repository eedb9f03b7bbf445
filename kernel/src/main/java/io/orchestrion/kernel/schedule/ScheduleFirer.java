package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.WorkVerbs;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Fires what is due, on any number of nodes: each schedule in a transaction of its own, under a
/// lock that others pass over, after which it is due at another time. One that cannot be fired is
/// moved on as well, with the reason written on it, so that none stands in the way of another.
public final class ScheduleFirer implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(ScheduleFirer.class);

    /// When a schedule whose times cannot be computed is looked at again: another node may know its
    /// time zone.
    private static final Duration LOOK_AGAIN = Duration.ofHours(1);

    private static final int ACCOUNTS = 200;

    /// How many of one account before it is the next one's turn.
    private static final int TURN = 25;

    private final Database database;
    private final WorkVerbs verbs;

    public ScheduleFirer(Database database, WorkVerbs verbs) {
        this.database = database;
        this.verbs = verbs;
    }

    @Override
    public String name() {
        return "schedule-firer";
    }

    /// A pass that found something is followed by another at once, because an account has a bounded
    /// number of turns in each.
    @Override
    public int fullPass() {
        return 1;
    }

    @Override
    public int runOnce() {
        // Due fires wait until the store has room, as they wait for a server that is down.
        if (database.isFull()) {
            return 0;
        }
        List<UUID> accounts = database.transaction(tx -> ScheduleSql.accountsDue(tx, ACCOUNTS));
        return Sweeps.each(name(), accounts, this::turn);
    }

    private int turn(UUID account) {
        int done = 0;
        for (UUID id : database.transaction(tx -> ScheduleSql.due(tx, account, TURN))) {
            done += fire(account, id);
        }
        return done;
    }

    private int fire(UUID account, UUID id) {
        try {
            return database.transaction(tx -> fire(tx, account, id));
        } catch (StoreException e) {
            if (!ownFault(e)) {
                throw e;
            }
            return moveOn(account, id, e);
        } catch (RuntimeException e) {
            return moveOn(account, id, e);
        }
    }

    private int fire(Tx tx, UUID account, UUID id) throws SQLException {
        Schedule schedule = ScheduleSql.lockDue(tx, account, id);
        if (schedule == null) {
            return 0;
        }
        new Firing(verbs, tx, schedule).run();
        return 1;
    }

    /// Whether the schedule is what the store stumbled over, and not the moment.
    private static boolean ownFault(StoreException e) {
        return switch (e.kind()) {
            case REJECTED, TIMED_OUT -> true;
            case UNAVAILABLE, OUTCOME_UNKNOWN, CONFLICT, LOCKED, NO_ROOM, OVERLOADED -> false;
        };
    }

    private int moveOn(UUID account, UUID id, RuntimeException why) {
        log.warn("schedule {} could not be fired and goes on with its next time", id, why);
        return database.transaction(
                tx -> {
                    Schedule schedule = ScheduleSql.lockDue(tx, account, id);
                    if (schedule == null) {
                        return 0;
                    }
                    moveOn(tx, schedule, why);
                    return 1;
                });
    }

    private static void moveOn(Tx tx, Schedule schedule, RuntimeException why) throws SQLException {
        var recorder = new FireRecorder(tx, schedule);
        Long fireMs = recorder.bufferedMs == null ? recorder.nextFireMs : recorder.bufferedMs;
        recorder.brokeOff(fireMs == null ? tx.nowMillis() : fireMs, said(why));
        Long dueMs;
        try {
            recorder.passOver(schedule.times());
            dueMs = recorder.nextFireMs;
        } catch (InvalidTiming e) {
            dueMs = tx.nowMillis() + LOOK_AGAIN.toMillis();
        }
        recorder.save(schedule.paused(), dueMs);
    }

    /// The reason for the owner of the schedule. Of trouble inside the server it only says that
    /// there was some.
    private static String said(RuntimeException why) {
        return why instanceof InvalidTiming timing
                ? "invalid: " + timing.field() + " " + timing.reason()
                : "server_error: the task could not be stored";
    }
}
