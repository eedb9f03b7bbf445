package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/// Schedules on two processes that share a database, by the real clock.
class ScheduleServersTest {
    private static final int FIRES = 6;

    @TempDir Path oneData;
    @TempDir Path otherData;

    private static List<JsonNode> fires(Api api, String id) {
        return List.copyOf(
                api.get("/v1/schedules/" + id + "/fires?limit=100").at("/fires").values());
    }

    private static Duration lateness(JsonNode fire) {
        return Duration.between(
                Instant.parse(fire.get("fireAt").asString()),
                Instant.parse(fire.get("at").asString()));
    }

    /// Both sweep all the time, and one of them is killed on the way.
    @Test
    void cron_fired_once_per_node() {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData)) {
            String key = one.api().post("/v1/keys/register", "{}").text("/apiKey");
            Api api = other.api().withKey(key);
            Reply made =
                    api.post(
                            "/v1/schedules",
                            """
                            {"name":"tick","everySeconds":1,"catchUp":"all",
                             "task":{"type":"tick","payload":{}}}
                            """);
            assertThat(made.status()).as(made.text()).isEqualTo(201);
            String id = made.text("/schedule/id");
            awaitFires(database, FIRES);
            one.kill();
            awaitFires(database, fires(api, id).size() + FIRES);

            api.post("/v1/schedules/" + id + "/pause");
            List<JsonNode> fires = fires(api, id);
            long tasks = database.value("select count(*) from work where kind = 'tick'");
            assertThat(tasks).isEqualTo(fires.size());
            var times = new HashSet<Instant>();
            fires.forEach(fire -> times.add(Instant.parse(fire.get("fireAt").asString())));
            assertThat(times).hasSize(fires.size());
            Instant first = Instant.parse(fires.getLast().get("fireAt").asString());
            for (int i = 0; i < fires.size(); i++) {
                assertThat(times).contains(first.plusSeconds(i));
            }
            assertThat(fires).noneMatch(fire -> lateness(fire).isNegative());
            // The pace of a sweep is a second; the rest is for a busy machine.
            assertThat(fires.stream().map(ScheduleServersTest::lateness).sorted().toList())
                    .element(fires.size() / 2)
                    .satisfies(median -> assertThat(median).isLessThan(Duration.ofSeconds(8)));
        }
    }

    /// Asked of the database: the door would limit so many looks.
    private static void awaitFires(TestDatabase database, long count) {
        Until.isTrue(
                count + " fires",
                Duration.ofSeconds(60),
                () -> database.<Long>value("select sum(fired)::bigint from schedule") >= count);
    }
}
