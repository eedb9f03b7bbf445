package io.orchestrion.server.checkout;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.server.billing.Billing;
import io.orchestrion.server.billing.Checkout;
import io.orchestrion.server.billing.LocalProvider;
import io.orchestrion.server.billing.Verification;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;

import java.util.List;
import java.util.UUID;

/// Plans, what the caller has of them, and buying them.
public final class BillingHandlers {
    /// For an operator to set the server up.
    private static final int OTHER_PROVIDER_WAIT_SECONDS = 60;

    private final Billing billing;
    private final RateLimiter limiter;

    public BillingHandlers(Billing billing, RateLimiter limiter) {
        this.billing = billing;
        this.limiter = limiter;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(
                        BillingEndpoints.PLANS,
                        _ -> BillingAnswers.plans(billing.plans(), billing.provider().name()))
                .handle(BillingEndpoints.STATUS, this::status)
                .handle(BillingEndpoints.CHECKOUT, this::checkout)
                .handle(BillingEndpoints.VERIFY, this::verify)
                .handle(BillingEndpoints.PURCHASES, this::purchases)
                .handle(BillingEndpoints.APPROVE, this::approve);
    }

    private Answer status(Call call) {
        return BillingAnswers.status(
                billing.status(Callers.caller(call).accountId(), TaskDoorSpecs.PROFILE.queue()),
                limiter.used(Callers.caller(call)),
                billing.plans());
    }

    private Answer checkout(Call call) {
        String planId = call.json().text("planId");
        return switch (billing.checkout(Callers.caller(call).accountId(), planId)) {
            case Checkout.Started(var purchase) -> BillingAnswers.started(purchase);
            case Checkout.NotSold _ ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.INVALID_REQUEST,
                            "planId must be one of " + String.join(", ", forSale()) + ".");
            case Checkout.Pointless _ ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.INVALID_REQUEST,
                            "This account has no limits, so there is nothing to buy.");
            case Checkout.ProviderAway _ ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.SERVER_ERROR,
                            "The payment provider cannot be reached; nothing was done.");
        };
    }

    private List<String> forSale() {
        return billing.plans().listed().stream()
                .filter(plan -> plan.purchasable())
                .map(plan -> plan.id())
                .toList();
    }

    private Answer verify(Call call) {
        UUID purchaseId = UUID.fromString(call.json().text("purchaseId"));
        return switch (billing.verify(Callers.caller(call).accountId(), purchaseId)) {
            case Verification.Activated activated -> BillingAnswers.verified(activated);
            case Verification.NoSuchPurchase _ ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.INVALID_REQUEST,
                            "purchaseId must be that of a purchase of this account.");
            case Verification.NotApproved(var purchase) ->
                    BillingAnswers.notApproved(call, purchase);
            case Verification.Failed(var _, var reason) ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.PAYMENT_FAILED,
                            "This purchase was not paid and cannot be any more: " + reason + ".");
            case Verification.Mismatched(var _, var reason) ->
                    BillingAnswers.mismatched(call, reason);
            case Verification.OtherProvider(var purchase) ->
                    TaskErrorAnswers.later(
                            call,
                            TaskError.SERVER_ERROR,
                            OTHER_PROVIDER_WAIT_SECONDS,
                            "This purchase was made with the payment provider "
                                    + purchase.provider()
                                    + ", which this server is not set up for at present, so it"
                                    + " cannot tell whether it has been paid. Do not pay again;"
                                    + " tell the operator and ask again later.");
            case Verification.Pending _ ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.PAYMENT_PENDING,
                            "The payment is under way; ask again.");
            case Verification.Uncertain _ ->
                    TaskErrorAnswers.error(
                            call,
                            TaskError.SERVER_ERROR,
                            "The payment provider did not say whether it has been paid. Ask again:"
                                    + " nothing is ever paid twice.");
        };
    }

    private Answer purchases(Call call) {
        return BillingAnswers.purchases(
                billing.purchases(
                        Callers.caller(call).accountId(), call.queryValues().int32("limit")));
    }

    /// Agents must not approve what they buy. Only the operator of this server may: whoever has the
    /// key in its data folder.
    private Answer approve(Call call) {
        call.json();
        LocalProvider local = billing.local();
        if (local == null) {
            return noSuchOrder(call);
        }
        if (!Callers.caller(call).accountId().equals(Identity.LOCAL_ACCOUNT)) {
            return TaskErrorAnswers.error(
                    call,
                    TaskError.INSUFFICIENT_SCOPE,
                    "Only the operator of this server can approve an order.");
        }
        return local.approve(call.pathParameter("orderId"))
                .map(BillingAnswers::approved)
                .orElseGet(() -> noSuchOrder(call));
    }

    private static Answer noSuchOrder(Call call) {
        return TaskErrorAnswers.error(call, TaskError.NOT_FOUND, "There is no such order here.");
    }
}
