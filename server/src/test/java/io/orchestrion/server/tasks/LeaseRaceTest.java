package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class LeaseRaceTest {
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

    private String claimed() {
        String id = tasks.create("raced", "\"leaseDurationSeconds\":30");
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
        return id;
    }

    /// T-129: completions, and the end of their leases with two sweepers, at the same moment.
    @Test
    void a_completion_and_the_sweeper_make_exactly_one_change() {
        for (int round = 0; round < 30; round++) {
            var ids = new ArrayList<String>();
            for (int i = 0; i < 6; i++) {
                ids.add(claimed());
            }
            List<Reply> replies =
                    Parallel.run(
                            ids.size() + 2,
                            i ->
                                    i < ids.size()
                                            ? () -> tasks.verb(ids.get(i), "complete")
                                            : this::lapse);
            server.sweepLeases();
            for (int i = 0; i < ids.size(); i++) {
                oneChange(ids.get(i), replies.get(i));
            }
        }
    }

    private Reply lapse() {
        server.clock().advance(Duration.ofSeconds(31));
        server.sweepLeases();
        return server.anonymous().get("/health");
    }

    private void oneChange(String id, Reply completed) {
        List<String> after = stored.story(id).subList(2, stored.story(id).size());
        if (completed.status() == 200) {
            assertThat(after).containsExactly("complete running succeeded");
        } else {
            assertThat(completed.status()).isEqualTo(409);
            assertThat(completed.error()).isIn("lease_expired", "invalid_transition");
            assertThat(after).containsExactly("expire running ready");
        }
    }

    /// T-129: the completion has the row and the lease ends before its commit; it stands.
    @Test
    void the_sweeper_passes_by_a_row_that_is_being_completed() throws Exception {
        String id = claimed();
        var parked = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        String place = "holder.before-commit";
        server.kernel()
                .failpoints()
                .arm(
                        place,
                        () -> {
                            parked.countDown();
                            released.await();
                        });
        try {
            var completed = CompletableFuture.supplyAsync(() -> tasks.verb(id, "complete"));
            assertThat(parked.await(60, TimeUnit.SECONDS)).isTrue();
            server.clock().advance(Duration.ofSeconds(31));
            server.sweepLeases();
            released.countDown();
            assertThat(completed.get().status()).isEqualTo(200);
        } finally {
            released.countDown();
            server.kernel().failpoints().disarm(place);
        }
        server.sweepLeases();
        assertThat(stored.story(id)).endsWith("lease ready running", "complete running succeeded");
    }

    /// T-129: the sweeper has the row; the completion waits for it and is refused.
    @Test
    void a_completion_that_waited_for_the_sweeper_is_refused() throws Exception {
        String id = claimed();
        server.clock().advance(Duration.ofSeconds(31));
        var parked = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        String place = "pool.before-commit";
        Thread sweeper = Thread.ofVirtual().unstarted(server::sweepLeases);
        server.kernel()
                .failpoints()
                .arm(
                        place,
                        () -> {
                            boolean wrote = Thread.currentThread() == sweeper && holdsRow(id);
                            if (wrote) {
                                parked.countDown();
                                released.await();
                            }
                        });
        try {
            sweeper.start();
            assertThat(parked.await(60, TimeUnit.SECONDS)).isTrue();
            var completed = CompletableFuture.supplyAsync(() -> tasks.verb(id, "complete"));
            Until.isTrue(
                    "the completion waits for the row",
                    Duration.ofSeconds(2),
                    () -> waitingSessions() > 0);
            released.countDown();
            Reply refused = completed.get();
            assertThat(refused.status()).isEqualTo(409);
            sweeper.join();
        } finally {
            released.countDown();
            server.kernel().failpoints().disarm(place);
        }
        assertThat(stored.story(id)).endsWith("lease ready running", "expire running ready");
    }

    private static boolean holdsRow(String id) {
        return server.database()
                .rows("select 1 from work where id = ? for update skip locked", UUID.fromString(id))
                .isEmpty();
    }

    private static long waitingSessions() {
        return server.database()
                .value(
                        "select count(*) from pg_stat_activity where datname = current_database()"
                                + " and wait_event_type = 'Lock'");
    }

    @Test
    void of_many_completions_of_one_task_exactly_one_is_accepted() {
        for (int round = 0; round < 10; round++) {
            String id = claimed();
            List<Integer> statuses =
                    Parallel.run(
                            20,
                            i ->
                                    () ->
                                            tasks.verb(
                                                            id,
                                                            "complete",
                                                            "{\"result\":{\"by\":" + i + "}}")
                                                    .status());
            assertThat(statuses).containsOnlyOnce(200);
            assertThat(statuses).containsOnly(200, 409);
            int winner = statuses.indexOf(200);
            assertThat(tasks.get(id).number("/task/result/by")).isEqualTo(winner);
            assertThat(stored.story(id)).hasSize(3);
        }
    }

    @Test
    void of_a_completion_and_a_failure_at_once_exactly_one_is_accepted() {
        for (int round = 0; round < 10; round++) {
            String id = claimed();
            List<Integer> statuses =
                    Parallel.run(
                            10,
                            i -> () -> tasks.verb(id, i % 2 == 0 ? "complete" : "fail").status());
            assertThat(statuses).containsOnlyOnce(200);
            assertThat(stored.story(id)).hasSize(3);
        }
    }

    @Test
    void of_many_claims_of_one_task_exactly_one_is_accepted() {
        for (int round = 0; round < 10; round++) {
            String id = tasks.create("raced");
            List<Integer> statuses =
                    Parallel.run(
                            20,
                            i ->
                                    () -> {
                                        Reply reply =
                                                i % 2 == 0
                                                        ? tasks.verb(id, "claim")
                                                        : tasks.claim("raced");
                                        boolean mine = reply.text("/task/id").equals(id);
                                        return mine ? 1 : 0;
                                    });
            assertThat(statuses).containsOnlyOnce(1);
            assertThat(tasks.get(id).number("/task/attemptCount")).isEqualTo(1);
            assertThat(stored.story(id)).hasSize(2);
        }
    }
}
