package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;

/// A server without a payment provider: it says so, and its operator approves.
class LocalProviderTest {
    private static final HttpClient BROWSER = HttpClient.newHttpClient();

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = Shop.local();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi buyer = server.account("free");

    private static Api operator() {
        return server.anonymous()
                .withKey(server.kernel().kernel().identity().registerLocal("test").key().reveal());
    }

    private Reply checkout() {
        Reply reply = buyer.api().post("/v1/billing/checkout", Shop.planBody("basic"));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply;
    }

    private static String order(Reply checkout) {
        String url = checkout.text("/approvalUrl");
        return url.substring(url.lastIndexOf('/') + 1);
    }

    private static Reply approve(Api api, String order) {
        return api.post("/v1/billing/orders/" + order + "/approve");
    }

    private static HttpResponse<String> page(String url) throws IOException, InterruptedException {
        return BROWSER.send(
                HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }

    private static String here(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    @Test
    void it_says_that_no_money_moves() throws Exception {
        Reply checkout = checkout();
        assertThat(checkout.text("/provider")).isEqualTo("local");
        assertThat(checkout.text("/note")).contains("no money moves");
        assertThat(server.anonymous().get("/v1/billing/plans").text("/provider"))
                .isEqualTo("local");
        assertThat(checkout.text("/approvalUrl")).startsWith(here("/billing/approve/"));
        HttpResponse<String> page = page(checkout.text("/approvalUrl"));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
        assertThat(page.body())
                .contains("no money moves")
                .contains("Orchestrion Basic, 30 days")
                .contains("9.99 USD")
                .contains("./orchestrion billing approve " + order(checkout))
                .doesNotContain(buyer.accountId());
    }

    @Test
    void what_the_operator_approves_is_activated_once() throws Exception {
        Reply checkout = checkout();
        String purchase = checkout.text("/purchaseId");
        assertThat(Shop.verify(buyer.api(), purchase).error()).isEqualTo("payment_failed");
        Reply approved = approve(operator(), order(checkout));
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        assertThat(approved.text("/purchaseId")).isEqualTo(purchase);
        assertThat(approved.at("/amount").decimalValue()).isEqualByComparingTo("9.99");
        assertThat(Shop.plan(buyer)).isEqualTo("free");
        assertThat(page(checkout.text("/approvalUrl")).body())
                .contains("is approved")
                .doesNotContain("./orchestrion billing approve");
        List<Reply> replies = Parallel.run(20, _ -> () -> Shop.verify(buyer.api(), purchase));
        assertThat(replies).anyMatch(reply -> reply.status() == 200);
        assertThat(Shop.plan(buyer)).isEqualTo("basic");
        Reply again = Shop.verify(buyer.api(), purchase);
        assertThat(again.at("/periods").size()).isEqualTo(1);
        assertThat(approve(operator(), order(checkout)).status()).isEqualTo(200);
        assertThat(Shop.verify(buyer.api(), purchase).text("/planExpiresAt"))
                .isEqualTo(again.text("/planExpiresAt"));
    }

    /// T-193: neither the buyer nor any other account can approve, and nothing else activates.
    @Test
    void an_agent_cannot_approve_what_it_buys() {
        Reply checkout = checkout();
        for (TaskApi agent : List.of(buyer, server.account("free"), server.account())) {
            Reply refused = approve(agent.api(), order(checkout));
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.error()).isEqualTo("insufficient_scope");
        }
        assertThat(approve(server.anonymous(), order(checkout)).error())
                .isEqualTo("missing_api_key");
        assertThat(Shop.verify(buyer.api(), checkout.text("/purchaseId")).error())
                .isEqualTo("payment_failed");
        assertThat(Shop.plan(buyer)).isEqualTo("free");
    }

    /// T-193: with PayPal, not even the operator can.
    @Test
    void where_paypal_takes_the_money_nobody_approves_here() {
        try (var shop = new Shop()) {
            TaskApi agent = shop.buyer();
            String purchase = shop.checkout(agent, "basic");
            String key =
                    shop.server().kernel().kernel().identity().registerLocal("test").key().reveal();
            for (Api api : List.of(shop.server().anonymous().withKey(key), agent.api())) {
                Reply reply = approve(api, shop.paypal().lastOrder());
                assertThat(reply.status()).isEqualTo(404);
                assertThat(reply.error()).isEqualTo("not_found");
            }
            assertThat(Shop.verify(agent.api(), purchase).error()).isEqualTo("payment_failed");
            assertThat(Shop.plan(agent)).isEqualTo("free");
        }
    }

    /// T-193: what a caller can send to any endpoint of billing does not activate a plan.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"purchaseId\":\"%s\",\"status\":\"approved\"}",
                "{\"purchaseId\":\"%s\",\"approved\":true}",
                "{\"purchaseId\":\"%s\",\"plan\":\"agency\"}",
                "{\"purchaseId\":\"%s\",\"amount\":0}"
            })
    void a_verify_takes_nobodys_word_for_a_payment(String body) {
        String purchase = checkout().text("/purchaseId");
        Reply reply = buyer.api().post("/v1/billing/verify", body.formatted(purchase));
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(Shop.plan(buyer)).isEqualTo("free");
    }

    @Test
    void an_unknown_order_is_not_found() throws Exception {
        assertThat(approve(operator(), "local-0").error()).isEqualTo("not_found");
        HttpResponse<String> page = page(here("/billing/approve/%3Cscript%3E"));
        assertThat(page.statusCode()).isEqualTo(404);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.body()).doesNotContain("script").doesNotContain("{body}");
    }

    /// PayPal sends the human back with the order's id as `token`, which is no leaked key here.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/billing/approved?token=5O190127TN364715T&PayerID=FSMVU44LF3YUS",
                "/billing/cancelled?token=5O190127TN364715T"
            })
    void who_comes_back_from_paypal_finds_a_page(String path) throws Exception {
        HttpResponse<String> page = page(here(path));
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<h1>").doesNotContain("5O190127TN364715T");
    }

    /// An order means nothing to another provider.
    @Test
    void a_purchase_of_another_provider_is_not_paid_here() {
        String purchase = checkout().text("/purchaseId");
        server.database()
                .execute(
                        "update purchase set provider = 'paypal' where purchase_id = ?",
                        UUID.fromString(purchase));
        Reply reply = Shop.verify(buyer.api(), purchase);
        // Not lost either: the server may be set up for it again.
        assertThat(reply.error()).isEqualTo("server_error");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(reply.text("/message")).contains("paypal");
    }
}
