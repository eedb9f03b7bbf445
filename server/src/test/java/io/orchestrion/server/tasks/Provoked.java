package io.orchestrion.server.tasks;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.types.LimitedType;
import io.orchestrion.testkit.Reply;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Every error that can be brought about today, each by the plainest way to it.
public final class Provoked {
    static final List<String> CODES =
            List.of(
                    "missing_api_key",
                    "invalid_api_key",
                    "invalid_request",
                    "task_not_found",
                    "invalid_transition",
                    "lease_expired",
                    "task_currently_claimed",
                    "not_yet_claimable",
                    "idempotency_conflict",
                    "idempotency_in_flight",
                    "server_error",
                    "not_found",
                    "method_not_allowed",
                    "insufficient_scope",
                    "key_not_found",
                    "last_key",
                    "quota_exceeded",
                    "plan_expired",
                    "max_workers_reached",
                    "payment_failed",
                    "rate_limited",
                    "operation_not_found",
                    "too_many_operations",
                    "concurrency_limited",
                    "start_rate_limited",
                    "unique_conflict");
    public static final String SECRET =
            "secret: select * from work; at io.orchestrion.Inner(Inner.java:1)";

    private static final String CREATE = "{\"type\":\"p\",\"payload\":{}}";

    private Provoked() {}

    public static Reply reply(TestServer server, TaskApi tasks, String code) {
        return switch (code) {
            case "missing_api_key" -> server.anonymous().post("/v1/tasks", CREATE);
            case "invalid_api_key" -> server.anonymous().withKey("wrong").post("/v1/tasks", CREATE);
            case "invalid_request" -> tasks.api().post("/v1/tasks", "{}");
            case "task_not_found" -> tasks.get(Requests.NO_TASK);
            case "invalid_transition" -> tasks.verb(tasks.create("p"), "complete");
            case "lease_expired" -> leaseExpired(server, tasks);
            case "task_currently_claimed" -> {
                String id = tasks.create("p");
                tasks.verb(id, "claim");
                yield tasks.verb(id, "claim");
            }
            case "not_yet_claimable" -> {
                String id = tasks.create("p");
                tasks.verb(id, "claim");
                tasks.verb(id, "fail", "{\"retry_after_seconds\":60}");
                yield tasks.verb(id, "claim");
            }
            case "idempotency_conflict" -> {
                var keyed = tasks.api().with("Idempotency-Key", "k");
                keyed.post("/v1/tasks", CREATE);
                yield keyed.post("/v1/tasks", "{\"type\":\"q\",\"payload\":{}}");
            }
            case "idempotency_in_flight" -> inFlight(server, tasks);
            case "server_error" -> serverError(server, tasks);
            // Under /v1 it is told in the words of the jobs door as well.
            case "not_found" -> tasks.api().get("/nothing");
            case "method_not_allowed" -> tasks.api().send("DELETE", "/v1/tasks", null);
            case "insufficient_scope" -> {
                String scoped = "{\"name\":\"p\",\"scopes\":[\"worker\"]}";
                String key = tasks.api().post("/v1/keys", scoped).text("/apiKey");
                yield server.anonymous().withKey(key).post("/v1/tasks", CREATE);
            }
            case "concurrency_limited", "start_rate_limited" -> keyBusy(server, tasks, code);
            case "key_not_found" -> tasks.api().get("/v1/keys/" + Requests.NO_TASK);
            case "last_key" -> {
                String own = tasks.api().get("/v1/keys").text("/keys/0/id");
                yield tasks.api().send("DELETE", "/v1/keys/" + own, null);
            }
            case "quota_exceeded" -> {
                free(server, tasks).monthOf(tasks, 200);
                yield tasks.api().post("/v1/tasks", CREATE);
            }
            case "plan_expired" -> planExpired(server, tasks);
            case "max_workers_reached" -> {
                free(server, tasks);
                for (int i = 0; i < 2; i++) {
                    tasks.create("p");
                    tasks.claim("p");
                }
                yield tasks.claim("p");
            }
            case "unique_conflict" -> {
                String unique = "{\"type\":\"p\",\"payload\":{},\"unique\":{\"key\":\"k\"}}";
                tasks.api().post("/v1/tasks", unique);
                yield tasks.api().post("/v1/tasks", unique);
            }
            case "payment_failed" -> {
                free(server, tasks);
                String purchase =
                        tasks.api()
                                .post("/v1/billing/checkout", "{\"planId\":\"pro\"}")
                                .text("/purchaseId");
                yield tasks.api()
                        .post("/v1/billing/verify", "{\"purchaseId\":\"%s\"}".formatted(purchase));
            }
            case "rate_limited" -> {
                free(server, tasks).ofKey(tasks, "create", 120);
                yield tasks.api().post("/v1/tasks", CREATE);
            }
            case "operation_not_found" -> tasks.api().get("/v1/operations/" + Requests.NO_TASK);
            case "too_many_operations" -> {
                String cancel = "{\"action\":\"cancel\",\"filter\":{\"type\":\"none\"}}";
                for (int i = 0; i < 10; i++) {
                    tasks.api().post("/v1/operations", cancel);
                }
                yield tasks.api().post("/v1/operations", cancel);
            }
            default -> throw new IllegalArgumentException(code);
        };
    }

