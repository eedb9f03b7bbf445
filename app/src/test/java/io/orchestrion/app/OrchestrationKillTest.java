package io.orchestrion.app;

import static io.orchestrion.app.OrchestrationServers.EXECUTIONS;
import static io.orchestrion.app.OrchestrationServers.PATIENCE;
import static io.orchestrion.app.OrchestrationServers.retry;
import static io.orchestrion.app.OrchestrationServers.start;
import static io.orchestrion.app.OrchestrationServers.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/// Executions of ten steps on two processes, one of which is killed with -9 in the middle of an
/// HTTP request, while workers do other steps.
class OrchestrationKillTest {
    private static final int EXECUTIONS_AT_ONCE = 6;
    private static final int WORKERS = 4;
    private static final String TYPE = "work";

    /// Those of [#document], in their order.
    private static final List<String> KINDS =
            List.of(
                    "task",
                    "wait",
                    "task",
                    "external_call",
                    "task",
                    "notify",
                    "task",
                    "wait",
                    "task",
                    "task");

    @TempDir Path oneData;
    @TempDir Path otherData;

    private final CountDownLatch killed = new CountDownLatch(1);
    private final AtomicBoolean over = new AtomicBoolean();

    /// E-192.
    ///
    /// @param path whose requests are under way at the kill
    /// @param pool that makes them
    @ParameterizedTest
    @CsvSource({"/call,orchestration-calls", "/notice,orchestration-notices"})
    void a_killed_server_loses_no_execution_and_repeats_no_effect(String path, String pool)
            throws InterruptedException, ExecutionException {
        try (var servers = new OrchestrationServers(oneData, otherData);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // A service that has done what it was asked for, and does not say so in time.
            servers.receiver()
                    .on(
                            path,
                            (_, out) -> {
                                killed.await();
                                HookReceiver.say(out, 200, "");
                            });
            var workers = new ArrayList<Future<?>>();
            try {
                String definition = servers.published(retry(5, 0), document(servers));
                for (int i = 0; i < WORKERS; i++) {
                    int first = i;
                    workers.add(threads.submit(() -> workUntilOver(servers, first)));
                }
                List<String> executions = new ArrayList<>();
                for (int i = 0; i < EXECUTIONS_AT_ONCE; i++) {
                    Reply made =
                            servers.at(i).post(EXECUTIONS, start(definition, "" + i, "{\"n\":1}"));
                    assertThat(made.status()).as(made.text()).isEqualTo(201);
                    executions.add(made.text("/execution_id"));
                }
                int victim = killWhileBusy(servers, path, pool);
                Api left = servers.at(victim + 1);
                for (String execution : executions) {
                    Until.isTrue(
                            "it has ended",
                            PATIENCE,
                            () ->
                                    !left.get(EXECUTIONS + "/" + execution)
                                            .text("/status")
                                            .equals("running"));
                    check(left.get(EXECUTIONS + "/" + execution));
                }
            } finally {
                over.set(true);
                killed.countDown();
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
            // The killed server's request came again, under its key.
            assertThat(servers.receiver().got(path)).hasSizeGreaterThan(EXECUTIONS_AT_ONCE);
            for (String each : List.of("/call", "/notice")) {
                assertThat(servers.effects(each)).as(each).isEqualTo(EXECUTIONS_AT_ONCE);
            }
            // What nobody cut off is not even asked for twice.
            String other = path.equals("/call") ? "/notice" : "/call";
            assertThat(servers.receiver().got(other)).hasSize(EXECUTIONS_AT_ONCE);
            long tasks = KINDS.stream().filter("task"::equals).count() * EXECUTIONS_AT_ONCE;
            assertThat(servers.receiver().got("/effect")).hasSize((int) tasks);
            assertThat(servers.effects("/effect")).isEqualTo(tasks);
        }
    }

    /// Ten steps in a row.
    private static String[] document(OrchestrationServers servers) {
        var steps = new ArrayList<String>();
        for (int i = 0; i < KINDS.size(); i++) {
            String type = KINDS.get(i);
            String more =
                    switch (type) {
                        case "wait" -> ",\"duration_ms\":500";
                        case "external_call" -> handler("http:" + servers.receiver().url("/call"));
                        case "notify" -> handler("http:" + servers.receiver().url("/notice"));
                        default -> handler("task:" + TYPE) + ",\"lease_seconds\":3600";
                    };
            String next = i + 1 < KINDS.size() ? "s" + (i + 1) : "terminal";
            steps.add(step("s" + i, type, more + ",\"on_success\":\"%s\"".formatted(next)));
        }
        return steps.toArray(String[]::new);
    }

    private static String handler(String handler) {
        return ",\"handler\":\"%s\"".formatted(handler);
    }

    /// Kills one that waits for an answer, and returns which.
    private int killWhileBusy(OrchestrationServers servers, String path, String pool) {
        Until.isTrue(
                "all requests are under way",
                PATIENCE,
                () -> servers.receiver().got(path).size() == EXECUTIONS_AT_ONCE);
        int victim = busy(servers, 0, pool) ? 0 : 1;
        assertThat(busy(servers, victim, pool)).isTrue();
        servers.process(victim).kill();
        // What it had in hand is given to nobody before its lease is over: at once, because nobody
        // wants to wait for it. Leases of workers go on.
        servers.database()
                .execute(
                        """
                        update work set lease_until_ms = 1, lease_check_ms = 1
                         where state in ('leased', 'running') and kind like 'builtin%'
                        """);
        killed.countDown();
        return victim;
    }

    private static boolean busy(OrchestrationServers servers, int number, String pool) {
        return servers.process(number).api().get("/health").at("/pools").values().stream()
                .filter(each -> each.get("name").asString().equals(pool))
                .anyMatch(each -> each.get("busy").asInt() > 0);
    }

    /// Each step has succeeded once, after attempts that were lost.
    private static void check(Reply ended) {
        assertThat(ended.text("/status")).as(ended.text()).isEqualTo("succeeded");
        var succeeded = new ArrayList<String>();
        for (JsonNode step : ended.at("/steps")) {
            if (step.get("status").asString().equals("succeeded")) {
                succeeded.add(step.get("step_id").asString());
            } else {
                assertThat(step.get("error_code").asString())
                        .as(step.toString())
                        .isEqualTo("lease_expired");
            }
        }
        assertThat(succeeded)
                .containsExactly("s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9");
    }

    /// Has the effect of a step between the claim and the report. What was asked of a server that
    /// is gone is asked of the other again.
    private void workUntilOver(OrchestrationServers servers, int number) {
        Api service = Api.on(servers.receiver().port(), ResponseCheck.NONE);
        int at = number;
        while (!over.get()) {
            String claim =
                    "{\"type\":\"%s\",\"waitSeconds\":1,\"claimId\":\"%s\"}"
                            .formatted(TYPE, UUID.randomUUID());
            Reply claimed = asked(servers, at, "/v1/tasks/claim", claim);
            String id = claimed.text("/task/id");
            if (!id.isEmpty()) {
                String key = claimed.text("/task/payload/idempotency_key");
                service.with("Idempotency-Key", key).post("/effect", "{}");
                Reply completed =
                        asked(
                                servers,
                                at + 1,
                                "/v1/tasks/" + id + "/complete",
                                "{\"leaseToken\":\"%s\",\"result\":{}}"
                                        .formatted(claimed.text("/leaseToken")));
                assertThat(completed.status()).as(completed.text()).isEqualTo(200);
            }
            at++;
        }
    }

    private static Reply asked(OrchestrationServers servers, int at, String path, String body) {
        try {
            return servers.at(at).post(path, body);
        } catch (Api.Unanswered e) {
            return servers.at(at + 1).post(path, body);
        }
    }
}
