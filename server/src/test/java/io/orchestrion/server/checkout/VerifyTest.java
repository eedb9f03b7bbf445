package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;

import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.billing.FakePayPal;
import io.orchestrion.server.billing.FakePayPal.Fault;
import io.orchestrion.server.billing.FakePayPal.Operation;
import io.orchestrion.server.tasks.CapturedLog;
import io.orchestrion.server.tasks.Requests;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// From approval to activation, and all that can go wrong between.
class VerifyTest {
    private static Shop shop;

    @BeforeAll
    static void start() {
        shop = new Shop();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @AfterEach
    void heal() {
        shop.paypal().heal();
    }

    private final TaskApi buyer = shop.buyer();
    private final FakePayPal paypal = shop.paypal();
    private final int capturesBefore = paypal.captures();

    private Reply verify(String purchase) {
        return Shop.verify(buyer.api(), purchase);
    }

    private int captures() {
        return paypal.captures() - capturesBefore;
    }

    private void paid(Reply reply, String purchase, String plan) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text("/purchaseId")).isEqualTo(purchase);
        assertThat(reply.text("/plan")).isEqualTo(plan);
        assertThat(reply.text("/planExpiresAt")).isNotEmpty();
        assertThat(shop.state(purchase)).isEqualTo("activated");
        assertThat(captures()).isEqualTo(1);
        assertThat(Shop.plan(buyer)).isEqualTo(plan);
    }

    /// T-252: the code, its status and that it is not retryable; and the plan is as it was.
    private void paymentFailed(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(402);
        assertThat(reply.error()).isEqualTo("payment_failed");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isFalse();
        assertThat(Shop.plan(buyer)).isEqualTo("free");
    }

    private static JsonNode action(Reply reply, String code) {
        return reply.at("/agent_contract/next_actions").values().stream()
                .filter(action -> action.get("action").asString().equals(code))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static void offers(Reply reply, String code, String method, String endpoint) {
        JsonNode action = action(reply, code);
        assertThat(action.path("available").asBoolean(false)).as(code).isTrue();
        assertThat(action.get("method").asString()).isEqualTo(method);
        assertThat(action.get("endpoint").asString()).isEqualTo(endpoint);
    }

    /// T-034, T-185: captured once, with the purchase's own id as the request id.
    @Test
    void an_approved_purchase_is_captured_once_and_activated() {
        String purchase = shop.approved(buyer, "pro");
        paid(verify(purchase), purchase, "pro");
        assertThat(paypal.captureRequestIds()).contains(purchase);
        assertThat(shop.ledger(purchase))
                .containsExactly("order_created", "capture_started", "captured", "activated");
    }

    /// T-184: and nothing is asked of PayPal but a look.
    @Test
    void before_the_human_approves_nothing_happens() {
        String purchase = shop.checkout(buyer, "basic");
        int asked = paypal.requests(Operation.CAPTURE);
        for (int i = 0; i < 2; i++) {
            Reply reply = verify(purchase);
            paymentFailed(reply);
            assertThat(reply.text("/message")).contains("approved").contains("https://");
            offers(reply, "verify_payment", "POST", "/v1/billing/verify");
            assertThat(action(reply, "verify_payment").get("retry_after_seconds").asInt())
                    .isPositive();
            JsonNode wait = reply.at("/agent_contract/next_actions/0");
            assertThat(wait.get("action").asString()).isEqualTo("retry_after_wait");
            assertThat(wait.get("recommended").asBoolean()).isTrue();
            assertThat(wait.get("endpoint").asString()).isEqualTo("/v1/billing/verify");
            assertThat(wait.get("retry_after_seconds").asInt()).isPositive();
        }
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked);
        assertThat(shop.state(purchase)).isEqualTo("created");
        paypal.approve(paypal.lastOrder());
        paid(verify(purchase), purchase, "basic");
    }

    /// T-188.
    @Test
    void verifying_again_is_a_success_that_changes_nothing() {
        String purchase = shop.approved(buyer, "basic");
        Reply first = verify(purchase);
        int asked = paypal.requests(Operation.CAPTURE);
        List<String> ledger = shop.ledger(purchase);
        for (int i = 0; i < 3; i++) {
            Reply again = verify(purchase);
            paid(again, purchase, "basic");
            assertThat(again.text("/planExpiresAt")).isEqualTo(first.text("/planExpiresAt"));
        }
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked);
        assertThat(shop.ledger(purchase)).isEqualTo(ledger);
    }

    /// T-188: PayPal is not even needed for it.
    @Test
    void an_activated_purchase_is_verified_with_paypal_away() {
        String purchase = shop.approved(buyer, "basic");
        verify(purchase);
        paypal.fail(Operation.LOOK, Fault.STATUS_500);
        paid(verify(purchase), purchase, "basic");
    }

    /// T-190: the same words for another's purchase as for none, whatever its state.
    @Test
    void another_accounts_purchase_is_unknown_here() {
        String open = shop.approved(buyer, "basic");
        TaskApi thief = shop.buyer();
        Reply stolen = Shop.verify(thief.api(), open);
        Reply none = Shop.verify(thief.api(), Requests.NO_TASK);
        assertThat(stolen.status()).isEqualTo(400);
        assertThat(stolen.error()).isEqualTo("invalid_request");
        assertThat(stolen.text("/message")).isEqualTo(none.text("/message"));
        assertThat(stolen.at("/agent_contract")).isEqualTo(none.at("/agent_contract"));
        assertThat(captures()).isZero();
        assertThat(Shop.plan(thief)).isEqualTo("free");
        paid(verify(open), open, "basic");
        Reply late = Shop.verify(thief.api(), open);
        assertThat(late.text("/message")).isEqualTo(none.text("/message"));
        assertThat(Shop.plan(thief)).isEqualTo("free");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                                    | purchaseId is required
                    {"purchaseId":"x"}                                    | purchaseId
                    {"purchaseId":"01890000-0000-7000-8000-00000000000"}  | purchaseId
                    {"purchaseId":7}                                      | purchaseId must be a string
                    """)
    void a_bad_body_is_refused_by_name(String body, String said) {
        Reply reply = buyer.api().post("/v1/billing/verify", body);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).contains(said);
    }

    /// C-09: both spellings.
    @Test
    void purchase_id_is_understood_too() {
        String purchase = shop.approved(buyer, "basic");
        Reply reply =
                buyer.api().post("/v1/billing/verify", "{\"purchase_id\":\"" + purchase + "\"}");
        paid(reply, purchase, "basic");
    }

    /// T-191, T-252, T-290, T-292: declined on the spot, and by a capture that PayPal declined.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"DECLINED", "REFUSED_BY_PAYPAL"})
    void a_declined_capture_is_final_and_a_new_checkout_is_the_way_on(Fault fault) {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, fault);
        Reply reply = verify(purchase);
        paymentFailed(reply);
        offers(reply, "retry_checkout", "POST", "/v1/billing/checkout");
        assertThat(action(reply, "retry_checkout").get("recommended").asBoolean()).isTrue();
        offers(reply, "check_billing_status", "GET", "/v1/billing/status");
        assertThat(shop.state(purchase)).isEqualTo("failed");
        assertThat(shop.ledger(purchase))
                .containsExactly("order_created", "capture_started", "declined");
        int asked = paypal.requests(Operation.CAPTURE);
        paymentFailed(verify(purchase));
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked);
        assertThat(buyer.api().get("/v1/billing/purchases").text("/purchases/0/failure"))
                .isNotEmpty();
        String next = shop.approved(buyer, "basic");
        assertThat(verify(next).status()).isEqualTo(200);
    }

    /// T-191: the human said no, or never came.
    @Test
    void a_voided_or_expired_order_fails_the_purchase() {
        String voided = shop.checkout(buyer, "basic");
        paypal.status(paypal.lastOrder(), "VOIDED");
        paymentFailed(verify(voided));
        assertThat(shop.state(voided)).isEqualTo("failed");
        String gone = shop.checkout(buyer, "basic");
        paypal.forget(paypal.lastOrder());
        paymentFailed(verify(gone));
        assertThat(shop.state(gone)).isEqualTo("failed");
        assertThat(shop.ledger(gone)).containsExactly("order_created", "order_gone");
    }

    /// S-18: money of another amount or currency activates nothing, ever, and somebody is told.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"WRONG_AMOUNT", "WRONG_CURRENCY"})
    void another_amount_than_the_price_never_activates(Fault fault) {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, fault);
        try (var log = new CapturedLog()) {
            Reply reply = verify(purchase);
            paymentFailed(reply);
            // Who has paid must not be sent to pay again.
            assertThat(reply.text("/message")).contains("Do not pay again").contains("was taken");
            assertThat(action(reply, "retry_checkout").isMissingNode()).isTrue();
            assertThat(action(reply, "check_billing_status").get("recommended").asBoolean())
                    .isTrue();
            assertThat(log.events())
                    .anyMatch(
                            event ->
                                    event.getLevel() == Level.ERROR
                                            && event.getFormattedMessage().contains(purchase));
        }
        assertThat(shop.state(purchase)).isEqualTo("mismatched");
        assertThat(shop.ledger(purchase))
                .containsExactly("order_created", "capture_started", "mismatch");
        paymentFailed(verify(purchase));
        assertThat(shop.settle()).isZero();
        assertThat(captures()).isEqualTo(1);
        Reply list = buyer.api().get("/v1/billing/purchases");
        JsonNode entry = list.at("/purchases/0/history/2");
        assertThat(entry.get("amount").asString() + " " + entry.get("currency").asString())
                .isEqualTo(fault == Fault.WRONG_AMOUNT ? "0.01 USD" : "9.99 EUR");
    }

    /// S-18: found before anything is taken, where the order itself is for another amount.
    @Test
    void an_order_for_another_amount_is_not_even_captured() {
        String purchase = shop.approved(buyer, "basic");
        shop.server()
                .database()
                .execute(
                        "update purchase set amount_cents = 5999, plan = 'agency' where"
                                + " purchase_id = ?",
                        UUID.fromString(purchase));
        Reply reply = verify(purchase);
        paymentFailed(reply);
        assertThat(reply.text("/message")).contains("nothing was taken");
        assertThat(captures()).isZero();
        assertThat(shop.state(purchase)).isEqualTo("mismatched");
    }

    /// A capture that takes its time is neither a success nor a failure until it is one.
    @ParameterizedTest
    @ValueSource(strings = {"COMPLETED", "DECLINED"})
    void a_pending_capture_is_asked_about_again(String ending) {
        String purchase = shop.approved(buyer, "basic");
        String order = paypal.lastOrder();
        paypal.failNext(Operation.CAPTURE, Fault.PENDING);
        for (int i = 0; i < 2; i++) {
            Reply reply = verify(purchase);
            assertThat(reply.status()).as(reply.text()).isEqualTo(409);
            assertThat(reply.error()).isEqualTo("payment_pending");
            assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
            offers(reply, "verify_payment", "POST", "/v1/billing/verify");
        }
        assertThat(Shop.plan(buyer)).isEqualTo("free");
        assertThat(shop.ledger(purchase))
                .containsExactly("order_created", "capture_started", "capture_pending");
        paypal.captureStatus(order, ending);
        if (ending.equals("COMPLETED")) {
            paid(verify(purchase), purchase, "basic");
        } else {
            paymentFailed(verify(purchase));
        }
        assertThat(captures()).isEqualTo(1);
    }

    /// T-192: captured, and the answer never came: the look finds it, within the same call.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"AFTER_HANG", "AFTER_CUT", "AFTER_500", "AFTER_STALL"})
    void a_capture_whose_answer_was_lost_is_found_by_a_look(Fault fault) {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, fault);
        paid(verify(purchase), purchase, "basic");
        assertThat(paypal.captureRequestIds().stream().filter(purchase::equals)).hasSize(1);
    }

    /// T-192: not captured, and it is not known why: the caller asks again, and the retry looks
    /// first and says the same request id.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"HANG", "CUT", "STATUS_500", "NO_JSON"})
    void a_capture_that_did_not_happen_is_retryable_with_the_same_request_id(Fault fault) {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, fault);
        uncertain(verify(purchase));
        assertThat(captures()).isZero();
        assertThat(shop.state(purchase)).isEqualTo("capturing");
        assertThat(shop.ledger(purchase))
                .containsExactly("order_created", "capture_started", "outcome_unknown");
        claimKeeps(purchase);
        int looks = paypal.requests(Operation.LOOK);
        paid(verify(purchase), purchase, "basic");
        assertThat(paypal.requests(Operation.LOOK)).isGreaterThan(looks);
        assertThat(paypal.captureRequestIds().stream().distinct().filter(purchase::equals))
                .hasSize(1);
    }

    /// The capture may be under way at PayPal, so for a minute nobody sends another.
    private void claimKeeps(String purchase) {
        int asked = paypal.requests(Operation.CAPTURE);
        assertThat(verify(purchase).error()).isEqualTo("payment_pending");
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked);
        shop.server().clock().advance(Duration.ofSeconds(61));
    }

    private void uncertain(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(500);
        assertThat(reply.error()).isEqualTo("server_error");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(reply.text()).doesNotContain("java.").doesNotContain("Exception");
        assertThat(Shop.plan(buyer)).isEqualTo("free");
    }

    /// T-192: captured, the answer lost, and PayPal away right after: no second capture, and the
    /// next call finds the money.
    @Test
    void a_capture_of_unknown_outcome_is_never_repeated_blindly() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.AFTER_CUT);
        paypal.whenCaptured(() -> paypal.fail(Operation.LOOK, Fault.STATUS_500));
        uncertain(verify(purchase));
        int asked = paypal.requests(Operation.CAPTURE);
        // While the look says nothing, nothing is captured.
        uncertain(verify(purchase));
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked);
        paypal.whenCaptured(() -> {});
        paypal.heal();
        paid(verify(purchase), purchase, "basic");
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked);
    }

    /// T-192: PayPal away from the first look on.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"HANG", "CUT", "STATUS_500", "NO_JSON"})
    void with_paypal_away_nothing_is_concluded(Fault fault) {
        String purchase = shop.approved(buyer, "basic");
        paypal.fail(Operation.LOOK, fault);
        uncertain(verify(purchase));
        assertThat(shop.state(purchase)).isEqualTo("created");
        paypal.heal();
        paid(verify(purchase), purchase, "basic");
    }

    /// S-18: PayPal has forgotten the request id and shows the order as it was. It still captures
    /// an order once, and the look after the refusal finds the money.
    @Test
    void an_order_that_is_captured_already_is_found_by_a_look() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.AFTER_CUT);
        paypal.whenCaptured(() -> paypal.fail(Operation.LOOK, Fault.STATUS_500));
        uncertain(verify(purchase));
        paypal.whenCaptured(() -> {});
        paypal.heal();
        paypal.forgetRequestIds();
        paypal.failNext(Operation.LOOK, Fault.STALE);
        claimKeeps(purchase);
        paypal.failNext(Operation.LOOK, Fault.STALE);
        int asked = paypal.requests(Operation.CAPTURE);
        paid(verify(purchase), purchase, "basic");
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(asked + 1);
    }

    @Test
    void a_capture_refused_as_already_made_is_settled_by_a_look() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.ALREADY_CAPTURED);
        // Refused without having been made: the look says so, and nobody is believed blindly.
        uncertain(verify(purchase));
        claimKeeps(purchase);
        paid(verify(purchase), purchase, "basic");
    }

    @Test
    void when_paypal_wants_the_human_again_the_purchase_waits_for_the_human() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.NOT_APPROVED);
        paymentFailed(verify(purchase));
        assertThat(shop.state(purchase)).isEqualTo("created");
        assertThat(shop.ledger(purchase))
                .containsExactly("order_created", "capture_started", "approval_missing");
        paid(verify(purchase), purchase, "basic");
    }

    @Test
    void a_token_that_ends_between_look_and_capture_is_renewed() {
        String purchase = shop.approved(buyer, "basic");
        paypal.forgetTokens();
        paid(verify(purchase), purchase, "basic");
    }

    @Test
    void credentials_that_paypal_does_not_take_activate_nothing() {
        String purchase = shop.approved(buyer, "basic");
        paypal.forgetTokens();
        paypal.fail(Operation.TOKEN, Fault.UNAUTHORIZED);
        uncertain(verify(purchase));
        paypal.heal();
        paid(verify(purchase), purchase, "basic");
    }
}
