package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.schedule.DueFires.Planned;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.UUID;

/// Writes what happens to one locked schedule: an entry for each fire, and the sums on its row.
final class FireRecorder {
    private final Tx tx;
    private final UUID account;
    private final UUID id;
    @Nullable Long nextFireMs;
    @Nullable Long bufferedMs;
    private long fireSeq;
    private @Nullable Long lastFireMs;
    private @Nullable UUID lastTaskId;
    private long fired;
    private long missed;
    private long skipped;
    private long failed;
    private @Nullable Long failureMs;
    private @Nullable String failure;

    FireRecorder(Tx tx, Schedule schedule) {
        this.tx = tx;
        account = schedule.accountId();
        id = schedule.id();
        Progress from = schedule.progress();
        nextFireMs = from.nextFireMs();
        bufferedMs = from.bufferedMs();
        fireSeq = from.fireSeq();
        lastFireMs = from.lastFireMs();
        lastTaskId = from.lastTaskId();
        fired = from.fired();
        missed = from.missed();
        skipped = from.skipped();
        failed = from.failed();
        failureMs = from.failureMs();
        failure = from.failure();
    }

    void fired(Planned planned, UUID taskId) throws SQLException {
        noteTask(planned.fireMs(), taskId);
        enter(planned.fireMs(), false, planned.late(), Fire.Result.FIRED, 1, taskId, null);
    }

    void firedNow(UUID taskId) throws SQLException {
        noteTask(tx.nowMillis(), taskId);
        enter(tx.nowMillis(), true, false, Fire.Result.FIRED, 1, taskId, null);
    }

    private void noteTask(long fireMs, UUID taskId) {
        fired++;
        lastFireMs = fireMs;
        lastTaskId = taskId;
    }

    void missed(long lastMs, long times) throws SQLException {
        missed += times;
        enter(lastMs, false, false, Fire.Result.MISSED, times, null, null);
    }

    void skipped(Planned planned, String why) throws SQLException {
        skipped++;
        enter(planned.fireMs(), false, planned.late(), Fire.Result.SKIPPED, 1, null, why);
    }

    void failed(Planned planned, String why) throws SQLException {
        noteFailure(why);
        enter(planned.fireMs(), false, planned.late(), Fire.Result.FAILED, 1, null, why);
    }

    /// For a fire that broke off. Another entry may be in the history for its time afterwards.
    void brokeOff(long fireMs, String why) throws SQLException {
        noteFailure(why);
        var entry = entry(fireMs, false, false, Fire.Result.FAILED, 1, null, why);
        if (ScheduleSql.insertFireUnlessKnown(tx, account, id, entry)) {
            fireSeq++;
        }
    }

    /// Gives up all times until now: the first has broken off, the others count as missed. Of very
    /// many, the newest are left for another pass.
    void passOver(FireTimes times) {
        Long next = nextFireMs == null ? null : times.after(nextFireMs);
        for (int looks = 0;
                looks < DueFires.LOOKS_MAX && next != null && next <= tx.nowMillis();
                looks++) {
            missed++;
            next = times.after(next);
        }
        nextFireMs = next;
        bufferedMs = null;
    }

    private void noteFailure(String why) {
        failed++;
        failureMs = tx.nowMillis();
        failure = why;
    }

    private void enter(
            long fireMs,
            boolean manual,
            boolean late,
            Fire.Result result,
            long times,
            @Nullable UUID taskId,
            @Nullable String detail)
            throws SQLException {
        ScheduleSql.insertFire(
                tx, account, id, entry(fireMs, manual, late, result, times, taskId, detail));
        fireSeq++;
    }

    private Fire entry(
            long fireMs,
            boolean manual,
            boolean late,
            Fire.Result result,
            long times,
            @Nullable UUID taskId,
            @Nullable String detail) {
        return new Fire(
                fireSeq + 1, fireMs, manual, late, result, times, taskId, detail, tx.nowMillis());
    }

    void save(boolean paused, @Nullable Long dueMs) throws SQLException {
        ScheduleSql.save(
                tx,
                account,
                id,
                paused,
                new Progress(
                        nextFireMs,
                        dueMs,
                        bufferedMs,
                        fireSeq,
                        lastFireMs,
                        lastTaskId,
                        fired,
                        missed,
                        skipped,
                        failed,
                        failureMs,
                        failure));
        if (fireSeq > Firing.HISTORY_MAX) {
            ScheduleSql.deleteFires(tx, account, id, fireSeq - Firing.HISTORY_MAX);
        }
    }
}
