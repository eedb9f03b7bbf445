package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.billing.FakePayPal.Fault;
import io.orchestrion.server.billing.FakePayPal.Operation;
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

import java.time.Duration;
import java.util.List;

class CheckoutTest {
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

    private Reply checkout(String body) {
        return buyer.api().post("/v1/billing/checkout", body);
    }

    private static long purchases() {
        return shop.server().database().value("select count(*) from purchase");
    }

    /// T-033, T-181, T-182.
    @ParameterizedTest
    @CsvSource({"basic, 9.99", "pro, 24.99", "agency, 59.99"})
    void a_checkout_makes_an_order_of_exactly_the_price_and_changes_no_plan(
            String plan, String price) {
        Reply reply = checkout(Shop.planBody(plan));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        assertThat(reply.text("/purchaseId")).hasSize(36);
        assertThat(reply.text("/approvalUrl"))
                .isEqualTo(
                        "https://www.paypal.example/checkoutnow?token="
                                + shop.paypal().lastOrder());
        assertThat(reply.text("/plan")).isEqualTo(plan);
        assertThat(reply.at("/amount").decimalValue()).isEqualByComparingTo(price);
        assertThat(reply.text("/currency")).isEqualTo("USD");
        assertThat(reply.text("/provider")).isEqualTo("paypal");
        assertThat(reply.text("/note")).contains("human");

        JsonNode sent = shop.paypal().created().getLast();
        assertThat(sent.get("intent").asString()).isEqualTo("CAPTURE");
        assertThat(sent.get("purchase_units").size()).isEqualTo(1);
        JsonNode unit = sent.at("/purchase_units/0");
        assertThat(unit.at("/amount/value").asString()).isEqualTo(price);
        assertThat(unit.at("/amount/value").isString()).isTrue();
        assertThat(unit.at("/amount/currency_code").asString()).isEqualTo("USD");
        assertThat(unit.get("custom_id").asString()).isEqualTo(reply.text("/purchaseId"));
        assertThat(unit.get("invoice_id").asString()).isEqualTo(reply.text("/purchaseId"));
        JsonNode context = sent.at("/payment_source/paypal/experience_context");
        assertThat(context.get("return_url").asString())
                .isEqualTo("http://127.0.0.1:" + shop.server().port() + "/billing/approved");

        assertThat(Shop.plan(buyer)).isEqualTo("free");
        assertThat(shop.state(reply.text("/purchaseId"))).isEqualTo("created");
        assertThat(shop.ledger(reply.text("/purchaseId"))).containsExactly("order_created");
    }

    /// T-291.
    @Test
    void the_next_thing_is_to_verify_after_a_wait_for_the_human() {
        Reply reply = checkout(Shop.planBody("basic"));
        JsonNode actions = reply.at("/agent_contract/next_actions");
        JsonNode verify = actions.get(0);
        assertThat(verify.get("action").asString()).isEqualTo("verify_payment");
        assertThat(verify.get("available").asBoolean()).isTrue();
        assertThat(verify.get("recommended").asBoolean()).isTrue();
        assertThat(verify.get("retry_after_seconds").asInt()).isPositive();
        assertThat(verify.get("method").asString()).isEqualTo("POST");
        assertThat(verify.get("endpoint").asString()).isEqualTo("/v1/billing/verify");
        assertThat(verify.at("/required_fields/0").asString()).isEqualTo("purchaseId");
        assertThat(actions.get(1).get("action").asString()).isEqualTo("retry_after_wait");
        assertThat(actions.get(1).get("recommended").asBoolean()).isFalse();
        assertThat(actions.get(1).get("retry_after_seconds").asInt()).isPositive();
    }

