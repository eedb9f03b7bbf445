package io.orchestrion.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A lane that does not get on is seen from outside, while the others serve.
@Timeout(180)
class StuckLaneHealthTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final String LANE = "command";

    private final TestServer server =
            new TestServer(
                    options ->
                            options.withDatabase(
                                    options.database()
                                            .withTimeouts(
                                                    options.database().statementTimeout(),
                                                    LIMIT,
                                                    options.database().lockTimeout())));

    @AfterEach
    void stop() {
        server.close();
    }

    private static JsonNode lane(Reply health) {
        return health.at("/lanes").values().stream()
                .filter(lane -> lane.get("name").asString().equals(LANE))
                .findFirst()
                .orElseThrow();
    }

    /// What everybody is told while the committer of the lane hangs. The committer itself asks, so
    /// that no moment of it can be missed.
    private record Seen(Reply ready, Reply health) {}

    private boolean ended() {
        return server.kernel().kernel().lanes().stream()
                .anyMatch(lane -> lane.name().equals(LANE) && lane.transactionsEnded() > 0);
    }

    /// On another thread, because the one that hangs is interrupted.
    private CompletableFuture<Reply> asked(String path) {
        return CompletableFuture.supplyAsync(
                () -> server.anonymous().get(path), Executors.newVirtualThreadPerTaskExecutor());
    }

    @Test
    void a_lane_that_hangs_is_told_of_and_its_transaction_ended() throws Exception {
        TaskApi tasks = server.account();
        TaskApi others = server.account();
        String id = tasks.create("work");
        assertThat(server.anonymous().get("/health").status()).isEqualTo(200);
        var seen = new CompletableFuture<Seen>();
        var first = new AtomicBoolean(true);
        server.kernel()
                .failpoints()
                .arm(
                        LANE + ".before-commit",
                        () -> {
                            while (first.get() && !seen.isDone()) {
                                Reply ready = asked("/ready").join();
                                if (ready.status() == 503) {
                                    seen.complete(new Seen(ready, asked("/health").join()));
                                }
                            }
                            if (first.getAndSet(false)) {
                                Until.isTrue("it is ended", Duration.ofSeconds(30), this::ended);
                            }
                        });
        var hanging =
                CompletableFuture.supplyAsync(
                        () -> tasks.verb(id, "cancel"),
                        Executors.newVirtualThreadPerTaskExecutor());
        Until.isTrue(
                "it hangs",
                Duration.ofSeconds(30),
                () -> lane(server.anonymous().get("/health")).get("in_hand").asInt() == 1);
        assertThat(others.create("work")).isNotEmpty();
        Seen then = seen.get(60, TimeUnit.SECONDS);
        assertThat(then.ready().text("/reasons/0")).isEqualTo("lane_stuck");
        assertThat(then.health().status()).isEqualTo(503);
        assertThat(then.health().text("/status")).isEqualTo("unhealthy");
        assertThat(lane(then.health()).get("stuck").asBoolean()).isTrue();
        assertThat(lane(then.health()).get("seconds_without_progress").asInt())
                .isGreaterThanOrEqualTo((int) LIMIT.toSeconds());
        assertThat(hanging.get(60, TimeUnit.SECONDS).status()).isGreaterThanOrEqualTo(500);
        assertThat(tasks.status(id)).isEqualTo("pending");
        assertThat(tasks.verb(id, "cancel").status()).isEqualTo(200);
        Reply well = server.anonymous().get("/health");
        assertThat(well.status()).as(well.text()).isEqualTo(200);
        assertThat(lane(well).get("transactions_ended").asInt()).isEqualTo(1);
        assertThat(server.anonymous().get("/ready").status()).isEqualTo(200);
    }
}
