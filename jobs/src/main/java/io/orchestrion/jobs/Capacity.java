package io.orchestrion.jobs;

import io.orchestrion.kernel.db.Tx;

import java.sql.SQLException;

/// How many jobs may wait and be active over all accounts and nodes: hard bounds. A transaction
/// that adds to one of the numbers holds the lock of its row until the commit, so no two add at the
/// same time. A transaction that takes away holds no lock, which can only leave more room than was
/// counted.
///
/// Very many jobs may wait, so they are not counted each time: the room that the last count found
/// is used up first. Assigned jobs are counted with them then, because they may be queued again.
final class Capacity {
    private static final String WAITING = "waiting";
    private static final String ACTIVE = "active";

    /// Where there is no room, a large queue is not counted again with every request.
    private static final long LONGEST_BELIEVED_MS = 200;
    private static final long COUNTED_IN_A_MILLISECOND = 500;

    /// So many jobs wait, and no more are allowed. It ends the transaction that wanted more.
    static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final long waiting;
        private final long max;

        Full(long waiting, long max) {
            super(waiting + " jobs wait and " + max + " may");
            this.waiting = waiting;
            this.max = max;
        }

        long waiting() {
            return waiting;
        }

        long max() {
            return max;
        }
    }

    private final int maxWaiting;
    private final int maxActive;
    private volatile long fullAtMs;

    Capacity(JobsOptions options) {
        maxWaiting = options.maxWaiting();
        maxActive = options.maxActive();
    }

    /// Counts jobs that this transaction has just made. Throws [Full] when there are too many.
    void added(Tx tx, int count) throws SQLException {
        if (count == 0) {
            return;
        }
        CapacitySql.Kept kept = CapacitySql.lock(tx, WAITING);
        boolean known = kept.max() == maxWaiting;
        if (known && kept.spare() >= count) {
            CapacitySql.put(
                    tx,
                    WAITING,
                    new CapacitySql.Kept(maxWaiting, kept.spare() - count, kept.countedMs()));
            return;
        }
        long believed = Math.min(LONGEST_BELIEVED_MS, maxWaiting / COUNTED_IN_A_MILLISECOND);
        if (Math.abs(tx.nowMillis() - fullAtMs) < believed) {
            throw new Full(maxWaiting, maxWaiting);
        }
        // Sees what this transaction added, and what others did that have committed: all of them,
        // because the lock is ours.
        CapacitySql.Waiting counted = CapacitySql.countWaiting(tx, maxWaiting + count);
        if (counted.waiting() > maxWaiting) {
            // Remembered only where not even one fits: of a batch that is too large some may.
            if (counted.waiting() - count >= maxWaiting) {
                fullAtMs = tx.nowMillis();
            }
            throw new Full(counted.waiting() - count, maxWaiting);
        }
        long spare = Math.max(0, maxWaiting - counted.waiting() - counted.assigned());
        CapacitySql.put(tx, WAITING, new CapacitySql.Kept(maxWaiting, spare, tx.nowMillis()));
    }

    /// How many more may be assigned; the lock keeps all others from assigning until the commit.
    int roomForActive(Tx tx) throws SQLException {
        CapacitySql.lock(tx, ACTIVE);
        return maxActive - CapacitySql.countActive(tx, maxActive);
    }
}
