package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.billing.FakePayPal;
import io.orchestrion.server.billing.FakePayPal.Fault;
import io.orchestrion.server.billing.FakePayPal.Operation;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Many who verify one purchase, and those who do not come back.
class VerifyRaceTest {
    private final Shop shop = new Shop();
    private final FakePayPal paypal = shop.paypal();
    private final TaskApi buyer = shop.buyer();

    @AfterEach
    void close() {
        shop.close();
    }

    private void activatedOnce(String purchase) {
        assertThat(paypal.captures()).isEqualTo(1);
        assertThat(shop.state(purchase)).isEqualTo("activated");
        assertThat(shop.ledger(purchase)).containsOnlyOnce("captured", "activated");
        assertThat(
                        (Long)
                                shop.server()
                                        .database()
                                        .value(
                                                "select sum(until_ms - from_ms)::bigint from"
                                                        + " plan_period where account_id = ?",
                                                UUID.fromString(buyer.accountId())))
                .isEqualTo(Duration.ofDays(30).toMillis());
    }

    private void eachIsPaidOrPending(List<Reply> replies) {
        assertThat(replies)
                .allSatisfy(
                        reply ->
                                assertThat(reply.status() + " " + reply.error())
                                        .as(reply.text())
                                        .isIn("200 ", "409 payment_pending"));
    }

    /// T-189: captured once and activated once, and who came too early is told to ask again.
    @Test
    void twenty_verifies_at_once_capture_and_activate_once() {
        String purchase = shop.approved(buyer, "basic");
        List<Reply> replies = Parallel.run(20, _ -> () -> Shop.verify(buyer.api(), purchase));
        eachIsPaidOrPending(replies);
        assertThat(replies).anyMatch(reply -> reply.status() == 200);
        activatedOnce(purchase);
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(1);
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(200);
        activatedOnce(purchase);
    }

    /// T-189: also on two nodes of one database.
    @Test
    void two_nodes_capture_and_activate_once() {
        String purchase = shop.approved(buyer, "basic");
        try (OrchestrionServer other = shop.anotherNode()) {
            Api there = Api.on(other.port(), ResponseCheck.NONE).withKey(buyer.key());
            List<Reply> replies =
                    Parallel.run(
                            20, i -> () -> Shop.verify(i % 2 == 0 ? buyer.api() : there, purchase));
            eachIsPaidOrPending(replies);
            assertThat(replies).anyMatch(reply -> reply.status() == 200);
            activatedOnce(purchase);
            assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(1);
            assertThat(there.get("/v1/billing/status").text("/plan")).isEqualTo("basic");
        }
    }

    /// Starts a verify and holds it where the money is taken and nothing is written yet.
    private final class Held implements AutoCloseable {
        private final CountDownLatch release = new CountDownLatch(1);
        private final CompletableFuture<Reply> reply;

        Held(String purchase) throws InterruptedException {
            var captured = new CountDownLatch(1);
            shop.server()
                    .kernel()
                    .failpoints()
                    .arm(
                            "billing.captured",
                            () -> {
                                captured.countDown();
                                release.await(30, TimeUnit.SECONDS);
                            });
            reply =
                    CompletableFuture.supplyAsync(
                            () -> Shop.verify(buyer.api(), purchase),
                            task -> Thread.ofVirtual().start(task));
            assertThat(captured.await(30, TimeUnit.SECONDS)).isTrue();
        }

        Reply released() {
            release.countDown();
            return reply.join();
        }

        @Override
        public void close() {
            release.countDown();
        }
    }

    /// T-189: while one captures, another is told to wait, and asks PayPal for nothing.
    @Test
    void who_comes_while_a_capture_is_under_way_is_told_so() throws Exception {
        String purchase = shop.approved(buyer, "basic");
        try (var first = new Held(purchase)) {
            // It sees the order as not captured yet, as somebody who looked a moment ago would.
            paypal.failNext(Operation.LOOK, Fault.STALE);
            Reply second = Shop.verify(buyer.api(), purchase);
            assertThat(second.error()).isEqualTo("payment_pending");
            assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(1);
            assertThat(first.released().status()).isEqualTo(200);
        }
        activatedOnce(purchase);
    }

