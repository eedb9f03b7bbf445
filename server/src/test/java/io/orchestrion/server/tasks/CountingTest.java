package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.limits.RateLimiter;
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

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/// Counting by two nodes, each with a single connection for all that is not a lane.
class CountingTest {
    private static final String TASK = "{\"type\":\"t\",\"payload\":{}}";
    private static final int LEFT = 23;
    private static final int ASKED = 40;

    private static TestServer server;
    private static Kernel otherKernel;
    private static OrchestrionServer other;

    @BeforeAll
    static void start() {
        server = new TestServer(CountingTest::small);
        otherKernel = server.kernel().anotherNode(CountingTest::small);
        other = OrchestrionServer.start(otherKernel, TestServer.options());
    }

    @AfterAll
    static void stop() {
        other.close();
        server.close();
    }

    private static KernelOptions small(KernelOptions options) {
        // Nobody gives up while a test holds something.
        return options.withDatabase(
                options.database().withPoolSize(1).withLockTimeout(Duration.ofMinutes(1)));
    }

    private static RateLimiter limiter(Kernel kernel, RateLimits limits) {
        return new RateLimiter(limits, kernel.allowances(), kernel.standings(), kernel.database());
    }

    /// L-001: of what comes to two nodes at the same moment, exactly as many pass as the window
    /// holds, whatever it counts by: an address (over an hour, over a minute, over all routes), a
    /// key, all keys of an account, a client (over a minute, over a day).
    @ParameterizedTest
    @CsvSource({
        "register, register, address",
        "capabilities, capabilities, address",
        "'', everything, address",
        "list, list, key",
        "complete, complete, key",
        "create, create, keys",
        "jobs, jobs, client",
        "jobs, jobs-quota, client"
    })
    void two_nodes_let_exactly_as_many_pass_as_a_window_holds(
            String counted, String bounded, String by) {
        // A fixed limit is set; what a plan sets is the plan's, of which the rest is used up.
        RateLimits limits =
                Set.of("create", "complete").contains(bounded)
                        ? Doors.LIMITS
                        : Doors.LIMITS.with(Map.of(bounded, LEFT));
        Registration account = server.kernel().kernel().identity().register("counted", "free");
        var callers =
                Stream.of(account.keyId(), UUID.randomUUID())
                        .map(key -> new Principal(account.accountId(), key, Set.of()))
                        .toList();
        String address = "192.0.2." + Math.floorMod(bounded.hashCode(), 256);
        List<RateLimiter> nodes =
                List.of(limiter(server.kernel().kernel(), limits), limiter(otherKernel, limits));
        var task = new TaskApi(server.anonymous(), "", account.accountId().toString());
        if (bounded.equals("create")) {
            new Counters(server).ofAccount(task, "create-account", 120 - LEFT);
        } else if (bounded.equals("complete")) {
            new Counters(server).ofKey(task, "complete", 600 - LEFT);
        }
        List<RateLimiter.Verdict> verdicts =
                Parallel.run(
                        ASKED,
                        i ->
                                () ->
                                        nodes.get(i % 2)
                                                .count(
                                                        counted,
                                                        address,
                                                        switch (by) {
                                                            case "address" -> null;
                                                            case "key" -> callers.getFirst();
                                                            default -> callers.get(i / 2 % 2);
                                                        }));
        assertThat(verdicts.stream().filter(one -> one.refusal() == null)).hasSize(LEFT);
        assertThat(verdicts.stream().filter(one -> one.refusal() != null))
                .hasSize(ASKED - LEFT)
                .allSatisfy(
                        one -> {
                            assertThat(one.waitMs()).isPositive();
                            // What is counted over all keys is not shown of one.
                            assertThat(one.headers().get("RateLimit"))
                                    .matches(
                                            shown ->
                                                    shown.contains(";r=0;t=") || by.equals("keys"));
                        });
    }

    /// L-001: a crowd of one account does not use up the connections of the others.
    @Test
    void one_connection_in_the_pool_is_enough_for_a_crowd_of_one_account() {
        TaskApi account = server.account("free");
        Api there = Api.on(other.port(), ResponseCheck.NONE).withKey(account.key());
        List<Integer> statuses =
                Parallel.run(
                        150,
                        i ->
                                () ->
                                        (i % 2 == 0 ? account.api() : there)
                                                .post("/v1/tasks", TASK)
                                                .status());
        assertThat(statuses.stream().filter(status -> status == 201)).hasSize(120);
        assertThat(statuses.stream().filter(status -> status == 429)).hasSize(30);
    }

    @Test
    void a_counter_that_another_session_holds_delays_its_account_only() throws Exception {
        TaskApi stuck = server.account("free");
        TaskApi free = server.account("free");
        assertThat(stuck.api().post("/v1/tasks", TASK).status()).isEqualTo(201);
        List<CompletableFuture<Reply>> waiting;
        try (Connection session = server.database().connect()) {
            session.setAutoCommit(false);
            try (var lock =
                    session.prepareStatement(
                            "select from allowance where account_id = ? for update")) {
                lock.setObject(1, UUID.fromString(stuck.accountId()));
                assertThat(lock.executeQuery().next()).isTrue();
            }
            waiting =
                    Stream.generate(
                                    () ->
                                            CompletableFuture.supplyAsync(
                                                    () -> stuck.api().post("/v1/tasks", TASK),
                                                    task -> Thread.ofVirtual().start(task)))
                            .limit(5)
                            .toList();
            // Counted, and with the one connection of the pool.
            assertThat(free.api().post("/v1/tasks", TASK).status()).isEqualTo(201);
            assertThat(free.claim("t").text("/task/id")).isNotEmpty();
            assertThat(free.api().get("/v1/tasks").status()).isEqualTo(200);
            // The held one's own, of which another counter is asked for, and what only looks.
            assertThat(stuck.api().get("/v1/billing/status").status()).isEqualTo(200);
        }
        assertThat(waiting.stream().map(CompletableFuture::join))
                .allSatisfy(reply -> assertThat(reply.status()).as(reply.text()).isEqualTo(201));
    }
}