    private static Reply planExpired(TestServer server, TaskApi tasks) {
        Counters counters = free(server, tasks);
        counters.paid(tasks, "basic", Duration.ofDays(-30), Duration.ofDays(-1));
        counters.monthOf(tasks, 200);
        return tasks.api().post("/v1/tasks", CREATE);
    }

    /// Puts the account on the free plan, which has limits to meet.
    private static Counters free(TestServer server, TaskApi tasks) {
        server.database()
                .execute(
                        "update account set plan = 'free' where account_id = ?::uuid",
                        tasks.accountId());
        return new Counters(server);
    }

    private static Reply keyBusy(TestServer server, TaskApi tasks, String code) {
        LimitedType.set(server, tasks, "limited", 1, null);
        if (code.startsWith("start")) {
            LimitedType.set(server, tasks, "limited", null, 1);
        }
        String keys = "\"concurrencyKey\":\"k\",\"rateKey\":\"k\"";
        tasks.create("limited", keys);
        String second = tasks.create("limited", keys);
        tasks.claim("limited");
        return tasks.verb(second, "claim");
    }

    private static Reply leaseExpired(TestServer server, TaskApi tasks) {
        String id = tasks.create("p", "\"leaseDurationSeconds\":30");
        tasks.verb(id, "claim");
        server.clock().advance(Duration.ofSeconds(31));
        return tasks.verb(id, "complete");
    }

    /// The first request stands still just before its commit.
    private static Reply inFlight(TestServer server, TaskApi tasks) {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var keyed = tasks.api().with("Idempotency-Key", "k");
        server.kernel()
                .failpoints()
                .arm(
                        "submit-keyed.before-commit",
                        () -> {
                            entered.countDown();
                            release.await(30, TimeUnit.SECONDS);
                        });
        Thread first = Thread.ofVirtual().start(() -> keyed.post("/v1/tasks", CREATE));
        try {
            if (!entered.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("the first request did not get to its commit");
            }
            Reply second = keyed.post("/v1/tasks", CREATE);
            release.countDown();
            first.join();
            return second;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            server.kernel().failpoints().disarm("submit-keyed.before-commit");
            release.countDown();
        }
    }

    private static Reply serverError(TestServer server, TaskApi tasks) {
        server.kernel().failpoints().arm("submit.before-commit", Provoked::breakDown);
        try {
            return tasks.api().post("/v1/tasks", CREATE);
        } finally {
            server.kernel().failpoints().disarm("submit.before-commit");
        }
    }

    private static void breakDown() {
        throw new IllegalStateException(SECRET);
    }
}
