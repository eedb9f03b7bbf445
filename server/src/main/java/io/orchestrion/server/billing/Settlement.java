package io.orchestrion.server.billing;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Turns;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.plan.Standing;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.server.billing.Verification.Activated;
import io.orchestrion.server.billing.Verification.Failed;
import io.orchestrion.server.billing.Verification.Mismatched;
import io.orchestrion.server.billing.Verification.NotApproved;
import io.orchestrion.server.billing.Verification.OtherProvider;
import io.orchestrion.server.billing.Verification.Pending;
import io.orchestrion.server.billing.Verification.Uncertain;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/// Takes a purchase from approval to activation: captures at most once, activates at most once, and
/// concludes nothing from a missing answer. The steps are always the same: look, claim, capture,
/// and unless the capture was made look again. Each result is written in one transaction on the
/// locked purchase. If a crash left captured money without an entry, the next look writes it.
final class Settlement {
    private static final Logger log = LoggerFactory.getLogger(Settlement.class);

    /// How long a capturer has a purchase to itself. Longer than a capture usually takes, and no
    /// harm when it takes longer: the request id still makes the provider capture once.
    static final Duration CLAIM = Duration.ofMinutes(1);

    private final Database database;
    private final Turns<UUID> turns;
    private final Standings standings;
    private final PaymentProvider provider;

    Settlement(Database database, Standings standings, PaymentProvider provider) {
        this.database = database;
        this.turns = new Turns<>(database.options().lockTimeout());
        this.standings = standings;
        this.provider = provider;
    }

