package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// Two processes on one database are one server: what one counted the other knows, and what
/// becomes of one changes nothing for the other.
class TwoServersTest {
    private static final String TASK = "{\"type\":\"t\",\"payload\":{}}";

    @TempDir Path oneData;
    @TempDir Path otherData;

    /// T-208, T-173 and L-001 across processes.
    @Test
    void limits_quotas_and_idempotency_hold_across_both_and_outlive_one_of_them() {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData)) {
            Reply registered = one.api().post("/v1/keys/register", "{}");
            String key = registered.text("/apiKey");
            UUID account = UUID.fromString(registered.text("/accountId"));
            List<Api> both = List.of(one.api().withKey(key), other.api().withKey(key));

            List<Reply> twins =
                    Parallel.run(
                            20,
                            i ->
                                    () ->
                                            both.get(i % 2)
                                                    .with("Idempotency-Key", "one")
                                                    .post("/v1/tasks", TASK));
            assertThat(twins).allMatch(reply -> reply.status() == 201 || reply.status() == 503);
            assertThat(ids(twins)).hasSize(1);

            // A hundred more requests fit into the hour, and no more: the twins were requests.
            List<Reply> creates =
                    Parallel.run(130, i -> () -> both.get(i % 2).post("/v1/tasks", TASK));
            assertThat(ids(creates)).hasSize(100);
            assertThat(creates).filteredOn(reply -> reply.status() == 429).hasSize(30);

            List<Reply> claims =
                    Parallel.run(
                            20,
                            i -> () -> both.get(i % 2).post("/v1/tasks/claim", "{\"type\":\"t\"}"));
            assertThat(ids(claims)).hasSize(2);
            assertThat(claims)
                    .filteredOn(reply -> reply.error().equals("max_workers_reached"))
                    .hasSize(18);

            one.kill();
            Api left = both.get(1);
            assertThat(left.post("/v1/tasks", TASK).error()).isEqualTo("rate_limited");
            assertThat(left.post("/v1/tasks/claim", "{\"type\":\"t\"}").error())
                    .isEqualTo("max_workers_reached");
            String held = ids(claims).getFirst();
            assertThat(left.post("/v1/tasks/" + held + "/complete").status()).isEqualTo(200);
            assertThat(left.post("/v1/tasks/claim", "{\"type\":\"t\"}").text("/task/id"))
                    .isNotEmpty();

            // A plan bought elsewhere is known within a second to whoever is about to refuse.
            database.execute("update account set plan = 'basic' where account_id = ?", account);
            database.execute("update usage_month set tasks = 4999 where account_id = ?", account);
            Until.isTrue(
                    "the bought plan is known",
                    Duration.ofSeconds(30),
                    () -> left.post("/v1/tasks", TASK).status() == 201);
            assertThat(left.post("/v1/tasks", TASK).error()).isEqualTo("quota_exceeded");
            assertThat(tasks(database, account)).isEqualTo(102);
        }
    }

    private static List<String> ids(List<Reply> replies) {
        return replies.stream()
                .map(reply -> reply.text("/task/id"))
                .flatMap(id -> id.isEmpty() ? Stream.empty() : Stream.of(id))
                .distinct()
                .toList();
    }

    private static long tasks(TestDatabase database, UUID account) {
        return database.value("select count(*) from work where account_id = ?", account);
    }
}
