package io.orchestrion.kernel.plan;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.SharedLooks;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The standing of accounts, remembered for a moment. A remembered standing knows when its period
/// ends, so only a purchase on another node is seen late. Code that is about to refuse asks the
/// database.
public final class Standings {
    private static final long RECENT_NANOS = 1_000_000_000;

    private record Remembered(Standing standing, long sinceNanos) {}

    private final Database database;
    private final Plans plans;
    private final long rememberNanos;
    private final NanoTicker ticker;
    private final Map<UUID, Remembered> remembered = new BoundedMap<>();
    private final SharedLooks<UUID, Standing> looks = new SharedLooks<>(this::look);

    public Standings(Database database, Plans plans, Duration remember, NanoTicker ticker) {
        this.database = database;
        this.plans = plans;
        this.rememberNanos = remember.toNanos();
        this.ticker = ticker;
    }

    public Plans plans() {
        return plans;
    }

    /// Whether this node remembers the account as one whose use is counted. It is for choosing a
    /// lane, never for deciding. The database is not asked, and an account that is not remembered
    /// counts as unlimited.
    public boolean likelyMetered(UUID account) {
        Standing known = known(account);
        return known != null && !known.at(database.aboutNowMillis()).unlimited();
    }

    /// Within a transaction.
    public Standing of(Tx tx, UUID account) throws SQLException {
        Standing known = known(account);
        return known == null ? fresh(tx, account) : known;
    }

    /// Outside of one.
    public Standing of(UUID account) {
        Standing known = known(account);
        return known == null ? fresh(account) : known;
    }

    /// The standing as it was stored a second ago or later. That is fresh enough for a refusal, and
    /// many refusals do not each ask the database.
    public Standing recent(UUID account) {
        Standing known = known(account, Math.min(rememberNanos, RECENT_NANOS));
        return known == null ? fresh(account) : known;
    }

    public Standing fresh(UUID account) {
        return looks.of(account);
    }

    private Standing look(UUID account) {
        return database.transaction(tx -> fresh(tx, account));
    }

    /// The standing as it is stored now.
    public Standing fresh(Tx tx, UUID account) throws SQLException {
        Standing standing = PlanSql.standing(tx, account, plans);
        if (rememberNanos > 0) {
            synchronized (remembered) {
                remembered.put(account, new Remembered(standing, ticker.nanos()));
            }
        }
        return standing;
    }

    /// Adds thirty days of a plan and returns how the account stands then.
    public Standing purchased(Tx tx, UUID account, String planId) throws SQLException {
        PlanSql.lockAccount(tx, account);
        Standing before = PlanSql.standing(tx, account, plans);
        List<Period> after = Periods.afterPurchase(before.periods(), planId, plans, tx.nowMillis());
        PlanSql.replacePeriods(tx, account, after);
        tx.afterCommit(() -> forget(account));
        return new Standing(plans, before.base(), after);
    }

    private void forget(UUID account) {
        synchronized (remembered) {
            remembered.remove(account);
        }
    }

    private @Nullable Standing known(UUID account) {
        return known(account, rememberNanos);
    }

    private @Nullable Standing known(UUID account, long youngerThanNanos) {
        synchronized (remembered) {
            Remembered entry = remembered.get(account);
            if (entry == null || ticker.nanos() - entry.sinceNanos() >= youngerThanNanos) {
                return null;
            }
            return entry.standing();
        }
    }
}
