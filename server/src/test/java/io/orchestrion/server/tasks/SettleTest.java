package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;

import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.billing.FakePayPal;
import io.orchestrion.server.billing.FakePayPal.Fault;
import io.orchestrion.server.billing.FakePayPal.Operation;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.UUID;

/// No payment is given up too early, and none is looked at for ever.
class SettleTest {
    private final Shop shop = new Shop();
    private final FakePayPal paypal = shop.paypal();
    private final TaskApi buyer = shop.buyer();

    @AfterEach
    void close() {
        shop.close();
    }

    private Reply verify(String purchase) {
        return Shop.verify(buyer.api(), purchase);
    }

    private void later(Duration by) {
        shop.server().clock().advance(by);
    }

    private void uncertain(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(500);
        assertThat(reply.error()).isEqualTo("server_error");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
    }

    /// T-192: a refusal that does not say that there will be no money ends nothing.
    @ParameterizedTest
    @CsvSource({
        "422, PREVIOUS_REQUEST_IN_PROGRESS",
        "422, DUPLICATE_REQUEST_ID",
        "422, SOMETHING_NEW",
        "422, ''",
        "409, RESOURCE_CONFLICT",
        "400, INSTRUMENT_DECLINED",
        "429, RATE_LIMIT_REACHED"
    })
    void a_refusal_that_is_no_decline_does_not_lose_the_payment(int status, String issue) {
        String purchase = shop.approved(buyer, "basic");
        paypal.refuseNextCapture(status, issue);
        uncertain(verify(purchase));
        assertThat(shop.state(purchase)).isEqualTo("capturing");
        assertThat(verify(purchase).error()).isEqualTo("payment_pending");
        later(Duration.ofSeconds(61));
        assertThat(verify(purchase).status()).isEqualTo(200);
        assertThat(paypal.captures()).isEqualTo(1);
    }

    /// T-191.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSTRUMENT_DECLINED",
                "TRANSACTION_REFUSED",
                "PAYER_CANNOT_PAY",
                "PAYER_ACCOUNT_RESTRICTED",
                "PAYER_ACCOUNT_LOCKED_OR_CLOSED",
                "PAYEE_BLOCKED_TRANSACTION",
                "CARD_EXPIRED"
            })
    void a_decline_is_final(String issue) {
        String purchase = shop.approved(buyer, "basic");
        paypal.refuseNextCapture(422, issue);
        assertThat(verify(purchase).error()).isEqualTo("payment_failed");
        assertThat(shop.state(purchase)).isEqualTo("failed");
    }

    /// T-192: the money was taken all the same.
    @Test
    void a_decline_is_believed_only_after_a_look() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.AFTER_DECLINED);
        assertThat(verify(purchase).status()).isEqualTo(200);
        assertThat(shop.state(purchase)).isEqualTo("activated");
    }

    @Test
    void a_decline_that_cannot_be_checked_ends_nothing() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.AFTER_DECLINED);
        paypal.whenCaptured(() -> paypal.fail(Operation.LOOK, Fault.STATUS_500));
        uncertain(verify(purchase));
        paypal.heal();
        assertThat(verify(purchase).status()).isEqualTo(200);
    }

    /// T-192: PayPal may keep a refusal under the request id that it was given for.
    @Test
    void after_the_human_was_asked_again_a_kept_refusal_is_not_met_again() {
        paypal.keepRefusals();
        String purchase = shop.approved(buyer, "basic");
        paypal.refuseNextCapture(422, "PAYER_ACTION_REQUIRED");
        assertThat(verify(purchase).error()).isEqualTo("payment_failed");
        assertThat(shop.state(purchase)).isEqualTo("created");
        assertThat(verify(purchase).status()).isEqualTo(200);
        assertThat(paypal.captureRequestIds()).containsExactly(purchase + "-1");
    }

    private String unsettled() {
        String purchase = shop.approved(buyer, "basic");
        paypal.fail(Operation.CAPTURE, Fault.STATUS_500);
        uncertain(verify(purchase));
        return purchase;
    }

    /// Two entries for each capture that was tried.
    @Test
    void captures_of_unknown_outcome_are_tried_ever_less_often() {
        String purchase = unsettled();
        for (int minute = 0; minute < 180; minute++) {
            later(Duration.ofMinutes(1));
            shop.settle();
        }
        assertThat(shop.ledger(purchase)).hasSizeBetween(13, 21);
        paypal.heal();
        later(Duration.ofMinutes(61));
        assertThat(shop.settle()).isEqualTo(1);
        assertThat(Shop.plan(buyer)).isEqualTo("basic");
    }

    @Test
    void after_a_week_nobody_looks_but_who_asks() {
        String purchase = unsettled();
        long errors;
        try (var log = new CapturedLog()) {
            for (int hour = 0; hour < 7 * 24 + 12; hour++) {
                later(Duration.ofHours(1));
                shop.settle();
            }
            errors =
                    log.events().stream()
                            .filter(event -> event.getLevel() == Level.ERROR)
                            .filter(event -> event.getFormattedMessage().contains(purchase))
                            .count();
        }
        assertThat(errors).isEqualTo(1);
        int asked = paypal.requests(Operation.LOOK);
        later(Duration.ofDays(1));
        assertThat(shop.settle()).isZero();
        assertThat(paypal.requests(Operation.LOOK)).isEqualTo(asked);
        assertThat(shop.state(purchase)).isEqualTo("capturing");
        Reply list = buyer.api().get("/v1/billing/purchases");
        assertThat(shop.ledger(purchase)).hasSizeGreaterThan(50);
        assertThat(list.at("/purchases/0/history").size()).isEqualTo(50);
        assertThat(list.text("/purchases/0/history/49/event")).isEqualTo("outcome_unknown");
        paypal.heal();
        assertThat(verify(purchase).status()).isEqualTo(200);
    }

    /// Nobody here can know whether it was paid.
    @ParameterizedTest
    @ValueSource(strings = {"created", "capturing"})
    void an_open_purchase_of_another_provider_is_neither_failed_nor_forgotten(String state) {
        String purchase = state.equals("created") ? shop.approved(buyer, "basic") : unsettled();
        provider(purchase, "local");
        Reply reply = verify(purchase);
        uncertain(reply);
        assertThat(reply.text("/message")).contains("local").contains("not set up");
        assertThat(shop.state(purchase)).isEqualTo(state);
        try (var log = new CapturedLog();
                OrchestrionServer _ = shop.anotherNode()) {
            assertThat(log.events())
                    .anyMatch(
                            event ->
                                    event.getLevel() == Level.WARN
                                            && event.getFormattedMessage()
                                                    .startsWith("1 open purchases"));
        }
        provider(purchase, "paypal");
        paypal.heal();
        later(Duration.ofSeconds(61));
        assertThat(verify(purchase).status()).isEqualTo(200);
    }

    private void provider(String purchase, String name) {
        shop.server()
                .database()
                .execute(
                        "update purchase set provider = ? where purchase_id = ?",
                        name,
                        UUID.fromString(purchase));
    }
}
