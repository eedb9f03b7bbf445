package io.orchestrion.server.checkout;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.Shop;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.tasks.Stored;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// What is for sale, and what an account has of it.
class BillingPlansTest {
    private static final Duration MONTH = Duration.ofDays(30);

    private static Shop shop;

    @BeforeAll
    static void start() {
        shop = new Shop();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private final TaskApi buyer = shop.buyer();

    private static List<String> actions(Reply reply) {
        return reply.at("/agent_contract/next_actions").values().stream()
                .map(action -> action.get("action").asString())
                .toList();
    }

    /// T-021, T-175, T-176, T-177, T-178: without a key.
    @ParameterizedTest
    @CsvSource({
        "0, free, Free, 0, 2, 200, 120, 120, 7, false",
        "1, basic, Basic, 9.99, 10, 5000, 1200, 500, 30, true",
        "2, pro, Pro, 24.99, 25, 25000, 4000, 2000, 60, true",
        "3, agency, Agency, 59.99, 50, 150000, 15000, 7500, 90, true",
    })
    void the_four_plans_are_listed(
            int at,
            String id,
            String name,
            BigDecimal price,
            int workers,
            int tasks,
            int claims,
            int creates,
            int days,
            boolean purchasable) {
        Reply reply = shop.server().anonymous().get("/v1/billing/plans");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.at("/plans").size()).isEqualTo(4);
        JsonNode plan = reply.at("/plans/" + at);
        assertThat(plan.get("id").asString()).isEqualTo(id);
        assertThat(plan.get("name").asString()).isEqualTo(name);
        assertThat(plan.get("priceUsd").decimalValue()).isEqualByComparingTo(price);
        assertThat(plan.get("maxWorkers").asInt()).isEqualTo(workers);
        assertThat(plan.get("maxTasksPerMonth").asInt()).isEqualTo(tasks);
        assertThat(plan.get("maxClaimsPerHour").asInt()).isEqualTo(claims);
        assertThat(plan.get("maxCreatesPerHour").asInt()).isEqualTo(creates);
        assertThat(plan.get("retentionDays").asInt()).isEqualTo(days);
        assertThat(plan.get("purchasable").asBoolean()).isEqualTo(purchasable);
        assertThat(reply.number("/planDurationDays")).isEqualTo(30);
        assertThat(actions(reply)).contains("upgrade_plan");
    }

    /// T-032, T-179, T-180.
    @Test
    void a_new_account_is_on_the_free_plan_with_nothing_used() {
        String id =
                shop.server()
                        .anonymous()
                        .withKey(
                                shop.server().anonymous().post("/v1/keys/register").text("/apiKey"))
                        .get("/v1/billing/status")
                        .text("/plan");
        assertThat(id).isEqualTo("free");
        Reply status = Shop.status(buyer);
        assertThat(status.text("/plan")).isEqualTo("free");
        assertThat(status.at("/planExpiresAt").isNull()).isTrue();
        assertThat(status.at("/periods").size()).isZero();
        assertThat(status.number("/usage/tasksThisMonth")).isZero();
        assertThat(status.number("/usage/activeWorkers")).isZero();
        limits(status, 2, 200, 120, 120, 7);
        assertThat(status.number("/remaining/tasksThisMonth")).isEqualTo(200);
        assertThat(status.number("/remaining/workers")).isEqualTo(2);
        assertThat(actions(status)).contains("upgrade_plan");
    }

    private static void limits(
            Reply status, int workers, int tasks, int claims, int creates, int days) {
        assertThat(status.number("/limits/maxWorkers")).isEqualTo(workers);
        assertThat(status.number("/limits/maxTasksPerMonth")).isEqualTo(tasks);
        assertThat(status.number("/limits/maxClaimsPerHour")).isEqualTo(claims);
        assertThat(status.number("/limits/maxCreatesPerHour")).isEqualTo(creates);
        assertThat(status.number("/limits/retentionDays")).isEqualTo(days);
    }

    /// T-180: what is used and what is left, in the month that is shown.
    @Test
    void usage_and_what_is_left_are_told() {
        buyer.create("work");
        buyer.create("work");
        buyer.claim("work");
        Reply before = Shop.status(buyer);
        Instant start = Instant.parse(before.text("/month/start"));
        Instant end = Instant.parse(before.text("/month/end"));
        Instant now = Instant.ofEpochMilli(new Stored(shop.server()).nowMs());
        assertThat(now).isAfterOrEqualTo(start).isBefore(end);
        assertThat(Duration.between(start, end).toDays()).isBetween(28L, 31L);
        assertThat(start.toString()).endsWith("-01T00:00:00Z");
        int month = Integer.parseInt(start.toString().substring(0, 7).replace("-", ""));
        shop.server()
                .database()
                .execute(
                        "insert into usage_month as u values (?, ?, 7) on conflict (account_id,"
                                + " month) do update set tasks = 7",
                        UUID.fromString(buyer.accountId()),
                        month);
        Reply status = Shop.status(buyer);
        assertThat(status.number("/usage/tasksThisMonth")).isEqualTo(7);
        assertThat(status.number("/remaining/tasksThisMonth")).isEqualTo(193);
        assertThat(status.number("/usage/activeWorkers")).isEqualTo(1);
        assertThat(status.number("/remaining/workers")).isEqualTo(1);
        shop.server().clock().advance(Duration.ofSeconds(301));
        assertThat(Shop.status(buyer).number("/usage/activeWorkers")).isZero();
        shop.server().clock().advance(Duration.ofDays(31));
        Reply later = Shop.status(buyer);
        assertThat(later.text("/month/start")).isNotEqualTo(start.toString());
        assertThat(later.number("/usage/tasksThisMonth")).isZero();
    }

