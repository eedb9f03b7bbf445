package io.orchestrion.server.billing;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.kernel.plan.Standing;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.kernel.plan.Usage;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.server.billing.PaymentProvider.Creation;
import io.orchestrion.server.billing.PaymentProvider.NewOrder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.UUID;

/// Plans, what accounts have of them, and buying them.
public final class Billing {
    private static final Logger log = LoggerFactory.getLogger(Billing.class);

    /// How much of a purchase's ledger is shown.
    private static final int STORY_MAX = 50;

    private final Database database;
    private final Ids ids;
    private final Standings standings;
    private final PaymentProvider provider;
    private final Settlement settlement;

    public Billing(Kernel kernel, PaymentProvider provider) {
        this.database = kernel.database();
        this.ids = kernel.ids();
        this.standings = kernel.standings();
        this.provider = provider;
        this.settlement = new Settlement(database, standings, provider);
        warnOfOtherProviders();
    }

    /// If the provider was changed while purchases are open, the operator is told at the start,
    /// because their buyers may have paid.
    private void warnOfOtherProviders() {
        long open = database.transaction(tx -> BillingSql.openElsewhere(tx, provider.name()));
        if (open > 0) {
            log.warn(
                    "{} open purchases were made with another payment provider than {}, which this"
                            + " server is set up for; they cannot be verified here",
                    open,
                    provider.name());
        }
    }

    public PaymentProvider provider() {
        return provider;
    }

    public Plans plans() {
        return standings.plans();
    }

    /// The duty that finishes what a caller has begun and left.
    public PurchaseSettler settler() {
        return new PurchaseSettler(database, provider.name(), settlement);
    }

    /// How an account stands and what it has used, at one moment.
    public record Status(Standing standing, Usage usage, long nowMs) {
        public Plan plan() {
            return standing.at(nowMs);
        }
    }

    public Status status(UUID account, String queue) {
        return database.transaction(
                tx ->
                        new Status(
                                standings.fresh(tx, account),
                                Usage.of(tx, account, queue),
                                tx.nowMillis()));
    }

    /// The order is made first and stored then: one that is not stored is shown to nobody, so
    /// nobody can pay it.
    public Checkout checkout(UUID account, String planId) {
        if (!plans().sells(planId)) {
            return new Checkout.NotSold();
        }
        if (standings.fresh(account).base().unlimited()) {
            return new Checkout.Pointless();
        }
        Plan plan = plans().named(planId);
        Money price = Money.of(plan.priceUsd(), Money.USD);
        UUID id = database.transaction(tx -> ids.next(tx.nowMillis()));
        Creation made = provider.create(new NewOrder(account, id, description(plan), price));
        return switch (made) {
            case Creation.Failed(var reason) -> {
                log.warn("no order could be made for plan {}: {}", planId, reason);
                yield new Checkout.ProviderAway(reason);
            }
            case Creation.Created(var orderId, var approvalUrl) ->
                    new Checkout.Started(
                            stored(
                                    new Purchase(
                                            account,
                                            id,
                                            planId,
                                            price,
                                            provider.name(),
                                            orderId,
                                            approvalUrl,
                                            PurchaseState.CREATED,
                                            0,
                                            null,
                                            null,
                                            0,
                                            null)));
        };
    }

    private static String description(Plan plan) {
        return "Orchestrion " + plan.name() + ", " + Plan.PERIOD.toDays() + " days";
    }

    private Purchase stored(Purchase made) {
        return database.transaction(
                tx -> {
                    BillingSql.insert(tx, made);
                    BillingSql.append(
                            tx,
                            made,
                            PurchaseEvent.ORDER_CREATED,
                            made.price(),
                            made.orderId(),
                            made.planId());
                    Purchase stored = BillingSql.find(tx, made.accountId(), made.id());
                    return stored == null ? made : stored;
                });
    }

    public Verification verify(UUID account, UUID purchaseId) {
        Purchase purchase = database.transaction(tx -> BillingSql.find(tx, account, purchaseId));
        return purchase == null ? new Verification.NoSuchPurchase() : settlement.advance(purchase);
    }

    /// A purchase and what happened to it, oldest first; of a long story its end.
    public record Story(Purchase purchase, List<PaymentEntry> entries) {}

    /// Newest first.
    public List<Story> purchases(UUID account, int most) {
        return database.transaction(
                tx -> {
                    List<Purchase> newest = BillingSql.newest(tx, account, most);
                    List<PaymentEntry> entries =
                            BillingSql.entries(
                                    tx,
                                    account,
                                    newest.stream().map(Purchase::id).toList(),
                                    STORY_MAX);
                    return newest.stream()
                            .map(purchase -> new Story(purchase, of(purchase, entries)))
                            .toList();
                });
    }

    private static List<PaymentEntry> of(Purchase purchase, List<PaymentEntry> entries) {
        return entries.stream().filter(entry -> entry.purchaseId().equals(purchase.id())).toList();
    }

    /// Orders that the server's operator approves; null where a real provider takes money.
    public @Nullable LocalProvider local() {
        return provider instanceof LocalProvider local ? local : null;
    }
}
