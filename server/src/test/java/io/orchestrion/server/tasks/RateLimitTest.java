package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The limits by key, with the numbers of the contract. Those by address have a server of their
/// own, for all tests come from one.
class RateLimitTest {
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

    private static Reply request(Api api, String limit) {
        String task = "/v1/tasks/" + UUID.randomUUID();
        return switch (limit) {
            case RateLimits.CREATE -> api.post("/v1/tasks", TASK);
            case RateLimits.CLAIM -> api.post("/v1/tasks/claim", "{\"type\":\"none\"}");
            case RateLimits.CLAIM_THIS -> api.post(task + "/claim");
            case RateLimits.LIST -> api.get("/v1/tasks");
            case RateLimits.GET -> api.get(task);
            case RateLimits.HEARTBEAT -> api.post(task + "/heartbeat");
            case RateLimits.COMPLETE -> api.post(task + "/complete");
            case RateLimits.FAIL -> api.post(task + "/fail");
            case RateLimits.CANCEL -> api.post(task + "/cancel");
            case RateLimits.REQUEUE -> api.post(task + "/requeue");
            case RateLimits.BILLING -> api.get("/v1/billing/status");
            case RateLimits.KEYS -> api.get("/v1/keys");
            case RateLimits.SCHEDULES -> api.get("/v1/schedules");
            case RateLimits.OPERATIONS -> api.get("/v1/operations");
            case RateLimits.AUDIT -> api.get("/v1/audit");
            case RateLimits.EVENTS -> api.get("/v1/events");
            case RateLimits.CAPABILITIES -> api.get("/v1/capabilities");
            case RateLimits.REGISTER -> api.post("/v1/keys/register");
            default -> throw new IllegalArgumentException(limit);
        };
    }

    /// T-209, T-217 to T-226: the last request that fits passes, the next does not.
    @ParameterizedTest
    @CsvSource({
        "create, free, 120",
        "create, basic, 500",
        "create, pro, 2000",
        "create, agency, 7500",
        "claim, free, 600",
        "claim, basic, 6000",
        "claim, agency, 75000",
        "claim-by-id, free, 600",
        "claim-by-id, pro, 20000",
        "list, free, 3000",
        "list, agency, 3000",
        "events, free, 3600",
        "events, agency, 3600",
        "get, free, 3000",
        "heartbeat, free, 1800",
        "heartbeat, basic, 3600",
        "heartbeat, agency, 18000",
        "complete, free, 600",
        "complete, basic, 1200",
        "complete, agency, 15000",
        "fail, free, 600",
        "fail, pro, 4000",
        "cancel, free, 600",
        "cancel, agency, 600",
        "requeue, free, 600",
        "billing, free, 10",
        "billing, agency, 10",
        "keys, free, 600",
        "operations, free, 1200",
        "audit, agency, 1200"
    })
    void every_endpoint_has_its_number_on_every_plan(String limit, String plan, int max) {
        TaskApi account = server.account(plan);
        counters.ofKey(account, limit, max - 1);
        Reply last = request(account.api(), limit);
        assertThat(last.status()).as(last.text()).isNotEqualTo(429);
        assertThat(last.header("RateLimit-Policy"))
                .contains("\"" + limit + "\";q=" + max + ";w=3600");
        assertThat(last.header("RateLimit")).contains("\"" + limit + "\";r=0");
        refused(request(account.api(), limit));
    }

    /// T-232, T-253.
    private static void refused(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(429);
        assertThat(reply.error()).isEqualTo("rate_limited");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(reply.text("/agent_contract/next_actions/0/action"))
                .isEqualTo("retry_after_wait");
        int wait = reply.number("/agent_contract/next_actions/0/retry_after_seconds");
        assertThat(wait).isPositive();
        assertThat(reply.header("Retry-After")).isEqualTo(String.valueOf(wait));
    }

    /// T-209, T-217: counted by making them.
    @Test
    void the_hundred_and_twentieth_create_is_the_last_of_a_free_hour() {
        TaskApi account = server.account("free");
        for (int i = 0; i < 120; i++) {
            assertThat(request(account.api(), "create").status()).as("create " + i).isEqualTo(201);
        }
        refused(request(account.api(), "create"));
    }

    /// T-218: empty answers count as requests.
    @Test
    void looking_at_an_empty_queue_is_counted() {
        TaskApi account = server.account("free");
        counters.ofKey(account, "claim", 598);
        assertThat(account.claim("none").status()).isEqualTo(200);
        assertThat(account.claim("none").status()).isEqualTo(200);
        refused(account.claim("none"));
    }

    /// T-230, T-231.
    @Test
    void endpoints_and_keys_are_counted_apart() {
        TaskApi one = server.account("free");
        TaskApi other = server.account("free");
        counters.ofKey(one, "list", 3000);
        refused(request(one.api(), "list"));
        assertThat(request(one.api(), "get").status()).isEqualTo(404);
        assertThat(request(other.api(), "list").status()).isEqualTo(200);
    }

