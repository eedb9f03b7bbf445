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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

/// Executions of ten steps on two processes, one of which is killed with -9 in the middle of HTTP
/// requests, while workers do other steps.
class OrchestrationKillTest {
    /// More than one server makes at once for an account, so that both have some.
    private static final int OF_A_KIND = 5;

    private static final int WORKERS = 4;
    private static final String TYPE = "work";

    /// The letters of steps: a task, a wait, a call, a notice.
    private static final String HELD_IN_CALL = "twtctntwtt";
    private static final String HELD_IN_NOTICE = "twtntctwtt";
    private static final String WORKED_ON = "ttttttwnwc";

    private static final int TASKS_EACH = 6;
    private static final int TASKS_BEFORE_HELD = 2;

    @TempDir Path oneData;
    @TempDir Path otherData;

    private final CountDownLatch killed = new CountDownLatch(1);
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<String> executions = new ArrayList<>();

    /// E-192.
    @Test
    void a_killed_server_loses_no_execution_and_repeats_no_effect()
            throws InterruptedException, ExecutionException {
        try (var servers = new OrchestrationServers(oneData, otherData);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // A service that has done what it was asked for, and does not say so in time.
            for (String path : List.of("/call", "/notice")) {
                servers.receiver()
                        .on(
                                path,
                                (_, out) -> {
                                    killed.await();
                                    HookReceiver.say(out, 200, "");
                                });
            }
            var workers = new ArrayList<Future<?>>();
            try {
                for (int i = 0; i < WORKERS; i++) {
                    int first = i;
                    workers.add(threads.submit(() -> workUntilOver(servers, first)));
                }
                killInTheMiddle(servers);
                Api left = servers.at(1);
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
            checkEffects(servers);
        }
    }

    /// Kills the first server while requests of both wait for their answers.
    private void killInTheMiddle(OrchestrationServers servers) {
        begin(servers, HELD_IN_CALL);
        begin(servers, HELD_IN_NOTICE);
        Until.isTrue(
                "all requests are under way",
                PATIENCE,
                () ->
                        servers.receiver().got("/call").size() == OF_A_KIND
                                && servers.receiver().got("/notice").size() == OF_A_KIND);
        JsonNode pools = servers.process(0).api().get("/health").at("/pools");
        assertThat(pools.values())
                .filteredOn(pool -> pool.get("busy").asInt() > 0)
                .extracting(pool -> pool.get("name").asString())
                .contains("orchestration-calls", "orchestration-notices");

        begin(servers, WORKED_ON);
        int before = 2 * OF_A_KIND * TASKS_BEFORE_HELD;
        Until.isTrue(
                "workers are in the middle of it",
                PATIENCE,
                () -> servers.receiver().got("/effect").size() >= before + 2 * OF_A_KIND);
        servers.process(0).kill();
        // What it had in hand is given to nobody before its lease is over: at once, because nobody
        // wants to wait for it. Leases of workers go on.
        servers.database()
                .execute(
                        """
                        update work set lease_until_ms = 1, lease_check_ms = 1
                         where state in ('leased', 'running') and kind like 'builtin%'
                        """);
        killed.countDown();
    }

    private void begin(OrchestrationServers servers, String letters) {
        String definition = servers.published(retry(5, 0), document(servers, letters));
        for (int i = 0; i < OF_A_KIND; i++) {
            Reply made = servers.at(i).post(EXECUTIONS, start(definition, letters + i, "{}"));
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            executions.add(made.text("/execution_id"));
        }
    }

    private void checkEffects(OrchestrationServers servers) {
        for (String path : List.of("/call", "/notice")) {
            // The killed server's requests came again, under their keys.
            assertThat(servers.receiver().got(path)).hasSizeGreaterThan(executions.size());
            assertThat(servers.effects(path)).as(path).isEqualTo(executions.size());
        }
        // Workers kept their leases, so that nothing of theirs was even asked for twice.
        int tasks = TASKS_EACH * executions.size();
        assertThat(servers.receiver().got("/effect")).hasSize(tasks);
        assertThat(servers.effects("/effect")).isEqualTo(tasks);
    }

    /// Steps in a row.
    private static String[] document(OrchestrationServers servers, String letters) {
        var steps = new ArrayList<String>();
        for (int i = 0; i < letters.length(); i++) {
            String next = i + 1 < letters.length() ? "s" + (i + 1) : "terminal";
            String more = ",\"on_success\":\"%s\"".formatted(next);
            String id = "s" + i;
            steps.add(
                    switch (letters.charAt(i)) {
                        case 'w' -> step(id, "wait", ",\"duration_ms\":100" + more);
                        case 'c' -> step(id, "external_call", to(servers, "/call") + more);
                        case 'n' -> step(id, "notify", to(servers, "/notice") + more);
                        default ->
                                step(
                                        id,
                                        "task",
                                        handler("task:" + TYPE) + ",\"lease_seconds\":3600" + more);
                    });
        }
        return steps.toArray(String[]::new);
    }

    private static String to(OrchestrationServers servers, String path) {
        return handler("http:" + servers.receiver().url(path));
    }

    private static String handler(String handler) {
        return ",\"handler\":\"%s\"".formatted(handler);
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