    @Test
    void the_unlimited_plan_has_no_numbers_and_nothing_to_buy() {
        Reply status = Shop.status(shop.server().account());
        assertThat(status.text("/plan")).isEqualTo("unlimited");
        for (String field :
                List.of(
                        "/usage/tasksThisMonth",
                        "/limits/maxWorkers",
                        "/limits/maxTasksPerMonth",
                        "/limits/retentionDays",
                        "/remaining/tasksThisMonth",
                        "/remaining/workers")) {
            assertThat(status.at(field).isNull()).as(field).isTrue();
        }
        assertThat(actions(status)).doesNotContain("upgrade_plan");
    }

    /// T-180, T-185, T-186.
    @Test
    void a_first_purchase_is_in_force_for_exactly_thirty_days() {
        Reply bought = shop.buy(buyer, "basic");
        String activated =
                buyer.api().get("/v1/billing/purchases").text("/purchases/0/activatedAt");
        String end = Instant.parse(activated).plus(MONTH).toString();
        assertThat(Instant.parse(bought.text("/planExpiresAt"))).isEqualTo(end);
        Reply status = Shop.status(buyer);
        assertThat(status.text("/plan")).isEqualTo("basic");
        assertThat(Instant.parse(status.text("/planExpiresAt"))).isEqualTo(end);
        assertThat(status.at("/periods").size()).isEqualTo(1);
        limits(status, 10, 5000, 1200, 500, 30);
    }

    /// T-187: the days that are left are not lost.
    @Test
    void buying_again_adds_thirty_days_to_the_end() {
        Instant first = Instant.parse(shop.buy(buyer, "pro").text("/planExpiresAt"));
        shop.server().clock().advance(Duration.ofDays(10));
        Instant second = Instant.parse(shop.buy(buyer, "pro").text("/planExpiresAt"));
        assertThat(second).isEqualTo(first.plus(MONTH));
        shop.server().clock().advance(Duration.ofDays(51));
        Reply late = shop.buy(buyer, "pro");
        Instant activated =
                Instant.parse(
                        buyer.api().get("/v1/billing/purchases").text("/purchases/0/activatedAt"));
        assertThat(activated).isAfter(second);
        assertThat(Instant.parse(late.text("/planExpiresAt"))).isEqualTo(activated.plus(MONTH));
    }

    /// T-197, C-20.
    @Test
    void a_higher_tier_counts_at_once_and_a_lower_one_after_it() {
        Instant first = Instant.parse(shop.buy(buyer, "basic").text("/planExpiresAt"));
        Reply higher = shop.buy(buyer, "agency");
        assertThat(higher.text("/plan")).isEqualTo("agency");
        assertThat(Instant.parse(higher.text("/planExpiresAt"))).isEqualTo(first.plus(MONTH));
        Reply lower = shop.buy(buyer, "basic");
        assertThat(lower.text("/plan")).isEqualTo("agency");
        assertThat(lower.text("/purchasedPlan")).isEqualTo("basic");
        assertThat(Instant.parse(lower.text("/planExpiresAt")))
                .isEqualTo(first.plus(MONTH).plus(MONTH));
        assertThat(lower.at("/periods").size()).isEqualTo(2);
        shop.server().clock().advance(MONTH);
        Reply status = Shop.status(buyer);
        assertThat(status.text("/plan")).isEqualTo("basic");
        assertThat(status.text("/planExpiresAt")).isEqualTo(lower.text("/planExpiresAt"));
    }

    /// C-04: an end needs no error and no action.
    @Test
    void after_its_end_the_account_is_on_free_and_may_renew() {
        shop.buy(buyer, "basic");
        shop.server().clock().advance(MONTH);
        Reply status = Shop.status(buyer);
        assertThat(status.text("/plan")).isEqualTo("free");
        assertThat(status.at("/planExpiresAt").isNull()).isTrue();
        assertThat(status.at("/periods").size()).isZero();
        limits(status, 2, 200, 120, 120, 7);
        assertThat(actions(status)).containsExactly("renew_plan", "upgrade_plan");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /v1/billing/status",
        "POST, /v1/billing/checkout",
        "POST, /v1/billing/verify",
        "GET, /v1/billing/purchases",
        "POST, /v1/billing/orders/x/approve",
    })
    void all_but_the_plans_ask_for_a_key(String method, String path) {
        assertThat(shop.server().anonymous().send(method, path, null).error())
                .isEqualTo("missing_api_key");
    }
}
