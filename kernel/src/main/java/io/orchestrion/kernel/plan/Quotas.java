package io.orchestrion.kernel.plan;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.limit.Allowances;
import io.orchestrion.kernel.limit.Taken;
import io.orchestrion.kernel.limit.Window;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/// Holds accounts to their plan inside the transaction that uses it up, under a lock that is the
/// account's own: parallel calls cannot overshoot, and what is rolled back was never used. Nothing
/// is locked or counted for the unlimited plan.
public final class Quotas {
    private static final String ACCOUNT = "account";
    private static final String CLAIMS_GRANTED = "claims-granted";

    private final Standings standings;
    private final Allowances allowances;

    public Quotas(Standings standings, Allowances allowances) {
        this.standings = standings;
        this.allowances = allowances;
    }

    /// What a month has left for new tasks.
    ///
    /// @param granted how many of those wanted; they are counted
    /// @param expired whether the plan that ended last would have allowed the next one
    public record Creates(int granted, Plan plan, long used, boolean expired) {}

    /// Counts new tasks against the month, as many as it has room for.
    public Creates create(Tx tx, UUID account, int wanted) throws SQLException {
        Standing standing = standings.of(tx, account);
        Plan plan = standing.at(tx.nowMillis());
        if (plan.unlimited()) {
            return new Creates(wanted, plan, 0, false);
        }
        int month = Usage.Month.at(tx.nowMillis()).number();
        Long all = PlanSql.addIfAllFit(tx, account, month, wanted, plan.maxTasksPerMonth());
        if (all != null) {
            return new Creates(wanted, plan, all, false);
        }
        long used = PlanSql.lockMonth(tx, account, month);
        if (used + wanted > plan.maxTasksPerMonth()) {
            // Somebody may have paid on another node a moment ago.
            standing = standings.fresh(tx, account);
            plan = standing.at(tx.nowMillis());
        }
        int granted = (int) Math.clamp(plan.maxTasksPerMonth() - used, 0, wanted);
        if (granted > 0) {
            PlanSql.addToMonth(tx, account, month, granted);
        }
        long after = used + granted;
        boolean expired =
                standing.lapsed(tx.nowMillis())
                        .map(lapsed -> after < lapsed.maxTasksPerMonth())
                        .orElse(false);
        return new Creates(granted, plan, after, expired);
    }

    /// What an account may still claim.
    ///
    /// @param workers how many more live leases
    /// @param claims how many more claims this hour
    /// @param waitMs how long to wait where one of the two is zero
    public record ClaimRoom(Plan plan, int workers, int claims, long waitMs) {
        public static final ClaimRoom UNLIMITED =
                new ClaimRoom(Plan.UNLIMITED, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

        public boolean unlimited() {
            return plan.unlimited();
        }

        public int left() {
            return Math.min(workers, claims);
        }
    }

    /// How much room there is for claims; it stays so until the transaction ends, for the
    /// account's claims wait for each other.
    public ClaimRoom claimRoom(Tx tx, UUID account, String queue) throws SQLException {
        Plan plan = standings.of(tx, account).at(tx.nowMillis());
        if (plan.unlimited()) {
            return ClaimRoom.UNLIMITED;
        }
        ClaimRoom room = room(tx, account, queue, plan);
        if (room.left() > 0) {
            return room;
        }
        Plan fresh = standings.fresh(tx, account).at(tx.nowMillis());
        return fresh.equals(plan) ? room : room(tx, account, queue, fresh);
    }

    private ClaimRoom room(Tx tx, UUID account, String queue, Plan plan) throws SQLException {
        Allowances.Look look =
                allowances.lookLater(tx, claimsGranted(account), plan.maxClaimsPerHour());
        // Counted after the lock, so that leases granted by its last holder are seen.
        PlanSql.LiveLeases leases = PlanSql.liveLeases(tx, account, queue);
        boolean counted = look.held();
        Taken looked = look.seen();
        if (!counted) {
            leases = PlanSql.liveLeases(tx, account, queue);
        }
        int workers = Math.max(0, plan.maxWorkers() - leases.count());
        int claims = Math.max(0, plan.maxClaimsPerHour() - looked.used().getFirst());
        long waitMs = workers > 0 ? looked.waitMs() : untilFirstEnd(leases, tx.nowMillis());
        return new ClaimRoom(plan, workers, claims, waitMs);
    }

    private static long untilFirstEnd(PlanSql.LiveLeases leases, long nowMs) {
        Long first = leases.firstEndMs();
        return first == null ? 1000 : Math.max(1, first - nowMs);
    }

    /// Counts what was claimed with that room.
    public void claimed(Tx tx, UUID account, ClaimRoom room, int count) {
        if (count > 0 && !room.unlimited()) {
            allowances.takeHeld(tx, claimsGranted(account), count);
        }
    }

    static Window claimsGranted(UUID account) {
        return new Window(account, ACCOUNT, CLAIMS_GRANTED, Duration.ofMinutes(1));
    }
}
