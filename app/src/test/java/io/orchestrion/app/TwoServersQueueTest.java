package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.JobLogPolling;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/// The queue door of two processes on one database is one queue: a job is claimed once, its policy
/// holds at both, and its log is one log.
class TwoServersQueueTest {
    @TempDir Path oneData;
    @TempDir Path otherData;

    private static Api on(ServerProcess server) {
        return Api.on(URI.create(server.address()).getPort(), ResponseCheck.NONE);
    }

    /// across processes.
    @Test
    void claims_policies_and_logs_hold_across_both() throws Exception {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData)) {
            Reply registered = one.api().post("/v1/keys/register", "{}");
            String key = registered.text("/apiKey");
            database.execute(
                    "update account set plan = 'unlimited' where account_id = ?::uuid",
                    registered.text("/accountId"));
            Api keyed = on(one).withKey(key);
            Reply made =
                    keyed.post(
                            "/api/queue/workers/tokens",
                            "{\"workerId\":\"w\",\"allowedJobTypes\":[\"a\"]}");
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            String token = made.text("/token");
            List<Api> workers =
                    List.of(
                            on(one).with("X-MoonMind-Worker-Token", token),
                            on(other).with("X-MoonMind-Worker-Token", token));
            for (int i = 0; i < 40; i++) {
                String type = i % 2 == 0 ? "a" : "b";
                assertThat(
                                keyed.post(
                                                "/api/queue/jobs",
                                                "{\"type\":\"%s\",\"payload\":{}}".formatted(type))
                                        .status())
                        .isEqualTo(201);
            }
            List<Reply> claims =
                    Parallel.run(
                            40,
                            i ->
                                    () ->
                                            workers.get(i % 2)
                                                    .post(
                                                            "/api/queue/jobs/claim",
                                                            "{\"workerId\":\"w\",\"leaseSeconds\":600}"));
            List<Reply> got =
                    claims.stream().filter(reply -> !reply.text("/job/id").isEmpty()).toList();
            assertThat(got).hasSize(20).allMatch(reply -> reply.text("/job/type").equals("a"));
            assertThat(got.stream().map(reply -> reply.text("/job/id"))).doesNotHaveDuplicates();

            // Changed at one, it holds at the other.
            assertThat(
                            keyed.send(
                                            "PATCH",
                                            "/api/queue/workers/tokens/" + made.text("/id"),
                                            "{\"allowedJobTypes\":[\"b\"]}")
                                    .status())
                    .isEqualTo(200);
            Reply b = workers.get(1).post("/api/queue/jobs/claim", "{\"workerId\":\"w\"}");
            assertThat(b.text("/job/type")).isEqualTo("b");

            new JobLogPolling(got.getFirst().text("/job/id"), key, token, "w", 40)
                    .run(List.of(on(one), on(other)));
        }
    }
}
