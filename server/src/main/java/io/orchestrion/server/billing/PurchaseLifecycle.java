package io.orchestrion.server.billing;

import static io.orchestrion.server.billing.PurchaseState.ACTIVATED;
import static io.orchestrion.server.billing.PurchaseState.CAPTURING;
import static io.orchestrion.server.billing.PurchaseState.CREATED;
import static io.orchestrion.server.billing.PurchaseState.FAILED;
import static io.orchestrion.server.billing.PurchaseState.MISMATCHED;
import static io.orchestrion.server.billing.PurchaseState.PENDING;

import io.orchestrion.kernel.lifecycle.TransitionTable;

/// The only graph of a purchase. No row leaves a settled state, and an order that is gone ends only
/// a purchase that nobody has begun to capture: of the others money may have been taken.
public final class PurchaseLifecycle {
    private PurchaseLifecycle() {}

    public static final TransitionTable<PurchaseState, PurchaseEvent> TABLE =
            TransitionTable.<PurchaseState, PurchaseEvent>empty()
                    .row(CREATED, PurchaseEvent.CAPTURE_STARTED, CAPTURING)
                    // Another takes over once the claim has run out.
                    .row(CAPTURING, PurchaseEvent.CAPTURE_STARTED, CAPTURING)
                    .row(CAPTURING, PurchaseEvent.APPROVAL_MISSING, CREATED)
                    .row(CAPTURING, PurchaseEvent.OUTCOME_UNKNOWN, CAPTURING)
                    .row(CREATED, PurchaseEvent.CAPTURE_PENDING, PENDING)
                    .row(CAPTURING, PurchaseEvent.CAPTURE_PENDING, PENDING)
                    .row(CREATED, PurchaseEvent.ACTIVATED, ACTIVATED)
                    .row(CAPTURING, PurchaseEvent.ACTIVATED, ACTIVATED)
                    .row(PENDING, PurchaseEvent.ACTIVATED, ACTIVATED)
                    .row(CREATED, PurchaseEvent.DECLINED, FAILED)
                    .row(CAPTURING, PurchaseEvent.DECLINED, FAILED)
                    .row(PENDING, PurchaseEvent.DECLINED, FAILED)
                    .row(CREATED, PurchaseEvent.ORDER_GONE, FAILED)
                    .row(CREATED, PurchaseEvent.MISMATCH, MISMATCHED)
                    .row(CAPTURING, PurchaseEvent.MISMATCH, MISMATCHED)
                    .row(PENDING, PurchaseEvent.MISMATCH, MISMATCHED);
}