    /// However many want one purchase, they take one connection from the others.
    @Test
    void a_purchase_that_another_session_holds_keeps_nobody_else_waiting() throws Exception {
        String purchase = shop.approved(buyer, "basic");
        List<CompletableFuture<Reply>> verifies;
        try (Connection other = shop.server().database().connect()) {
            other.setAutoCommit(false);
            try (var lock =
                    other.prepareStatement(
                            "select from purchase where purchase_id = ? for update")) {
                lock.setObject(1, UUID.fromString(purchase));
                assertThat(lock.executeQuery().next()).isTrue();
            }
            verifies =
                    Stream.generate(
                                    () ->
                                            CompletableFuture.supplyAsync(
                                                    () -> Shop.verify(buyer.api(), purchase),
                                                    task -> Thread.ofVirtual().start(task)))
                            .limit(8)
                            .toList();
            Until.isTrue("one waits for it", Duration.ofSeconds(30), this::somebodyWaits);
            assertThat(shop.server().account().api().get("/v1/tasks").status()).isEqualTo(200);
        }
        eachIsPaidOrPending(verifies.stream().map(CompletableFuture::join).toList());
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(200);
        activatedOnce(purchase);
    }

    private boolean somebodyWaits() {
        return shop.server()
                        .database()
                        .<Long>value(
                                "select count(*) from pg_stat_activity where datname ="
                                        + " current_database() and wait_event_type = 'Lock'")
                > 0;
    }

    /// T-189: both have seen the money, and one of them writes it.
    @Test
    void who_finds_the_money_first_activates_and_the_other_finds_it_done() throws Exception {
        String purchase = shop.approved(buyer, "basic");
        try (var first = new Held(purchase)) {
            Reply second = Shop.verify(buyer.api(), purchase);
            assertThat(second.status()).as(second.text()).isEqualTo(200);
            Reply late = first.released();
            assertThat(late.status()).as(late.text()).isEqualTo(200);
            assertThat(late.text("/planExpiresAt")).isEqualTo(second.text("/planExpiresAt"));
        }
        activatedOnce(purchase);
    }

    private void crashAfterCapture(String purchase) {
        shop.server()
                .kernel()
                .failpoints()
                .arm(
                        "billing.captured",
                        () -> {
                            throw new IllegalStateException("the node died here");
                        });
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(500);
        shop.server().kernel().failpoints().disarm("billing.captured");
        assertThat(paypal.captures()).isEqualTo(1);
        assertThat(shop.state(purchase)).isEqualTo("capturing");
        assertThat(Shop.plan(buyer)).isEqualTo("free");
    }

    /// S-18: the money was taken and nothing written. The next verify finds it, at once.
    @Test
    void a_crash_between_capture_and_activation_is_healed_by_the_next_verify() {
        String purchase = shop.approved(buyer, "pro");
        crashAfterCapture(purchase);
        assertThat(Shop.verify(buyer.api(), purchase).text("/plan")).isEqualTo("pro");
        activatedOnce(purchase);
        assertThat(paypal.requests(Operation.CAPTURE)).isEqualTo(1);
    }

    /// S-18: and when the agent never comes back, the server finds it by itself after a minute.
    @Test
    void a_crash_between_capture_and_activation_is_healed_without_anybody_asking() {
        String purchase = shop.approved(buyer, "pro");
        crashAfterCapture(purchase);
        assertThat(shop.settle()).isZero();
        assertThat(shop.state(purchase)).isEqualTo("capturing");
        shop.server().clock().advance(Duration.ofSeconds(61));
        assertThat(shop.settle()).isEqualTo(1);
        assertThat(Shop.plan(buyer)).isEqualTo("pro");
        activatedOnce(purchase);
        assertThat(shop.settle()).isZero();
    }

    /// S-18: a crash before the capture got through. The claim runs out, and the capture is made.
    @Test
    void a_dead_capturers_claim_is_taken_over_once_it_has_run_out() {
        String purchase = shop.approved(buyer, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.STATUS_500);
        shop.server()
                .kernel()
                .failpoints()
                .arm(
                        "billing.captured",
                        () -> {
                            throw new IllegalStateException("the node died here");
                        });
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(500);
        shop.server().kernel().failpoints().disarm("billing.captured");
        assertThat(Shop.verify(buyer.api(), purchase).error()).isEqualTo("payment_pending");
        assertThat(paypal.captures()).isZero();
        shop.server().clock().advance(Duration.ofSeconds(61));
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(200);
        activatedOnce(purchase);
        assertThat(paypal.captureRequestIds()).containsOnly(purchase);
    }

