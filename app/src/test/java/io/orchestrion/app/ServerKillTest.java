package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// The whole product killed with -9 under load, server and embedded database together, and started
/// again: nothing acknowledged is lost, nothing is there twice.
class ServerKillTest {
    private static final int WRITERS = 64;
    private static final int ACKNOWLEDGED_BEFORE_THE_KILL = 600;

    private final Path data = Folders.temporary("orchestrion-kill-");
    private ServerProcess server;

    /// What the server acknowledged, by the number that each task carries.
    private final Map<Integer, String> created = new ConcurrentHashMap<>();
    private final Map<String, Integer> completed = new ConcurrentHashMap<>();
    private final Map<String, Integer> failed = new ConcurrentHashMap<>();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        Folders.delete(data);
    }

    /// K-09, T-174.
    @Test
    void nothing_acknowledged_is_lost_when_the_server_is_killed_under_64_writers() {
        server = ServerProcess.start(data);
        killUnderLoad(() -> server.kill());
        server = ServerProcess.start(data);
        check(server.api());
    }

    /// K-09: the process dies right after a commit, before anybody is told of it.
    @Test
    void a_death_between_commit_and_answer_leaves_each_effect_once() {
        server = ServerProcess.start(data, "-Dorchestrion.failpoints=holder.after-commit=halt@40");
        killUnderLoad(() -> server.awaitEnd());
        server = ServerProcess.start(data);
        check(server.api());
    }

    /// K-09: the process dies with everything written and nothing committed.
    @Test
    void a_death_before_the_commit_leaves_no_trace_of_the_batch() {
        server =
                ServerProcess.start(
                        data, "-Dorchestrion.failpoints=submit-keyed.before-commit=halt@60");
        killUnderLoad(() -> server.awaitEnd());
        server = ServerProcess.start(data);
        check(server.api());
    }

    private void killUnderLoad(Runnable death) {
        Api api = server.api();
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < WRITERS; i++) {
                writers.submit(() -> writeUntilItDies(api));
            }
            Until.isTrue(
                    "enough is acknowledged, or the server is dead",
                    Duration.ofSeconds(60),
                    () -> acknowledged.get() >= ACKNOWLEDGED_BEFORE_THE_KILL || !server.alive());
            death.run();
        }
    }

    private void writeUntilItDies(Api api) {
        try {
            while (true) {
                int number = numbers.incrementAndGet();
                Reply reply = create(api, number);
                if (reply.status() != 201) {
                    return;
                }
                String id = reply.text("/task/id");
                created.put(number, id);
                acknowledged.incrementAndGet();
                if (api.post("/v1/tasks/" + id + "/claim").status() != 200) {
                    return;
                }
                finish(api, number, id);
            }
        } catch (Api.Unanswered e) {
            // The server is dead; what was asked last may or may not have happened.
            return;
        }
    }

    private void finish(Api api, int number, String id) {
        boolean fails = number % 3 == 0;
        Reply reply =
                fails
                        ? api.post(
                                "/v1/tasks/" + id + "/fail",
                                "{\"reason\":\"number " + number + "\"}")
                        : api.post(
                                "/v1/tasks/" + id + "/complete",
                                "{\"result\":{\"number\":" + number + "}}");
        if (reply.status() == 200) {
            (fails ? failed : completed).put(id, number);
            acknowledged.incrementAndGet();
        }
    }

    private static Reply create(Api api, int number) {
        return api.with("Idempotency-Key", "number-" + number)
                .post("/v1/tasks", "{\"type\":\"crash\",\"payload\":{\"number\":" + number + "}}");
    }

    private void check(Api api) {
        assertThat(acknowledged.get()).as("something was acknowledged").isPositive();
        Map<String, JsonNode> stored = all(api);
        assertThat(created.values()).allSatisfy(id -> assertThat(stored).containsKey(id));
        completed.forEach(
                (id, number) -> {
                    assertThat(stored.get(id).at("/status").asString()).isEqualTo("completed");
                    assertThat(stored.get(id).at("/result/number").asInt()).isEqualTo(number);
                });
        failed.forEach(
                (id, number) -> {
                    assertThat(stored.get(id).at("/status").asString()).isEqualTo("pending");
                    assertThat(stored.get(id).at("/attemptCount").asInt()).isEqualTo(1);
                    assertThat(stored.get(id).at("/lastFailureReason").asString())
                            .isEqualTo("number " + number);
                });
        List<Integer> numbersStored =
                stored.values().stream().map(task -> task.at("/payload/number").asInt()).toList();
        assertThat(numbersStored).doesNotHaveDuplicates();
        eachKeyStillNamesItsOneTask(api, stored);
    }

    /// Whoever got no answer asks again with the same key, and gets the one task there is.
    private void eachKeyStillNamesItsOneTask(Api api, Map<String, JsonNode> stored) {
        for (int number = 1; number <= numbers.get(); number++) {
            Reply again = create(api, number);
            assertThat(again.status()).isEqualTo(201);
            String known = created.get(number);
            if (known != null) {
                assertThat(again.text("/task/id")).isEqualTo(known);
            }
        }
        assertThat(all(api)).hasSize(numbers.get());
        assertThat(stored).hasSizeLessThanOrEqualTo(numbers.get());
    }

    private static Map<String, JsonNode> all(Api api) {
        var tasks = new HashMap<String, JsonNode>();
        String cursor = "";
        do {
            Reply page = api.get("/v1/tasks?limit=100" + cursor);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            page.at("/tasks").forEach(task -> tasks.put(task.at("/id").asString(), task));
            cursor = "&cursor=" + page.text("/nextCursor");
        } while (!cursor.equals("&cursor="));
        return tasks;
    }
}
