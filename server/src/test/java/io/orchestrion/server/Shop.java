package io.orchestrion.server;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.billing.FakePayPal;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.assertj.core.api.Assertions;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A server that sells plans, with a PayPal of its own, and buyers. Its limits are wide: these
/// tests are about money.
public final class Shop implements AutoCloseable {
    private static final RateLimits WIDE =
            Doors.LIMITS.with(
                    Map.of(
                            RateLimits.BILLING, 1_000_000,
                            RateLimits.REGISTER, 1_000_000,
                            RateLimits.CAPABILITIES, 1_000_000,
                            RateLimits.EVERYTHING, 1_000_000));

    private final FakePayPal paypal = new FakePayPal();
    private final TestServer server =
            new TestServer(
                    options -> options, options -> options.withLimits(WIDE).withBilling(billing()));

    private BillingOptions billing() {
        return new BillingOptions(null, paypal.options());
    }

    /// A server that takes no money.
    public static TestServer local() {
        return new TestServer(options -> options, options -> options.withLimits(WIDE));
    }

    public FakePayPal paypal() {
        return paypal;
    }

    public TestServer server() {
        return server;
    }

    /// Another node on the same database and with the same PayPal; closing it closes its kernel.
    public OrchestrionServer anotherNode() {
        Kernel kernel = server.kernel().anotherNode(options -> options);
        return OrchestrionServer.start(
                kernel, TestServer.options().withLimits(WIDE).withBilling(billing()));
    }

    /// A new account on the free plan.
    public TaskApi buyer() {
        return server.account(Plan.FREE_ID);
    }

    /// Starts a purchase and returns its id.
    public String checkout(TaskApi buyer, String plan) {
        Reply reply = buyer.api().post("/v1/billing/checkout", planBody(plan));
        Assertions.assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.text("/purchaseId");
    }

    /// Starts a purchase that a human has approved.
    public String approved(TaskApi buyer, String plan) {
        String purchase = checkout(buyer, plan);
        paypal.approve(paypal.lastOrder());
        return purchase;
    }

    /// Buys a plan.
    public Reply buy(TaskApi buyer, String plan) {
        Reply reply = verify(buyer.api(), approved(buyer, plan));
        Assertions.assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    public static String planBody(String plan) {
        return "{\"planId\":\"" + plan + "\"}";
    }

    public static Reply verify(Api api, String purchase) {
        return api.post("/v1/billing/verify", "{\"purchaseId\":\"" + purchase + "\"}");
    }

    public static Reply status(TaskApi buyer) {
        return buyer.api().get("/v1/billing/status");
    }

    public static String plan(TaskApi buyer) {
        return status(buyer).text("/plan");
    }

    public String state(String purchase) {
        return server.database()
                .value(
                        "select state from purchase where purchase_id = ?",
                        UUID.fromString(purchase));
    }

    /// What happened to a purchase, oldest first.
    public List<String> ledger(String purchase) {
        return server
                .database()
                .rows(
                        "select event from payment_entry where purchase_id = ? order by seq",
                        UUID.fromString(purchase))
                .stream()
                .map(row -> (String) row.get("event"))
                .toList();
    }

    /// One pass of the duty that finishes what was left.
    public int settle() {
        return server.kernel().kernel().sweepOnce("purchase-settler");
    }

    @Override
    public void close() {
        server.close();
        paypal.close();
    }
}