    /// With PayPal away the looks become rarer, and the money is found when it is back.
    @Test
    void a_purchase_is_looked_at_until_it_is_settled_and_ever_less_often() {
        String purchase = shop.approved(buyer, "basic");
        crashAfterCapture(purchase);
        paypal.fail(Operation.LOOK, Fault.STATUS_500);
        int before = paypal.requests(Operation.LOOK);
        for (int minute = 0; minute < 180; minute++) {
            shop.server().clock().advance(Duration.ofMinutes(1));
            assertThat(shop.settle()).isZero();
        }
        assertThat(paypal.requests(Operation.LOOK) - before).isBetween(6, 10);
        paypal.heal();
        shop.server().clock().advance(Duration.ofMinutes(61));
        assertThat(shop.settle()).isEqualTo(1);
        activatedOnce(purchase);
    }

    /// One order that PayPal does not know any more keeps no other from its turn.
    @Test
    void a_purchase_that_cannot_be_settled_keeps_no_other_waiting() {
        String lost = shop.approved(buyer, "basic");
        String lostOrder = paypal.lastOrder();
        crashAfterCapture(lost);
        TaskApi second = shop.buyer();
        String other = shop.approved(second, "basic");
        paypal.failNext(Operation.CAPTURE, Fault.PENDING);
        assertThat(Shop.verify(second.api(), other).error()).isEqualTo("payment_pending");
        paypal.captureStatus(paypal.lastOrder(), "COMPLETED");
        paypal.forget(lostOrder);
        shop.server().clock().advance(Duration.ofMinutes(2));
        assertThat(shop.settle() + shop.settle()).isEqualTo(1);
        assertThat(Shop.plan(second)).isEqualTo("basic");
        assertThat(shop.state(lost)).isEqualTo("capturing");
        Reply reply = Shop.verify(buyer.api(), lost);
        assertThat(reply.error()).isEqualTo("server_error");
    }

    /// Of two nodes one looks.
    @Test
    void two_nodes_settle_a_purchase_once() {
        String purchase = shop.approved(buyer, "basic");
        crashAfterCapture(purchase);
        shop.server().clock().advance(Duration.ofSeconds(61));
        int before = paypal.requests(Operation.LOOK);
        try (OrchestrionServer other = shop.anotherNode()) {
            List<Integer> settled =
                    Parallel.run(
                            2,
                            i ->
                                    () ->
                                            i == 0
                                                    ? shop.settle()
                                                    : other.kernel().sweepOnce("purchase-settler"));
            assertThat(settled.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
        }
        assertThat(paypal.requests(Operation.LOOK)).isEqualTo(before + 1);
        activatedOnce(purchase);
    }

    /// The database going away at the worst moment: the activation is rolled back whole.
    @Test
    void a_failed_activation_leaves_nothing_half_done() {
        String purchase = shop.approved(buyer, "basic");
        paypal.whenCaptured(
                () ->
                        shop.server()
                                .kernel()
                                .failpoints()
                                .arm(
                                        "pool.before-commit",
                                        () -> {
                                            throw new IllegalStateException("no commit");
                                        }));
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(500);
        shop.server().kernel().failpoints().disarm("pool.before-commit");
        paypal.whenCaptured(() -> {});
        assertThat(shop.ledger(purchase)).containsExactly("order_created", "capture_started");
        assertThat(Shop.plan(buyer)).isEqualTo("free");
        assertThat(Shop.verify(buyer.api(), purchase).status()).isEqualTo(200);
        activatedOnce(purchase);
    }

    /// T-189, C-20: two purchases of one account at once lose no day of either.
    @Test
    void two_purchases_at_once_both_count() {
        String first = shop.approved(buyer, "basic");
        String second = shop.approved(buyer, "pro");
        List<Reply> replies =
                Parallel.run(2, i -> () -> Shop.verify(buyer.api(), i == 0 ? first : second));
        assertThat(replies).allMatch(reply -> reply.status() == 200);
        assertThat(
                        (Long)
                                shop.server()
                                        .database()
                                        .value(
                                                "select sum(until_ms - from_ms)::bigint from"
                                                        + " plan_period where account_id = ?",
                                                UUID.fromString(buyer.accountId())))
                .isEqualTo(Duration.ofDays(60).toMillis());
        assertThat(Shop.plan(buyer)).isEqualTo("pro");
    }
}