    /// If another transaction holds the purchase for too long, the caller gets the same answer as
    /// while another captures.
    Verification advance(Purchase purchase) {
        try {
            return advanced(purchase);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.LOCKED) {
                throw e;
            }
            log.warn(
                    "purchase {}: another has held it for long: {}", purchase.id(), e.getMessage());
            return new Pending(purchase);
        }
    }

    private Verification advanced(Purchase purchase) {
        if (purchase.state().settled()) {
            return asItStands(purchase);
        }
        if (!purchase.provider().equals(provider.name())) {
            return new OtherProvider(purchase);
        }
        OrderState looked = provider.look(purchase.orderId());
        return looked instanceof OrderState.Approved(var amount)
                ? capture(purchase, amount)
                : settle(purchase, looked, false);
    }

    /// Checked before anything is taken, too: an order that asks for another amount is not ours.
    private Verification capture(Purchase purchase, Money amount) {
        if (!amount.equals(purchase.price())) {
            return mismatched(purchase, amount, purchase.orderId());
        }
        Claim claim = locked(purchase, tx -> claim(tx, purchase));
        if (claim == null) {
            return asItStands(locked(purchase, tx -> found(tx, purchase)));
        }
        Purchase claimed = claim.purchase();
        OrderState answer = provider.capture(claimed.orderId(), claim.requestId());
        database.failpoints().hit("billing.captured");
        return settle(claimed, checked(claimed, answer), true);
    }

    /// Neither a doubtful answer nor a refusal is the last word: an earlier request may have been
    /// carried out. A refusal stands where the look shows no money.
    private OrderState checked(Purchase purchase, OrderState answer) {
        return switch (answer) {
            case OrderState.Unknown _, OrderState.Approved _ -> provider.look(purchase.orderId());
            case OrderState.Declined declined ->
                    switch (provider.look(purchase.orderId())) {
                        case OrderState.Completed money -> money;
                        case OrderState.Pending money -> money;
                        case OrderState.Unknown nothing -> nothing;
                        case OrderState.Approved _,
                                OrderState.NotApproved _,
                                OrderState.Declined _,
                                OrderState.Gone _ ->
                                declined;
                    };
            case OrderState.Completed _,
                    OrderState.Pending _,
                    OrderState.NotApproved _,
                    OrderState.Gone _ ->
                    answer;
        };
    }

    /// @param requestId another one for each time that the human was asked again: the provider may
    ///     have kept its refusal under the one before
    private record Claim(Purchase purchase, String requestId) {}

    /// Null when another node has the claim, or the purchase has ended.
    private static @Nullable Claim claim(Tx tx, Purchase purchase) throws SQLException {
        Purchase now = found(tx, purchase);
        boolean free = allowed(now, PurchaseEvent.CAPTURE_STARTED) && !now.claimed(tx.nowMillis());
        if (!free) {
            return null;
        }
        BillingSql.claim(tx, now, tx.nowMillis() + CLAIM.toMillis());
        BillingSql.append(tx, now, PurchaseEvent.CAPTURE_STARTED, now.price(), now.orderId(), null);
        long askedAgain = BillingSql.count(tx, now, PurchaseEvent.APPROVAL_MISSING);
        return new Claim(found(tx, now), now.id() + (askedAgain == 0 ? "" : "-" + askedAgain));
    }

    /// @param ours whether the purchase's claim is that of this very call
    private Verification settle(Purchase purchase, OrderState order, boolean ours) {
        return switch (order) {
            case OrderState.Completed(var amount, var captureId) ->
                    amount.equals(purchase.price())
                            ? activated(purchase, captureId)
                            : mismatched(purchase, amount, captureId);
            case OrderState.Pending(var captureId, var reason) ->
                    changed(purchase, PurchaseEvent.CAPTURE_PENDING, captureId, reason);
            case OrderState.Declined(var reason) ->
                    changed(purchase, PurchaseEvent.DECLINED, null, reason);
            case OrderState.Gone _ ->
                    purchase.state() == PurchaseState.CREATED
                            ? changed(purchase, PurchaseEvent.ORDER_GONE, null, "the order is gone")
                            : uncertain(purchase, "the provider knows no such order", ours);
            case OrderState.NotApproved _ -> notApproved(purchase, ours);
            case OrderState.Approved _ ->
                    uncertain(purchase, "the provider has not captured the order", ours);
            case OrderState.Unknown(var reason) -> uncertain(purchase, reason, ours);
        };
    }

    /// Somebody else's capture that is under way may have been approved since the look.
    private Verification notApproved(Purchase purchase, boolean ours) {
        return locked(
                purchase,
                tx -> {
                    Purchase now = found(tx, purchase);
                    boolean free = !now.claimed(tx.nowMillis()) || holds(purchase, now, ours);
                    return verdict(
                            tx,
                            free && allowed(now, PurchaseEvent.APPROVAL_MISSING)
                                    ? write(tx, now, PurchaseEvent.APPROVAL_MISSING, null, null)
                                    : now);
                });
    }

    /// Once a claim has run out, another may have the next one.
    private static boolean holds(Purchase purchase, Purchase now, boolean ours) {
        return ours && now.state() == PurchaseState.CAPTURING && now.claim() == purchase.claim();
    }

    /// The claim is kept until it runs out: the capture may be under way at the provider, and a
    /// second one at the same time helps nobody.
    private Verification uncertain(Purchase purchase, String reason, boolean ours) {
        log.warn("purchase {}: the payment's state is not known: {}", purchase.id(), reason);
        if (ours) {
            locked(
                    purchase,
                    tx -> {
                        Purchase now = found(tx, purchase);
                        return holds(purchase, now, ours)
                                ? write(tx, now, PurchaseEvent.OUTCOME_UNKNOWN, null, reason)
                                : now;
                    });
        }
        return new Uncertain(purchase, reason);
    }

    private Verification activated(Purchase purchase, String captureId) {
        return locked(
                purchase,
                tx -> {
                    Purchase now = found(tx, purchase);
                    if (!allowed(now, PurchaseEvent.ACTIVATED)) {
                        return verdict(tx, now);
                    }
                    BillingSql.append(
                            tx, now, PurchaseEvent.CAPTURED, now.price(), captureId, null);
                    Purchase paid = write(tx, now, PurchaseEvent.ACTIVATED, null, now.planId());
                    Standing after = standings.purchased(tx, paid.accountId(), paid.planId());
                    tx.afterCommit(
                            () ->
                                    log.info(
                                            "purchase {}: {} paid for {} by {}",
                                            paid.id(),
                                            paid.price(),
                                            paid.planId(),
                                            paid.provider()));
                    return new Activated(paid, after, tx.nowMillis());
                });
    }

    /// Money of another amount than the price never activates anything: it is for a person to
    /// find out, and to give back.
    private Verification mismatched(Purchase purchase, Money amount, String reference) {
        boolean taken = !reference.equals(purchase.orderId());
        log.error(
                "purchase {}: the price is {} and the provider says {} ({}); nothing is activated",
                purchase.id(),
                purchase.price(),
                amount,
                reference);
        return locked(
                purchase,
                tx -> {
                    Purchase now = found(tx, purchase);
                    if (allowed(now, PurchaseEvent.MISMATCH)) {
                        BillingSql.append(
                                tx,
                                now,
                                PurchaseEvent.MISMATCH,
                                amount,
                                reference,
                                "the price is " + now.price());
                        BillingSql.change(
                                tx,
                                now,
                                PurchaseState.MISMATCHED,
                                null,
                                taken
                                        ? "money of another amount than the price was taken"
                                        : "the order is for another amount than the price, and"
                                                + " nothing was taken");
                        now = found(tx, now);
                    }
                    return verdict(tx, now);
                });
    }

    /// Applies an event where the table has it, and tells how the purchase stands then.
    private Verification changed(
            Purchase purchase,
            PurchaseEvent event,
            @Nullable String reference,
            @Nullable String detail) {
        return locked(
                purchase,
                tx -> {
                    Purchase now = found(tx, purchase);
                    return verdict(
                            tx,
                            allowed(now, event) ? write(tx, now, event, reference, detail) : now);
                });
    }

    private static boolean allowed(Purchase purchase, PurchaseEvent event) {
        return PurchaseLifecycle.TABLE.allows(purchase.state(), event);
    }

    /// The row is locked, and the table has exactly one way for the event.
    private static Purchase write(
            Tx tx,
            Purchase purchase,
            PurchaseEvent event,
            @Nullable String reference,
            @Nullable String detail)
            throws SQLException {
        PurchaseState to =
                PurchaseLifecycle.TABLE.targets(purchase.state(), event).iterator().next();
        BillingSql.append(tx, purchase, event, null, reference, detail);
        BillingSql.change(
                tx,
                purchase,
                to,
                tx.nowMillis() + CLAIM.toMillis(),
                to == PurchaseState.FAILED ? detail : null);
        return found(tx, purchase);
    }

    /// A transaction that waits for the purchase's row. Of those on this node one waits with a
    /// connection, and the others for their turn.
    private <T extends @Nullable Object> T locked(Purchase purchase, Session.Body<T> body) {
        return turns.inTurn(purchase.id(), () -> database.transaction(body));
    }

    /// Locked; purchases are never removed.
    private static Purchase found(Tx tx, Purchase purchase) throws SQLException {
        Purchase now = BillingSql.lock(tx, purchase);
        if (now == null) {
            throw new IllegalStateException("purchase " + purchase.id() + " is not there any more");
        }
        return now;
    }

    private Verification asItStands(Purchase purchase) {
        return database.transaction(tx -> verdict(tx, purchase));
    }

    private Verification verdict(Tx tx, Purchase purchase) throws SQLException {
        String failure = purchase.failure();
        return switch (purchase.state()) {
            case CREATED -> new NotApproved(purchase);
            case CAPTURING, PENDING -> new Pending(purchase);
            case ACTIVATED ->
                    new Activated(
                            purchase, standings.fresh(tx, purchase.accountId()), tx.nowMillis());
            case FAILED -> new Failed(purchase, failure == null ? "it was not paid" : failure);
            case MISMATCHED ->
                    new Mismatched(
                            purchase, failure == null ? "the amount is not the price" : failure);
        };
    }
}
