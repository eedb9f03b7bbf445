package io.orchestrion.server.billing;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;

import java.util.List;

/// Finishes purchases that were begun to be captured and left, so that nobody has paid for nothing
/// because a caller, or this server, did not come back.
public final class PurchaseSettler implements Sweeper {
    private static final int BATCH = 10;

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
            Purchase purchase = database.transaction(tx -> BillingSql.takeLook(tx, key));
            if (purchase == null) {
                continue;
            }
            Verification now = settlement.advance(purchase);
            if (now instanceof Verification.Uncertain) {
                // The provider may be away for all of them, and each would be waited for. Those
                // behind this one are next in the pass that follows.
                return settled;
            }
            boolean over =
                    now instanceof Verification.Activated || now instanceof Verification.Failed;
            settled += over ? 1 : 0;
        }
        return settled;
    }
}