    /// T-183: free is not for sale, nor is what does not exist.
    @ParameterizedTest
    @ValueSource(strings = {"free", "unlimited", "gold", "BASIC", "basic "})
    void what_is_not_sold_is_refused_with_what_is(String plan) {
        int orders = shop.paypal().created().size();
        Reply reply = checkout(Shop.planBody(plan));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).isEqualTo("planId must be one of basic, pro, agency.");
        assertThat(shop.paypal().created()).hasSize(orders);
    }

    /// T-183.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {}                                    | planId is required
                    {"planId":null}                       | planId is required
                    {"planId":7}                          | planId must be a string
                    {"planId":""}                         | planId
                    {"planId":"basic","amount":1}         | "amount" is not a known field
                    {"planId":"basic","plan_id":"pro"}    | planId and plan_id must not hold different values
                    """)
    void a_bad_body_is_refused_by_name(String body, String said) {
        Reply reply = checkout(body);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).contains(said);
    }

    /// C-09: both spellings.
    @Test
    void plan_id_is_understood_too() {
        assertThat(checkout("{\"plan_id\":\"pro\"}").text("/plan")).isEqualTo("pro");
        assertThat(checkout("{\"plan_id\":\"pro\",\"planId\":\"pro\"}").status()).isEqualTo(201);
    }

    /// T-192: retryable, and nothing is left behind.
    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {
                "STATUS_500",
                "AFTER_500",
                "CUT",
                "AFTER_CUT",
                "HANG",
                "AFTER_STALL",
                "NO_JSON"
            })
    void with_paypal_away_nothing_is_stored_and_the_same_may_be_tried_again(Fault fault) {
        long before = purchases();
        shop.paypal().fail(Operation.CREATE, fault);
        Reply reply = checkout(Shop.planBody("basic"));
        assertThat(reply.status()).as(reply.text()).isEqualTo(500);
        assertThat(reply.error()).isEqualTo("server_error");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(purchases()).isEqualTo(before);
        shop.paypal().heal();
        assertThat(checkout(Shop.planBody("basic")).status()).isEqualTo(201);
    }

    /// T-192: nobody there at all.
    @Test
    void with_no_paypal_at_the_address_checkout_is_a_server_error() {
        try (var lone = new Shop()) {
            lone.paypal().close();
            Reply reply = lone.buyer().api().post("/v1/billing/checkout", Shop.planBody("basic"));
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.error()).isEqualTo("server_error");
            assertThat(reply.text()).doesNotContain("java.").doesNotContain("Exception");
        }
    }

    /// A token that PayPal no longer takes is replaced once, and used until then.
    @Test
    void a_token_is_kept_and_renewed_when_it_is_refused() {
        checkout(Shop.planBody("basic"));
        int fetched = shop.paypal().requests(Operation.TOKEN);
        checkout(Shop.planBody("basic"));
        assertThat(shop.paypal().requests(Operation.TOKEN)).isEqualTo(fetched);
        shop.paypal().forgetTokens();
        assertThat(checkout(Shop.planBody("basic")).status()).isEqualTo(201);
        assertThat(shop.paypal().requests(Operation.TOKEN)).isEqualTo(fetched + 1);
    }

    @Test
    void an_account_without_limits_has_nothing_to_buy() {
        Reply reply =
                shop.server().account().api().post("/v1/billing/checkout", Shop.planBody("agency"));
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).contains("no limits");
    }

    @Test
    void purchases_are_listed_newest_first_with_their_history_and_to_their_owner_alone() {
        String first = shop.checkout(buyer, "basic");
        shop.server().clock().advance(Duration.ofSeconds(1));
        String second = shop.checkout(buyer, "pro");
        Reply list = buyer.api().get("/v1/billing/purchases");
        assertThat(list.at("/purchases").values().stream().map(p -> p.get("purchaseId").asString()))
                .containsExactly(second, first);
        assertThat(list.text("/purchases/0/status")).isEqualTo("created");
        assertThat(list.text("/purchases/0/approvalUrl")).startsWith("https://www.paypal.example/");
        assertThat(list.text("/purchases/0/history/0/event")).isEqualTo("order_created");
        assertThat(list.at("/purchases/0/history/0/amount").decimalValue())
                .isEqualByComparingTo("24.99");
        assertThat(buyer.api().get("/v1/billing/purchases?limit=1").at("/purchases").size())
                .isEqualTo(1);
        assertThat(shop.buyer().api().get("/v1/billing/purchases").at("/purchases").size())
                .isZero();
        for (String limit : List.of("0", "101", "x")) {
            assertThat(buyer.api().get("/v1/billing/purchases?limit=" + limit).error())
                    .isEqualTo("invalid_request");
        }
    }
}