    /// T-233.
    @Test
    void after_the_wait_that_was_named_the_request_passes() {
        TaskApi account = server.account("free");
        counters.ofKey(account, "create", 120);
        server.clock().advance(Duration.ofMinutes(10));
        Reply refused = request(account.api(), "create");
        refused(refused);
        server.clock().advance(Duration.ofSeconds(Long.parseLong(refused.header("Retry-After"))));
        assertThat(request(account.api(), "create").status()).isEqualTo(201);
    }

    /// T-234, T-257.
    @Test
    void a_bad_request_is_counted_and_a_refused_one_is_not() {
        TaskApi account = server.account("free");
        counters.ofKey(account, "create", 119);
        assertThat(account.api().post("/v1/tasks", "{}").status()).isEqualTo(400);
        Reply refused = account.api().post("/v1/tasks", "{}");
        refused(refused);
        for (int i = 0; i < 5; i++) {
            refused(account.api().post("/v1/tasks", "{}"));
        }
        server.clock().advance(Duration.ofSeconds(Long.parseLong(refused.header("Retry-After"))));
        assertThat(account.api().post("/v1/tasks", TASK).status()).isEqualTo(201);
    }

    /// T-235, T-171.
    @Test
    void a_rate_limited_create_leaves_nothing_behind_and_its_key_free() {
        TaskApi account = server.account("free");
        counters.ofKey(account, "create", 120);
        Api keyed = account.api().with("Idempotency-Key", "k");
        refused(keyed.post("/v1/tasks", TASK));
        assertThat(new Stored(server).tasksOf(account.accountId())).isZero();
        assertThat(counters.monthOf(account)).isZero();
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from idempotency where account_id = ?",
                                        UUID.fromString(account.accountId())))
                .isZero();
        server.clock().advance(Duration.ofHours(1));
        assertThat(keyed.post("/v1/tasks", TASK).status()).isEqualTo(201);
    }

    /// T-227: all billing endpoints are one limit, by address for who has no key.
    @Test
    void the_billing_endpoints_are_counted_together() {
        TaskApi account = server.account("free");
        List<String> paths =
                List.of("/v1/billing/status", "/v1/billing/plans", "/v1/billing/purchases");
        for (int i = 0; i < 10; i++) {
            assertThat(account.api().get(paths.get(i % 3)).status()).isEqualTo(200);
        }
        refused(account.api().get("/v1/billing/status"));
        refused(account.api().post("/v1/billing/checkout", "{\"planId\":\"basic\"}"));
        refused(account.api().post("/v1/billing/verify", "{}"));
        for (int i = 0; i < 10; i++) {
            assertThat(server.anonymous().get("/v1/billing/plans").status()).isEqualTo(200);
        }
        refused(server.anonymous().get("/v1/billing/plans"));
    }

    /// L-020: what is left can be read before anything is refused.
    @Test
    void the_status_shows_what_is_left_of_every_limit() {
        TaskApi account = server.account("free");
        counters.ofKey(account, "create", 17);
        account.create("t");
        Reply status = account.api().get("/v1/billing/status");
        JsonNode create =
                status.at("/rateLimits").values().stream()
                        .filter(limit -> limit.get("name").asString().equals("create"))
                        .findFirst()
                        .orElseThrow();
        assertThat(create.get("max").asInt()).isEqualTo(120);
        assertThat(create.get("used").asInt()).isEqualTo(18);
        assertThat(create.get("remaining").asInt()).isEqualTo(102);
        assertThat(server.account().api().get("/v1/billing/status").at("/rateLimits")).isEmpty();
    }

    /// Several keys of one account do not multiply what its plan sells.
    @Test
    void the_creates_of_all_keys_together_are_bounded_by_the_plan() {
        TaskApi account = server.account("free");
        counters.ofAccount(account, "create-account", 120);
        refused(request(account.api(), "create"));
    }

    /// T-210: granted claims have a meter of their own.
    @ParameterizedTest
    @CsvSource({"free, 120", "basic, 1200", "pro, 4000", "agency, 15000"})
    void a_plan_bounds_the_claims_that_are_granted(String plan, int max) {
        TaskApi account = server.account(plan);
        String first = account.create("t");
        String second = account.create("t");
        counters.ofAccount(account, "claims-granted", max - 1);
        assertThat(account.claim("t").text("/task/id")).isEqualTo(first);
        account.verb(first, "complete");
        refused(account.claim("t"));
        refused(account.verb(second, "claim"));
        server.clock().advance(Duration.ofHours(1));
        assertThat(account.verb(second, "claim").status()).isEqualTo(200);
    }

    /// T-210, in parallel: of twenty claims with three left, three are granted.
    @Test
    void parallel_claims_never_get_more_than_the_hour_has_left() {
        TaskApi account = server.account("agency");
        for (int i = 0; i < 20; i++) {
            account.create("t");
        }
        counters.ofAccount(account, "claims-granted", 15_000 - 3);
        List<Reply> replies = Parallel.run(20, _ -> () -> account.claim("t"));
        assertThat(replies.stream().filter(reply -> !reply.text("/task/id").isEmpty())).hasSize(3);
        List<Reply> refused = replies.stream().filter(reply -> reply.status() == 429).toList();
        assertThat(refused).hasSize(17);
        // Nothing leaves the window within the hour, and nobody is told to come back sooner.
        assertThat(refused).allMatch(reply -> Integer.parseInt(reply.header("Retry-After")) > 3500);
    }

    /// The unlimited plan costs no counting, so it leaves no counter.
    @Test
    void an_unlimited_account_is_not_counted_at_all() {
        TaskApi account = server.account();
        for (String limit : List.of("create", "claim", "list", "get", "heartbeat")) {
            Reply reply = request(account.api(), limit);
            assertThat(reply.header("RateLimit")).isEmpty();
        }
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from allowance where account_id = ?",
                                        UUID.fromString(account.accountId())))
                .isZero();
        assertThat(counters.monthOf(account)).isZero();
    }

    /// T-216, T-228, T-229, T-231, T-236 and L-002 on a server with the contract's limits by
    /// address.
    @Test
    void addresses_are_counted_by_themselves_and_over_restarts() throws Exception {
        try (var strict =
                new TestServer(options -> options, options -> options.withLimits(Doors.LIMITS))) {
            var byHand = new Counters(strict);
            for (int i = 0; i < 10; i++) {
                assertThat(request(strict.anonymous(), "register").status()).isEqualTo(201);
            }
            refused(request(strict.anonymous(), "register"));
            refused(request(strict.anonymous().with("X-Forwarded-For", "203.0.113.7"), "register"));
            assertThat(statusFrom("127.0.0.9", strict.port())).isEqualTo(201);

            OrchestrionServer restarted =
                    OrchestrionServer.start(
                            strict.kernel().anotherNode(options -> options),
                            TestServer.options().withLimits(Doors.LIMITS));
            try (restarted) {
                refused(request(Api.on(restarted.port(), ResponseCheck.NONE), "register"));
            }

            // T-228: by the minute.
            byHand.ofAddress("127.0.0.1", "capabilities", 1000, 59);
            assertThat(request(strict.anonymous(), "capabilities").status()).isEqualTo(200);
            Reply many = request(strict.anonymous(), "capabilities");
            refused(many);
            assertThat(Integer.parseInt(many.header("Retry-After"))).isBetween(1, 60);

            TaskApi free = strict.account("free");
            TaskApi paid = strict.account("basic");
            byHand.ofAddress("127.0.0.1", "everything", 60_000, 5999);
            assertThat(request(free.api(), "list").status()).isEqualTo(200);
            refused(request(free.api(), "list"));
            refused(strict.anonymous().get("/v1/tasks"));
            refused(strict.anonymous().withKey("orch_live_nonsense").get("/v1/tasks"));
            assertThat(request(paid.api(), "list").status()).isEqualTo(200);
            assertThat(strict.anonymous().get("/health").status()).isIn(200, 503);
            assertThat(statusFrom("127.0.0.8", strict.port())).isEqualTo(201);
        }
    }

    private static int statusFrom(String address, int port)
            throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().localAddress(InetAddress.getByName(address)).build()) {
            return client.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "http://127.0.0.1:"
                                                            + port
                                                            + "/v1/keys/register"))
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.ofString())
                    .statusCode();
        }
    }

    /// L-001: the two nodes count together.
    @Test
    void two_nodes_share_every_counter() {
        TaskApi account = server.account("free");
        OrchestrionServer node =
                OrchestrionServer.start(
                        server.kernel().anotherNode(options -> options), TestServer.options());
        try (node) {
            Api there = Api.on(node.port(), ResponseCheck.NONE).withKey(account.key());
            List<Integer> statuses =
                    Parallel.run(
                            150,
                            i ->
                                    () ->
                                            request(i % 2 == 0 ? account.api() : there, "create")
                                                    .status());
            assertThat(statuses.stream().filter(status -> status == 201)).hasSize(120);
            assertThat(statuses.stream().filter(status -> status == 429)).hasSize(30);
            refused(request(there, "create"));
        }
        assertThat(counters.monthOf(account)).isEqualTo(120);
    }

    /// T-308: a number changed in the configuration is the number enforced.
    @Test
    void a_changed_limit_is_enforced_as_changed() {
        try (var changed =
                new TestServer(
                        options -> options,
                        options -> options.withLimits(Doors.LIMITS.with(Map.of("list", 2))))) {
            TaskApi account = changed.account("free");
            assertThat(request(account.api(), "list").status()).isEqualTo(200);
            assertThat(request(account.api(), "list").status()).isEqualTo(200);
            refused(request(account.api(), "list"));
        }
    }
}
