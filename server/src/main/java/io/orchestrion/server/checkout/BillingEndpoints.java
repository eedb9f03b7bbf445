package io.orchestrion.server.checkout;

import static io.orchestrion.kernel.json.Field.integer;

import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints of billing, a part of the tasks door.
public final class BillingEndpoints {
    private BillingEndpoints() {}

    static final Endpoint PLANS =
            Endpoint.get("listPlans", "/v1/billing/plans")
                    .door(TasksDoor.NAME)
                    .access(Access.PUBLIC)
                    .summary("List available billing plans")
                    .limit(RateLimits.BILLING)
                    .response(200, BillingSpecs.PLANS_ANSWER)
                    .build();

    static final Endpoint STATUS =
            Endpoint.get("getBillingStatus", "/v1/billing/status")
                    .door(TasksDoor.NAME)
                    .summary("Current plan, usage, and limits")
                    .limit(RateLimits.BILLING)
                    .response(200, BillingSpecs.STATUS_ANSWER)
                    .build();

    static final Endpoint CHECKOUT =
            Endpoint.post("checkoutPlan", "/v1/billing/checkout")
                    .door(TasksDoor.NAME)
                    .summary("Start PayPal checkout for plan purchase")
                    .limit(RateLimits.BILLING)
                    .scopes("producer", "admin")
                    .request(BillingSpecs.CHECKOUT)
                    .response(201, BillingSpecs.CHECKOUT_ANSWER)
                    .build();

    static final Endpoint VERIFY =
            Endpoint.post("verifyPayment", "/v1/billing/verify")
                    .door(TasksDoor.NAME)
                    .summary("Verify payment and activate plan")
                    .limit(RateLimits.BILLING)
                    .scopes("producer", "admin")
                    .request(BillingSpecs.VERIFY)
                    .response(200, BillingSpecs.VERIFY_ANSWER)
                    .errors("payment_failed", "payment_pending")
                    .build();

    static final Endpoint PURCHASES =
            Endpoint.get("listPurchases", "/v1/billing/purchases")
                    .door(TasksDoor.NAME)
                    .summary("List purchases and what happened to them, newest first")
                    .limit(RateLimits.BILLING)
                    .query(
                            integer("limit")
                                    .range(1, BillingSpecs.LIST_MAX)
                                    .orElse(BillingSpecs.LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."))
                    .response(200, BillingSpecs.PURCHASES_ANSWER)
                    .build();

    static final Endpoint APPROVE =
            Endpoint.post("approveLocalOrder", "/v1/billing/orders/{orderId}/approve")
                    .door(TasksDoor.NAME)
                    .summary(
                            "Approve an order of the local provider, as the operator of this"
                                    + " server; not there where a real provider takes money")
                    .limit(RateLimits.BILLING)
                    .scopes("operator", "admin")
                    .request(TaskDoorSpecs.NOTHING)
                    .response(200, BillingSpecs.APPROVED_ANSWER)
                    .errors("not_found")
                    .build();

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(PLANS, STATUS, CHECKOUT, VERIFY, PURCHASES, APPROVE));
}
