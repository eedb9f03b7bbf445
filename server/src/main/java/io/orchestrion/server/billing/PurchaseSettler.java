package io.orchestrion.server.billing;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;

/// Finishes purchases whose capture was begun and not completed, so that nobody pays without
/// getting the plan because a caller, or this server, was lost.
public final class PurchaseSettler implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(PurchaseSettler.class);
    private static final int BATCH = 10;

    /// A purchase that is not settled this long after its capture was begun will not be settled by
    /// further looks.
    static final Duration LOOKS_FOR = Duration.ofDays(7);

    private final Database database;
    private final String provider;
    private final Settlement settlement;

    PurchaseSettler(Database database, String provider, Settlement settlement) {
        this.database = database;
        this.provider = provider;
        this.settlement = settlement;
    }

    @Override
    public String name() {
        return "purchase-settler";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<BillingSql.Key> due =
                database.transaction(tx -> BillingSql.dueForALook(tx, provider, BATCH));
        int settled = 0;
        for (BillingSql.Key key : due) {
            // The look is taken before the provider is asked: of several nodes one asks, and one
            // that dies meanwhile leaves it to the next look.
            BillingSql.Look look =
                    database.transaction(tx -> BillingSql.takeLook(tx, key, LOOKS_FOR));
            if (look == null) {
                continue;
            }
            Verification now = settlement.advance(look.purchase());
            boolean over =
                    now instanceof Verification.Activated
                            || now instanceof Verification.Failed
                            || now instanceof Verification.Mismatched;
            if (look.last() && !over) {
                log.error(
                        "purchase {}: not settled {} days after its capture was begun; it is looked"
                                + " at no more unless the buyer verifies it",
                        key.purchase(),
                        LOOKS_FOR.toDays());
            }
            if (now instanceof Verification.Uncertain) {
                // The provider may be away for all of them, and each would be waited for. Those
                // behind this one are next in the pass that follows.
                return settled;
            }
            settled += over ? 1 : 0;
        }
        return settled;
    }
}
