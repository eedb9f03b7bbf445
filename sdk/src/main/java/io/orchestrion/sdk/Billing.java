package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Plans and their purchase. From [OrchestrionClient#billing].
///
/// ```java
/// Checkout checkout = client.billing().checkout("pro");
/// System.out.println("Approve the payment here: " + checkout.approvalUrl());
/// // ... after a human has approved it:
/// PlanActivation paid = client.billing().verify(checkout.purchaseId());
/// ```
///
/// The client repeats a verify like a read: the server captures the money and activates the plan
/// once, however often it is asked. A checkout is sent once.
public final class Billing {
    private final Transport transport;

    Billing(Transport transport) {
        this.transport = transport;
    }

    /// The plans of the server; needs no key.
    public List<BillingPlan> plans() {
        return transport.send(
                Call.get("/v1/billing/plans"), answer -> each(answer.path("plans"), Billing::plan));
    }

    /// The plan of the account, its limits and what is used of them.
    public BillingStatus status() {
        return transport.send(Call.get("/v1/billing/status"), Billing::status);
    }

    /// Starts a purchase, which a human has to approve at [Checkout#approvalUrl].
    public Checkout checkout(String planId) {
        return transport.send(
                Call.post("/v1/billing/checkout", Json.object().put("planId", planId)),
                Billing::checkout);
    }

    /// Captures the money of an approved purchase and activates its plan. Throws `payment_failed`
    /// before the approval and after a refusal, and `payment_pending` while the payment is being
    /// processed.
    public PlanActivation verify(UUID purchaseId) {
        Call call =
                Call.post(
                        "/v1/billing/verify",
                        Json.object().put("purchaseId", purchaseId.toString()));
        return transport.send(call.repeated(true), Billing::activation);
    }

    /// The purchases of the account, newest first.
    ///
    /// @param limit 1 to 100
    public List<Purchase> purchases(int limit) {
        return transport.send(
                Call.get("/v1/billing/purchases?limit=" + limit),
                answer -> each(answer.path("purchases"), Billing::purchase));
    }

    /// Approves an order; for the operator of a server without a payment provider.
    public ApprovedOrder approve(String orderId) {
        String path = "/v1/billing/orders/" + Parameters.encoded(orderId) + "/approve";
        Call call = Call.post(path, Json.object());
        return transport.send(call.repeated(true), Billing::approved);
    }

    private interface Reader<T> {
        T read(JsonNode node);
    }

    private static <T> List<T> each(JsonNode list, Reader<T> reader) {
        var all = new ArrayList<T>();
        for (JsonNode one : list.values()) {
            all.add(reader.read(one));
        }
        return all;
    }

    private static BillingPlan plan(JsonNode plan) {
        return new BillingPlan(
                Wire.text(plan, "id"),
                Wire.text(plan, "name"),
                amount(plan, "priceUsd"),
                Wire.number(plan, "maxWorkers"),
                Wire.number(plan, "maxTasksPerMonth"),
                Wire.number(plan, "maxClaimsPerHour"),
                Wire.number(plan, "maxCreatesPerHour"),
                Wire.number(plan, "retentionDays"),
                plan.path("purchasable").booleanValue(false));
    }

    private static BillingStatus status(JsonNode answer) {
        JsonNode limits = answer.path("limits");
        return new BillingStatus(
                Wire.text(answer, "plan"),
                Wire.instantOrNull(answer, "planExpiresAt"),
                each(answer.path("periods"), Billing::period),
                Wire.instant(answer.path("month"), "start"),
                Wire.instant(answer.path("month"), "end"),
                Wire.numberOrNull(answer.path("usage"), "tasksThisMonth"),
                Wire.number(answer.path("usage"), "activeWorkers"),
                Wire.numberOrNull(limits, "maxWorkers"),
                Wire.numberOrNull(limits, "maxTasksPerMonth"),
                Wire.numberOrNull(limits, "maxClaimsPerHour"),
                Wire.numberOrNull(limits, "maxCreatesPerHour"),
                Wire.numberOrNull(limits, "retentionDays"),
                Wire.numberOrNull(answer.path("remaining"), "tasksThisMonth"),
                Wire.numberOrNull(answer.path("remaining"), "workers"));
    }

    private static PlanPeriod period(JsonNode period) {
        return new PlanPeriod(
                Wire.text(period, "plan"),
                Wire.instant(period, "from"),
                Wire.instant(period, "until"));
    }

    private static Checkout checkout(JsonNode answer) {
        return new Checkout(
                UUID.fromString(Wire.text(answer, "purchaseId")),
                Wire.text(answer, "approvalUrl"),
                Wire.text(answer, "plan"),
                amount(answer, "amount"),
                Wire.text(answer, "currency"),
                Wire.text(answer, "provider"),
                Wire.text(answer, "note"));
    }

    private static PlanActivation activation(JsonNode answer) {
        return new PlanActivation(
                UUID.fromString(Wire.text(answer, "purchaseId")),
                Wire.text(answer, "purchasedPlan"),
                Wire.text(answer, "plan"),
                Wire.instantOrNull(answer, "planExpiresAt"),
                each(answer.path("periods"), Billing::period));
    }

    private static Purchase purchase(JsonNode purchase) {
        return new Purchase(
                UUID.fromString(Wire.text(purchase, "purchaseId")),
                Wire.text(purchase, "plan"),
                amount(purchase, "amount"),
                Wire.text(purchase, "currency"),
                Wire.text(purchase, "provider"),
                Wire.text(purchase, "status"),
                Wire.textOrNull(purchase, "approvalUrl"),
                Wire.textOrNull(purchase, "failure"),
                Wire.instant(purchase, "createdAt"),
                Wire.instantOrNull(purchase, "activatedAt"));
    }

    private static ApprovedOrder approved(JsonNode answer) {
        return new ApprovedOrder(
                Wire.text(answer, "orderId"),
                UUID.fromString(Wire.text(answer, "purchaseId")),
                Wire.text(answer, "description"),
                amount(answer, "amount"),
                Wire.text(answer, "currency"),
                Wire.text(answer, "note"));
    }

    private static BigDecimal amount(JsonNode from, String name) {
        JsonNode amount = from.path(name);
        if (!amount.isNumber()) {
            throw new IllegalArgumentException("the answer lacks the number " + name);
        }
        return amount.decimalValue();
    }
}
