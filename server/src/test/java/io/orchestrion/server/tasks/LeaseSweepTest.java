package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.UUID;

/// Leases that end by themselves. Each test has its own server, whose loops it may start.
class LeaseSweepTest {
    private final TestServer server = new TestServer();
    private final TaskApi tasks = server.account();
    private final Stored stored = new Stored(server);

    @AfterEach
    void stop() {
        server.close();
    }

    /// T-126: seen in storage only, with no call of the API between the lapse and its end.
    @Test
    void a_lapsed_lease_is_ended_without_any_call() {
        String retried = tasks.create("swept", "\"leaseDurationSeconds\":30");
        String dead = tasks.create("swept", "\"leaseDurationSeconds\":30,\"maxAttempts\":1");
        String live = tasks.create("swept", "\"leaseDurationSeconds\":300");
        for (String id : new String[] {retried, dead, live}) {
            tasks.verb(id, "claim");
        }
        server.kernel().kernel().start();
        server.clock().advance(Duration.ofSeconds(30));
        Until.isTrue(
                "both lapsed leases are ended",
                Duration.ofSeconds(20),
                () -> stored.state(retried).equals("ready") && stored.state(dead).equals("dead"));
        assertThat(stored.state(live)).isEqualTo("running");
        for (String id : new String[] {retried, dead}) {
            var history = stored.history(id);
            long lapse = history.get(1).atMs() + 30_000;
            assertThat(history.getLast().atMs() - lapse).isBetween(0L, 30_000L);
        }
    }

    /// T-127.
    @Test
    void health_shows_the_expiry_job_and_turns_when_it_has_not_run_for_90_seconds() {
        server.clock().advance(Duration.ofSeconds(80));
        Reply young = server.anonymous().get("/health");
        assertThat(young.status()).isEqualTo(200);
        assertThat(young.at("/lease_expiry_job/ran").asBoolean()).isFalse();
        assertThat(young.number("/lease_expiry_job/seconds_since_last_run")).isBetween(80, 90);

        server.clock().advance(Duration.ofSeconds(11));
        Reply old = server.anonymous().get("/health");
        assertThat(old.status()).isEqualTo(503);
        assertThat(old.text("/status")).isEqualTo("unhealthy");
        assertThat(old.at("/lease_expiry_job/healthy").asBoolean()).isFalse();

        server.kernel().kernel().start();
        Until.isTrue(
                "the job has run",
                Duration.ofSeconds(20),
                () -> server.anonymous().get("/health").status() == 200);
        Reply running = server.anonymous().get("/health");
        assertThat(running.at("/lease_expiry_job/ran").asBoolean()).isTrue();
        assertThat(running.number("/lease_expiry_job/seconds_since_last_run")).isLessThan(80);
    }

    @Test
    void a_lease_kept_alive_outlives_the_sweeps() {
        String id = tasks.create("swept", "\"leaseDurationSeconds\":30");
        tasks.verb(id, "claim");
        for (int i = 0; i < 5; i++) {
            server.clock().advance(Duration.ofSeconds(20));
            assertThat(tasks.verb(id, "heartbeat").status()).isEqualTo(200);
            assertThat(server.sweepLeases()).isZero();
        }
        assertThat(tasks.get(id).number("/task/attemptCount")).isEqualTo(1);
        server.clock().advance(Duration.ofSeconds(31));
        assertThat(server.sweepLeases()).isEqualTo(1);
        assertThat(tasks.status(id)).isEqualTo("pending");
    }

    /// However many holders were renewed since, one pass still comes to the lease that lapsed: at
    /// one batch a second a crowd of live leases would else keep it waiting for minutes.
    @Test
    void a_crowd_of_renewed_leases_does_not_hide_a_lapsed_one() {
        String id = tasks.create("swept", "\"leaseDurationSeconds\":30");
        tasks.verb(id, "claim");
        server.clock().advance(Duration.ofSeconds(31));
        server.database()
                .execute(
                        """
                        insert into work (account_id, id, profile, queue, kind, state, priority,
                            order_ms, attempt, max_attempts, retries, lease_seconds, lease_number,
                            cancel_requested, created_ms, updated_ms, event_seq, event_ms, payload)
                        select ?, gen_random_uuid(), 'tasks', 'tasks', 'crowd', 'ready', 0,
                            0, 0, 3, 0, 3600, 0, false, 1, 1, 1, 1, '{}'
                          from generate_series(1, 1000)
                        """,
                        UUID.fromString(tasks.accountId()));
        server.database()
                .execute(
                        """
                        update work set state = 'running', attempt = 1, lease_number = 1,
                            lease_token = gen_random_uuid(), lease_until_ms = ?, lease_check_ms = 1
                         where kind = 'crowd'
                        """,
                        stored.nowMs() + 3_600_000);
        server.sweepLeases();
        assertThat(stored.state(id)).isEqualTo("ready");
        long running = server.database().value("select count(*) from work where state = 'running'");
        assertThat(running).isEqualTo(1000);
    }
}
