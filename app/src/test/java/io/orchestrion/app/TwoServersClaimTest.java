package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// What a worker asks of one process another can answer, also when the first is dead.
class TwoServersClaimTest {
    private static final String TASK = "{\"type\":\"t\",\"payload\":{}}";

    @TempDir Path oneData;
    @TempDir Path otherData;

    /// L-010 and L-018 across processes.
    @Test
    void waits_and_repeats_hold_across_processes_and_outlive_one_of_them() throws Exception {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData)) {
            String key = one.api().post("/v1/keys/register", "{}").text("/apiKey");
            Api here = one.api().withKey(key);
            Api there = other.api().withKey(key);

            // Woken by what came to the other process, long before the wait is over.
            var woken =
                    CompletableFuture.supplyAsync(
                            () ->
                                    here.post(
                                            "/v1/tasks/claim",
                                            "{\"type\":\"t\",\"waitSeconds\":30}"));
            String first = there.post("/v1/tasks", TASK).text("/task/id");
            assertThat(woken.get(20, TimeUnit.SECONDS).text("/task/id")).isEqualTo(first);
            assertThat(there.post("/v1/tasks/" + first + "/complete").status()).isEqualTo(200);

            // The answer of a process that dies is had from the other.
            String second = here.post("/v1/tasks", TASK).text("/task/id");
            String claim = "{\"type\":\"t\",\"claimId\":\"" + UUID.randomUUID() + "\"}";
            Reply given = here.post("/v1/tasks/claim", claim);
            assertThat(given.text("/task/id")).isEqualTo(second);
            String token = "{\"leaseToken\":\"" + given.text("/leaseToken") + "\"}";
            one.kill();
            Reply again = there.post("/v1/tasks/claim", claim);
            assertThat(again.status()).as(again.text()).isEqualTo(200);
            assertThat(again.text("/task/id")).isEqualTo(second);
            assertThat(again.text("/leaseToken")).isEqualTo(given.text("/leaseToken"));
            Reply failed = there.post("/v1/tasks/" + second + "/fail", token);
            assertThat(failed.text("/task/status")).isEqualTo("pending");
            try (var restarted = ServerProcess.startOn(database.options(), oneData)) {
                Reply repeated =
                        restarted.api().withKey(key).post("/v1/tasks/" + second + "/fail", token);
                assertThat(repeated.status()).as(repeated.text()).isEqualTo(200);
                assertThat(repeated.text()).isEqualTo(failed.text());
                assertThat(repeated.header("Idempotency-Replayed")).isEqualTo("true");
            }
        }
    }
}
