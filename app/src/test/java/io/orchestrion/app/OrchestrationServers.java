package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Two server processes on one database with one account, and a service that their steps and
/// workers call.
final class OrchestrationServers implements AutoCloseable {
    static final String ROOT = "/v1/orchestrations";
    static final String EXECUTIONS = ROOT + "/executions";

    /// Nothing here is about speed.
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final TestDatabase database = TestPostgres.get().newDatabase();
    private final HookReceiver receiver = new HookReceiver();
    private final List<ServerProcess> processes;
    private final List<Api> apis;

    OrchestrationServers(Path oneData, Path otherData) {
        // Both at once: most of what these tests take is the start of the servers.
        var starting = CompletableFuture.supplyAsync(() -> started(otherData));
        ServerProcess one = null;
        List<Api> keyed = null;
        try {
            one = started(oneData);
            ServerProcess other = starting.join();
            Reply registered = one.api().post("/v1/keys/register", "{}");
            database.execute(
                    "update account set plan = 'unlimited' where account_id = ?::uuid",
                    registered.text("/accountId"));
            String key = registered.text("/apiKey");
            keyed = List.of(one.api().withKey(key), other.api().withKey(key));
        } finally {
            if (keyed == null) {
                close(one, starting.exceptionally(_ -> null).join());
            }
        }
        processes = List.of(one, starting.join());
        apis = keyed;
    }

    private ServerProcess started(Path data) {
        return ServerProcess.startOn(
                database.options(), data, "--webhooks-allow-private", "127.0.0.0/8");
    }

    @Override
    public void close() {
        close(processes.toArray(ServerProcess[]::new));
    }

    private void close(ServerProcess... started) {
        try (database;
                receiver) {
            for (ServerProcess each : started) {
                if (each != null) {
                    each.close();
                }
            }
        }
    }

    TestDatabase database() {
        return database;
    }

    HookReceiver receiver() {
        return receiver;
    }

    ServerProcess process(int number) {
        return processes.get(number % 2);
    }

    /// The one or the other, in turns.
    Api at(int number) {
        return apis.get(number % 2);
    }

    List<Api> both() {
        return apis;
    }

    /// How often the service did something at a path: the same key again changes nothing.
    long effects(String path) {
        List<String> keys =
                receiver.got(path).stream().map(got -> got.header("Idempotency-Key")).toList();
        assertThat(keys).as(path).doesNotContain("");
        return keys.stream().distinct().count();
    }

    /// A policy with that delay after every attempt.
    static String retry(int attempts, int delayMs) {
        return """
        {"max_attempts":%d,"backoff_strategy":"fixed","initial_delay_ms":%d,"max_delay_ms":%d,\
        "timeout_ms":600000,\
        "retry_on_classes":["TRANSIENT","RETRYABLE","RATE_LIMITED","DEPENDENCY_FAILED"]}\
        """
                .formatted(attempts, delayMs, delayMs);
    }

    /// A step that a worker does, for tasks of its own name.
    ///
    /// @param more further fields, each with a comma before it
    static String task(String id, String more) {
        return step(
                id,
                "task",
                ",\"handler\":\"task:%s\",\"lease_seconds\":3600%s".formatted(id, more));
    }

    static String step(String id, String type, String more) {
        return """
        {"step_id":"%s","name":"Step %s","type":"%s","timeout_ms":3600000%s%s}\
        """
                .formatted(
                        id,
                        id,
                        type,
                        more.contains("idempotency_strategy")
                                ? ""
                                : ",\"idempotency_strategy\":\"SAFE_TO_RETRY\"",
                        more);
    }

    /// The id of a definition of these steps.
    String published(String retry, String... steps) {
        String document =
                """
                {"name":"test","input_schema":true,"policies":{"retry":%s},"steps":[%s]}\
                """
                        .formatted(retry, String.join(",", steps));
        Reply made = at(0).post(ROOT + "/definitions", document);
        String id = made.text("/orchestration_definition_id");
        Reply published = at(1).post(ROOT + "/definitions/" + id + "/versions/1/publish");
        assertThat(published.status()).as(made.text() + published.text()).isEqualTo(200);
        return id;
    }

    static String start(String definition, String target, String input) {
        return """
        {"definition_id":"%s","target_object_type":"order","target_object_id":"%s","input":%s}\
        """
                .formatted(definition, target, input);
    }

    /// The id of a new execution.
    String started(String definition) {
        Reply made = at(0).post(EXECUTIONS, start(definition, "1", "{}"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.text("/execution_id");
    }

    Reply execution(String id) {
        return at(1).get(EXECUTIONS + "/" + id);
    }

    String status(String execution) {
        return execution(execution).text("/status");
    }

    void awaitStatus(String execution, String status) {
        Until.isTrue(status, PATIENCE, () -> status(execution).equals(status));
    }

    /// `step#attempt status` of all attempts.
    List<String> attempts(String execution) {
        return execution(execution).at("/steps").values().stream()
                .map(
                        step ->
                                (step.get("kind").asString().equals("step")
                                                ? ""
                                                : step.get("kind").asString() + " ")
                                        + step.get("step_id").asString()
                                        + "#"
                                        + step.get("attempt_number").asInt()
                                        + " "
                                        + step.get("status").asString())
                .toList();
    }

    /// What a worker was given. A retry without a delay may still be on its way.
    Claimed claimed(int server, String type) {
        var given = new Claimed[1];
        Until.isTrue(
                "a " + type + " is there",
                PATIENCE,
                () -> {
                    given[0] = new Claimed(this, claim(server, type));
                    return given[0].isThere();
                });
        return given[0];
    }

    Reply claim(int server, String type) {
        Reply reply = at(server).post("/v1/tasks/claim", "{\"type\":\"%s\"}".formatted(type));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    /// Whether neither server has anything of that type.
    boolean nothingToClaim(String type) {
        return claim(0, type).text("/task/id").isEmpty()
                && claim(1, type).text("/task/id").isEmpty();
    }

    /// What a worker has in hand.
    record Claimed(OrchestrationServers servers, Reply reply) {
        boolean isThere() {
            return !id().isEmpty();
        }

        String id() {
            return reply.text("/task/id");
        }

        String of(String field) {
            return reply.text("/task/payload/" + field);
        }

        /// Calls the service under the step's key.
        void hasEffect(String path) {
            Reply done =
                    Api.on(servers.receiver.port(), ResponseCheck.NONE)
                            .with("Idempotency-Key", of("idempotency_key"))
                            .post(path, "{}");
            assertThat(done.status()).isEqualTo(200);
        }

        Reply complete(int server) {
            return report(server, "complete", "\"result\":{\"n\":1}");
        }

        /// @param error its fields but the message
        Reply fail(int server, String error) {
            return report(server, "fail", "\"error\":{\"message\":\"no\",%s}".formatted(error));
        }

        private Reply report(int server, String verb, String fields) {
            return servers.at(server)
                    .post(
                            "/v1/tasks/" + id() + "/" + verb,
                            "{\"leaseToken\":\"%s\",%s}"
                                    .formatted(reply.text("/leaseToken"), fields));
        }
    }
}
