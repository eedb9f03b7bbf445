package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.billing.FakePayPal;
import io.orchestrion.server.billing.FakePayPal.Fault;
import io.orchestrion.server.billing.FakePayPal.Operation;
import io.orchestrion.server.tasks.CapturedLog;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

class BillingSecrecyTest {

    /// T-196: through everything that can happen with PayPal, good and bad, no credential is in a
    /// table, a log line at any level, a stack trace or an answer.
    @Test
    void no_credential_is_stored_logged_or_answered() {
        var replies = new ArrayList<Reply>();
        List<String> lines;
        List<String> stored;
        var secrets = new ArrayList<String>();
        try (var log = new CapturedLog();
                var shop = new Shop()) {
            FakePayPal paypal = shop.paypal();
            TaskApi buyer = shop.buyer();
            replies.add(shop.buy(buyer, "basic"));
            for (Operation operation : Operation.values()) {
                for (Fault fault :
                        List.of(
                                Fault.STATUS_500,
                                Fault.CUT,
                                Fault.NO_JSON,
                                Fault.UNAUTHORIZED,
                                Fault.DECLINED)) {
                    String purchase = shop.approved(buyer, "basic");
                    secrets.addAll(paypal.tokens());
                    paypal.forgetTokens();
                    paypal.fail(operation, fault);
                    replies.add(buyer.api().post("/v1/billing/checkout", Shop.planBody("pro")));
                    replies.add(Shop.verify(buyer.api(), purchase));
                    shop.server().clock().advance(Duration.ofMinutes(2));
                    shop.settle();
                    paypal.heal();
                    secrets.addAll(paypal.tokens());
                }
            }
            replies.add(buyer.api().get("/v1/billing/purchases"));
            replies.add(Shop.status(buyer));
            stored = Storage.of(shop.server()).dump();
            String options = paypal.options().toString();
            assertThat(options).contains("hidden");
            lines = new ArrayList<>(log.lines());
            lines.add(options);
            paypal.close();
            replies.add(buyer.api().post("/v1/billing/checkout", Shop.planBody("pro")));
            lines.addAll(log.lines());
        }
        assertThat(String.join("\n", lines))
                .as("what was really looked at")
                .contains("PayPal does not take paypal-client-id and paypal-client-secret")
                .contains("PayPal was not reached");
        assertThat(stored).anyMatch(row -> row.contains("order_created"));
        assertThat(secrets).hasSizeGreaterThan(5);
        secrets.add(FakePayPal.SECRET);
        secrets.add(FakePayPal.CLIENT_ID);
        secrets.add(
                Base64.getEncoder()
                        .encodeToString(
                                (FakePayPal.CLIENT_ID + ":" + FakePayPal.SECRET)
                                        .getBytes(StandardCharsets.UTF_8)));
        for (String secret : secrets) {
            assertThat(lines).as("log").noneMatch(line -> line.contains(secret));
            assertThat(stored).as("tables").noneMatch(row -> row.contains(secret));
            assertThat(replies)
                    .as("answers")
                    .noneMatch(reply -> (reply.headers().map() + reply.text()).contains(secret));
        }
    }
}
