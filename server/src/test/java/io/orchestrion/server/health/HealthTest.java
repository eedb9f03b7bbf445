package io.orchestrion.server.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestrion.postgres.PostgresStartException.Reason;
import io.orchestrion.server.FakeHost;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.tasks.Provoked;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

class HealthTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private final TestServer server = new TestServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private Reply health() {
        return server.anonymous().get("/health");
    }

    private boolean ran() {
        return health().at("/lease_expiry_job/ran").asBoolean();
    }

    /// T-020, T-127, T-313: with no credential, and the lease job first.
    @Test
    void health_shows_when_the_lease_job_last_ran() {
        assertThat(ran()).isFalse();
        server.kernel().kernel().start();
        Until.isTrue("the lease job runs", SOON, this::ran);
        Reply well = health();
        assertThat(well.status()).isEqualTo(200);
        assertThat(well.text("/status")).isEqualTo("ok");
        assertThat(well.text("/version")).isEqualTo("test");
        assertThat(well.at("/lease_expiry_job/healthy").asBoolean()).isTrue();
        assertThat(well.number("/lease_expiry_job/seconds_since_last_run")).isBetween(0, 89);
        assertThat(well.at("/jobs").values())
                .extracting(job -> job.get("name").asString())
                .contains("lease-reaper");
        assertThat(well.header("Content-Type")).startsWith("application/json");
    }

    /// T-127.
    @ParameterizedTest
    @CsvSource({"80, 200, ok", "91, 503, unhealthy", "3600, 503, unhealthy"})
    void health_turns_bad_when_the_lease_job_has_not_run_for_90_seconds(
            int seconds, int status, String word) {
        server.clock().advance(Duration.ofSeconds(seconds));
        Reply reply = health();
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.text("/status")).isEqualTo(word);
        assertThat(reply.at("/lease_expiry_job/healthy").asBoolean()).isEqualTo(status == 200);
        assertThat(reply.number("/lease_expiry_job/seconds_since_last_run"))
                .isBetween(seconds, seconds + 9);
    }

    /// A transaction that a person left open is named, with who waits for it; events are read and
    /// tasks handed out all the same.
    @Test
    void a_transaction_that_was_left_open_is_named_and_holds_up_no_events() throws Exception {
        TaskApi tasks = server.account();
        tasks.create("left-open");
        assertThat(health().at("/database/oldest_transaction").isNull()).isTrue();
        try (Connection left = server.database().connect();
                Statement statement = left.createStatement()) {
            statement.execute("set application_name = 'psql'");
            left.setAutoCommit(false);
            statement.execute("create table left_open (id int)");
            tasks.create("left-open");
            assertThat(tasks.api().get("/v1/events").at("/events").size()).isEqualTo(2);
            server.clock().advance(Duration.ofSeconds(80));
            Until.isTrue(
                    "the probe asks again",
                    SOON,
                    () -> !health().at("/database/oldest_transaction").isNull());
            Reply named = health();
            assertThat(named.status()).isEqualTo(200);
            assertThat(named.text("/status")).isEqualTo("degraded");
            assertThat(named.text("/database/oldest_transaction/application")).isEqualTo("psql");
            assertThat(named.text("/database/oldest_transaction/state"))
                    .isEqualTo("idle in transaction");
            assertThat(named.number("/database/oldest_transaction/open_seconds"))
                    .isGreaterThanOrEqualTo(60);
            assertThat(named.number("/database/oldest_transaction/sessions_waiting")).isZero();
            left.rollback();
        }
        Until.isTrue(
                "it is over", SOON, () -> health().at("/database/oldest_transaction").isNull());
    }

    /// T-127, T-283: an unhealthy node tells when to look again, and recovers by itself.
    @Test
    void health_comes_back_with_the_first_good_pass() {
        server.clock().advance(Duration.ofSeconds(91));
        Reply bad = health();
        assertThat(bad.text("/agent_contract/next_actions/0/action")).isEqualTo("retry_after_wait");
        assertThat(bad.at("/agent_contract/retryable").asBoolean()).isTrue();
        server.kernel().kernel().start();
        Until.isTrue("health is back", SOON, () -> health().status() == 200);
    }

    /// T-127: a job that runs and fails has not run.
    @Test
    void a_lease_job_that_only_fails_is_unhealthy_and_tells_no_secrets() {
        server.kernel()
                .failpoints()
                .arm(
                        "pool.before-commit",
                        () -> {
                            throw new IllegalStateException(Provoked.SECRET);
                        });
        server.kernel().kernel().start();
        Until.isTrue("the lease job fails", SOON, () -> !lastError().isEmpty());
        server.clock().advance(Duration.ofSeconds(91));
        Reply bad = health();
        assertThat(bad.status()).isEqualTo(503);
        assertThat(bad.at("/lease_expiry_job/healthy").asBoolean()).isFalse();
        assertThat(bad.text()).doesNotContain("secret", "select");
        server.kernel().failpoints().disarm("pool.before-commit");
        Until.isTrue("health is back", SOON, () -> health().status() == 200);
        assertThat(lastError()).isEmpty();
    }

    /// T-313: beside the duties, the parts that an operator asks about first.
    @Test
    void health_tells_of_database_disk_version_and_uptime() {
        Reply well = health();
        assertThat(well.at("/database/reachable").asBoolean()).isTrue();
        assertThat(well.at("/database/schema").asBoolean()).isTrue();
        assertThat(well.at("/database/round_trip_ms").asDouble()).isPositive();
        assertThat(well.number("/database/seconds_since_checked")).isZero();
        assertThat(well.number("/uptime_seconds")).isNotNegative();
        assertThat(well.at("/disk/ours").asBoolean()).isFalse();
        assertThat(well.at("/disk/free_bytes").isNull()).isTrue();
        assertThat(well.header("Cache-Control")).isEqualTo("no-store");
    }

    /// T-313: with a database of our own, the room that it has.
    @Test
    void health_tells_how_much_room_the_database_has() {
        var host = new FakeHost();
        try (var own = new TestServer(options -> options, options -> options.withHost(host))) {
            host.free(768 << 20, 1L << 30);
            Reply well = own.anonymous().get("/health");
            assertThat(well.text("/status")).isEqualTo("ok");
            assertThat(well.at("/disk/ours").asBoolean()).isTrue();
            assertThat(well.number("/disk/free_bytes")).isEqualTo(768 << 20);
            assertThat(well.at("/disk/total_bytes").asLong()).isEqualTo(1L << 30);
            assertThat(well.at("/disk/free_share").asDouble()).isCloseTo(0.75, within(0.001));
            assertThat(well.at("/disk/low").asBoolean()).isFalse();
            host.free((256 << 20) - 1, 1L << 30);
            assertThat(own.anonymous().get("/health").at("/disk/low").asBoolean()).isTrue();
            assertThat(own.anonymous().get("/ready").status()).isEqualTo(200);
            host.unreadable();
            Reply unknown = own.anonymous().get("/health");
            assertThat(unknown.at("/disk/free_bytes").isNull()).isTrue();
            assertThat(unknown.at("/disk/low").asBoolean()).isFalse();
        }
    }

    /// What the supervisor knows is said at once, before the database was asked again.
    @Test
    void a_database_that_is_being_restarted_is_told_of_at_once() {
        var host = new FakeHost();
        try (var own = new TestServer(options -> options, options -> options.withHost(host))) {
            assertThat(own.anonymous().get("/ready").status()).isEqualTo(200);
            host.fails(Reason.NO_DISK, 7, Duration.ofSeconds(75));
            Reply ready = own.anonymous().get("/ready");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text("/reasons/0")).isEqualTo("database_unreachable");
            Reply health = own.anonymous().get("/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.text("/status")).isEqualTo("degraded");
            assertThat(health.text("/database/problem"))
                    .contains("75 s", "7 tries", "disk is full")
                    .doesNotContain(FakeHost.WORDS);
            host.works();
            assertThat(own.anonymous().get("/ready").status()).isEqualTo(200);
        }
    }

    private String lastError() {
        return health().at("/jobs").values().stream()
                .filter(job -> job.get("name").asString().equals("lease-reaper"))
                .map(job -> job.get("last_error").isNull() ? "" : job.get("last_error").asString())
                .findFirst()
                .orElseThrow();
    }
}
