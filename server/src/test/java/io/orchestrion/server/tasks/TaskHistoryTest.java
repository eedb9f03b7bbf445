package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class TaskHistoryTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();
    private final Stored stored = new Stored(server);

    /// T-118.
    @Test
    void every_change_of_state_is_one_row_with_from_to_trigger_and_time() {
        String id = tasks.create("story", "\"maxAttempts\":2");
        tasks.verb(id, "claim");
        tasks.verb(id, "heartbeat");
        tasks.verb(id, "fail", "{\"retry_after_seconds\":5}");
        server.clock().advance(Duration.ofSeconds(6));
        tasks.claim("story");
        server.clock().advance(Duration.ofSeconds(301));
        server.sweepLeases();
        tasks.verb(id, "requeue");
        tasks.claim("story");
        tasks.verb(id, "fail");
        tasks.verb(id, "claim");
        tasks.verb(id, "complete");
        assertThat(stored.story(id))
                .containsExactly(
                        "submit null ready",
                        "lease ready running",
                        "fail running waiting",
                        // Becoming due is not a change that the contract's statuses can show.
                        "lease ready running",
                        "expire running dead",
                        "reopen dead ready",
                        "lease ready running",
                        "fail running ready",
                        "lease ready running",
                        "complete running succeeded");
        timesGrow(stored.history(id));
    }

    /// T-118: a cancelled one.
    @Test
    void a_cancellation_is_a_row_too() {
        String id = tasks.create("story");
        tasks.verb(id, "cancel");
        assertThat(stored.story(id)).containsExactly("submit null ready", "cancel ready cancelled");
        timesGrow(stored.history(id));
    }

    private void timesGrow(List<Stored.Event> history) {
        long before = 0;
        for (Stored.Event event : history) {
            assertThat(event.atMs()).isGreaterThan(before);
            before = event.atMs();
        }
        assertThat(before).isLessThanOrEqualTo(stored.nowMs() + history.size());
    }

    /// T-118: the row and the change stand or fall together.
    @Test
    void a_change_that_is_not_committed_leaves_no_row() {
        String id = tasks.create("story");
        tasks.verb(id, "claim");
        String place = "holder.before-commit";
        server.kernel()
                .failpoints()
                .arm(
                        place,
                        () -> {
                            throw new Failpoints.Injected(place);
                        });
        try {
            assertThat(tasks.verb(id, "complete").status()).isEqualTo(500);
        } finally {
            server.kernel().failpoints().disarm(place);
        }
        assertThat(tasks.status(id)).isEqualTo("claimed");
        assertThat(stored.story(id)).containsExactly("submit null ready", "lease ready running");
    }
}
