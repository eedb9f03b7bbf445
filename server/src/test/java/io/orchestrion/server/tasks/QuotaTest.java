package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Tasks a month, by plan.
class QuotaTest {
    private static final String TASK = "{\"type\":\"t\",\"payload\":{}}";
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final Counters counters = new Counters(server);

    private static Reply create(TaskApi account) {
        return account.api().post("/v1/tasks", TASK);
    }

    /// T-249, T-288, T-290.
    private static void overQuota(Reply reply) {
        refusedWith(reply, "quota_exceeded", "upgrade_plan");
    }

    private static void refusedWith(Reply reply, String error, String action) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(402);
        assertThat(reply.error()).isEqualTo(error);
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isFalse();
        assertThat(reply.text("/agent_contract/next_actions/0/action")).isEqualTo(action);
        assertThat(reply.text("/agent_contract/next_actions/0/endpoint"))
                .isEqualTo("/v1/billing/checkout");
        assertThat(reply.text("/agent_contract/next_actions/1/action"))
                .isEqualTo("check_billing_status");
    }

    /// T-204 to T-207.
    @ParameterizedTest
    @CsvSource({"free, 200", "basic, 5000", "pro, 25000", "agency, 150000"})
    void the_last_task_of_the_month_is_created_and_the_next_refused(String plan, int max) {
        TaskApi account = server.account(plan);
        counters.monthOf(account, max - 1);
        assertThat(create(account).status()).isEqualTo(201);
        overQuota(create(account));
        assertThat(new Stored(server).tasksOf(account.accountId())).isEqualTo(1);
        assertThat(counters.monthOf(account)).isEqualTo(max);
    }

    /// T-204: counted by making them; only the rate of the hour is put back meanwhile.
    @Test
    void two_hundred_tasks_fit_into_a_free_month() {
        TaskApi account = server.account("free");
        for (int i = 0; i < 200; i++) {
            if (i == 100) {
                counters.ofKey(account, "create", 0);
                counters.ofAccount(account, "create-account", 0);
            }
            assertThat(create(account).status()).as("create " + i).isEqualTo(201);
        }
        overQuota(create(account));
    }

    /// T-208.
    @Test
    void parallel_creates_fill_the_month_exactly() {
        TaskApi account = server.account("free");
        counters.monthOf(account, 195);
        List<Reply> replies = Parallel.run(20, _ -> () -> create(account));
        assertThat(replies.stream().filter(reply -> reply.status() == 201)).hasSize(5);
        assertThat(replies.stream().filter(reply -> reply.status() == 402)).hasSize(15);
        assertThat(new Stored(server).tasksOf(account.accountId())).isEqualTo(5);
        assertThat(counters.monthOf(account)).isEqualTo(200);
    }

    /// The month is the calendar's, in UTC.
    @Test
    void a_new_month_starts_from_nothing() {
        TaskApi account = server.account("free");
        counters.monthOf(account, 200);
        overQuota(create(account));
        server.clock().advance(Duration.ofDays(31));
        assertThat(create(account).status()).isEqualTo(201);
    }

    /// T-145.
    @Test
    void requeueing_costs_nothing_of_the_month() {
        TaskApi account = server.account("free");
        String id = account.create("t", "\"maxAttempts\":1");
        account.verb(id, "claim");
        account.verb(id, "fail");
        counters.monthOf(account, 200);
        assertThat(account.verb(id, "requeue").status()).isEqualTo(200);
        assertThat(counters.monthOf(account)).isEqualTo(200);
    }

    /// T-172, T-258.
    @Test
    void a_repeated_request_is_answered_although_the_month_is_used_up() {
        TaskApi account = server.account("free");
        Api keyed = account.api().with("Idempotency-Key", "once");
        Reply first = keyed.post("/v1/tasks", TASK);
        assertThat(counters.monthOf(account)).isEqualTo(1);
        assertThat(keyed.post("/v1/tasks", TASK).text()).isEqualTo(first.text());
        assertThat(counters.monthOf(account)).isEqualTo(1);
        counters.monthOf(account, 200);
        Reply again = keyed.post("/v1/tasks", TASK);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.text()).isEqualTo(first.text());
    }

    /// T-171: over quota leaves no task, no key and no use.
    @Test
    void a_create_over_quota_does_not_use_up_its_key() {
        TaskApi account = server.account("free");
        counters.monthOf(account, 200);
        Api keyed = account.api().with("Idempotency-Key", "later");
        overQuota(keyed.post("/v1/tasks", TASK));
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from idempotency where account_id = ?",
                                        UUID.fromString(account.accountId())))
                .isZero();
        counters.monthOf(account, 10);
        assertThat(keyed.post("/v1/tasks", TASK).status()).isEqualTo(201);
    }

    private void paidUntil(TaskApi account, String plan, Duration fromNow) {
        counters.paid(account, plan, fromNow.minusDays(30), fromNow);
    }

    /// T-194, T-195, T-250, T-289.
    @Test
    void an_expired_plan_is_told_from_a_used_up_one() {
        TaskApi account = server.account("free");
        paidUntil(account, "basic", Duration.ofMinutes(5));
        counters.monthOf(account, 300);
        String held = account.create("t");
        assertThat(account.verb(held, "claim").status()).isEqualTo(200);
        String other = account.create("t");

        server.clock().advance(Duration.ofMinutes(6));
        counters.monthOf(account, 302);
        refusedWith(create(account), "plan_expired", "renew_plan");
        counters.monthOf(account, 5000);
        overQuota(create(account));

        assertThat(account.verb(held, "heartbeat").status()).isEqualTo(409);
        assertThat(account.verb(other, "claim").status()).isEqualTo(200);
        assertThat(account.verb(other, "heartbeat").status()).isEqualTo(200);
        assertThat(account.get(other).status()).isEqualTo(200);
        assertThat(account.verb(other, "fail").status()).isEqualTo(200);
        assertThat(account.verb(other, "claim").status()).isEqualTo(200);
        assertThat(account.verb(other, "complete").status()).isEqualTo(200);
    }

    /// T-194: rates and workers fall back, too, and keep their own words.
    @Test
    void after_expiry_the_free_limits_hold_at_the_next_request() {
        TaskApi account = server.account("free");
        paidUntil(account, "basic", Duration.ofMinutes(5));
        counters.ofKey(account, "create", 200);
        // Held for longer than the plan lasts.
        for (int i = 0; i < 5; i++) {
            account.create("t", "\"leaseDurationSeconds\":3600");
        }
        var held = new ArrayList<String>();
        for (int i = 0; i < 3; i++) {
            held.add(account.claim("t").text("/task/id"));
        }
        assertThat(held).doesNotContain("");
        server.clock().advance(Duration.ofSeconds(299));
        assertThat(create(account).status()).isEqualTo(201);
        server.clock().advance(Duration.ofSeconds(2));
        assertThat(create(account).error()).isEqualTo("rate_limited");
        assertThat(account.claim("t").error()).isEqualTo("max_workers_reached");
        // What is held may be finished, and two at once are what is left.
        assertThat(account.verb(held.get(0), "heartbeat").status()).isEqualTo(200);
        assertThat(account.verb(held.get(0), "complete").status()).isEqualTo(200);
        assertThat(account.claim("t").error()).isEqualTo("max_workers_reached");
        assertThat(account.verb(held.get(1), "fail").status()).isEqualTo(200);
        assertThat(account.claim("t").text("/task/id")).isNotEmpty();
    }
}
