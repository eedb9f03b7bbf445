package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;

class LeaseTest {
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

    private String claimed(int leaseSeconds) {
        String id = tasks.create("leased", "\"leaseDurationSeconds\":" + leaseSeconds);
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
        return id;
    }

    private static long leaseEnd(Reply reply) {
        return Instant.parse(reply.text("/task/leaseExpiresAt")).toEpochMilli();
    }

    private static void seconds(long seconds) {
        server.clock().advance(Duration.ofSeconds(seconds));
    }

    /// T-119.
    @ParameterizedTest
    @ValueSource(ints = {30, 300, 3600})
    void a_claim_lasts_from_the_database_s_now_for_the_task_s_lease(int lease) {
        String first = tasks.create("next", "\"leaseDurationSeconds\":" + lease);
        Reply next = tasks.claim("next");
        assertThat(next.text("/task/id")).isEqualTo(first);
        assertThat(leaseEnd(next)).isCloseTo(stored.nowMs() + lease * 1000L, within(1000L));
        String second = tasks.create("this", "\"leaseDurationSeconds\":" + lease);
        Reply byId = tasks.verb(second, "claim");
        assertThat(leaseEnd(byId)).isCloseTo(stored.nowMs() + lease * 1000L, within(1000L));
        assertThat(leaseEnd(tasks.get(second))).isEqualTo(leaseEnd(byId));
    }

    /// T-120.
    @Test
    void no_call_changes_the_length_of_the_lease() {
        String id = tasks.create("leased", "\"leaseDurationSeconds\":60,\"maxAttempts\":1");
        String wish = "{\"leaseDurationSeconds\":999}";
        sixty(id, "claim", wish);
        sixty(id, "heartbeat", wish);
        sixty(id, "fail", wish);
        sixty(id, "requeue", wish);
        assertThat(tasks.status(id)).isEqualTo("pending");
        sixty(id, "cancel", wish);
    }

    /// The wish may be refused or ignored; the task keeps its lease either way.
    private void sixty(String id, String verb, String wish) {
        int status = tasks.verb(id, verb, wish).status();
        assertThat(status).isIn(200, 400);
        assertThat(tasks.get(id).number("/task/leaseDurationSeconds")).isEqualTo(60);
        if (status == 400) {
            assertThat(tasks.verb(id, verb).status()).isEqualTo(200);
            assertThat(tasks.get(id).number("/task/leaseDurationSeconds")).isEqualTo(60);
        }
    }

    /// T-121.
    @Test
    void a_heartbeat_moves_the_end_to_its_own_time_and_one_lease_more() {
        String id = claimed(60);
        seconds(40);
        Reply beat = tasks.verb(id, "heartbeat");
        assertThat(beat.status()).isEqualTo(200);
        assertThat(leaseEnd(beat)).isCloseTo(stored.nowMs() + 60_000, within(1000L));
        seconds(40);
        assertThat(tasks.verb(id, "complete").status()).isEqualTo(200);
    }

    /// T-122, T-123.
    @Test
    void a_hundred_heartbeats_bank_no_time_and_count_no_attempt() {
        String id = claimed(60);
        Reply last = tasks.get(id);
        for (int i = 0; i < 100; i++) {
            last = tasks.verb(id, "heartbeat");
            assertThat(last.status()).isEqualTo(200);
        }
        assertThat(leaseEnd(last)).isLessThanOrEqualTo(stored.nowMs() + 60_000);
        assertThat(last.number("/task/attemptCount")).isEqualTo(1);
        assertThat(tasks.get(id).number("/task/attemptCount")).isEqualTo(1);
    }

    /// T-123: also from many threads at once, and with no history of it.
    @Test
    void a_storm_of_heartbeats_counts_no_attempt() {
        String id = claimed(60);
        var replies = Parallel.run(50, _ -> () -> tasks.verb(id, "heartbeat").status());
        assertThat(replies).containsOnly(200);
        assertThat(tasks.get(id).number("/task/attemptCount")).isEqualTo(1);
        assertThat(stored.story(id)).containsExactly("submit null ready", "lease ready running");
    }

    /// T-124: each of the three conditions missing alone.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "fail", "heartbeat"})
    void a_holder_s_verb_needs_the_account_the_claim_and_a_live_lease(String verb) {
        String id = claimed(60);
        Reply stranger = server.account().verb(id, verb);
        assertThat(stranger.status()).isEqualTo(404);
        assertThat(stranger.error()).isEqualTo("task_not_found");

        Reply unclaimed = tasks.verb(tasks.create("leased"), verb);
        assertThat(unclaimed.status()).isEqualTo(409);
        assertThat(unclaimed.error()).isEqualTo("invalid_transition");

        seconds(61);
        Reply late = tasks.verb(id, verb);
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.error()).isEqualTo("lease_expired");

        String held = claimed(60);
        assertThat(tasks.verb(held, verb).status()).isEqualTo(200);
    }

    @Test
    void a_heartbeat_shortly_before_the_end_is_in_time_and_one_lease_later_it_is_not() {
        String id = claimed(30);
        long left = leaseEnd(tasks.get(id)) - stored.nowMs();
        server.clock().advance(Duration.ofMillis(left - 500));
        assertThat(tasks.verb(id, "heartbeat").status()).isEqualTo(200);
        server.clock().advance(Duration.ofSeconds(30));
        assertThat(tasks.verb(id, "complete").error()).isEqualTo("lease_expired");
    }

    /// T-125.
    @Test
    void any_worker_of_the_account_may_complete() {
        String id = tasks.create("leased");
        Reply claim = tasks.verb(id, "claim", "{\"workerId\":\"ada\"}");
        assertThat(claim.text("/task/claimedBy")).isEqualTo("ada");
        assertThat(tasks.verb(id, "heartbeat").status()).isEqualTo(200);
        Reply completed = tasks.verb(id, "complete");
        assertThat(completed.status()).isEqualTo(200);
        assertThat(completed.text("/task/claimedBy")).isEqualTo("ada");
    }

    /// T-128.
    @ParameterizedTest
    @CsvSource({
        "30,   10",
        "31,   10",
        "32,   10",
        "33,   11",
        "100,  33",
        "300,  100",
        "301,  100",
        "3599, 1199",
        "3600, 1200",
    })
    void the_contract_recommends_a_third_of_the_lease(int lease, int heartbeat) {
        String pointer = "/agent_contract/recommended_heartbeat_interval_seconds";
        String id = tasks.create("leased", "\"leaseDurationSeconds\":" + lease);
        assertThat(tasks.claim("leased").number(pointer)).isEqualTo(heartbeat);
        assertThat(tasks.verb(id, "heartbeat").number(pointer)).isEqualTo(heartbeat);
        assertThat(tasks.get(id).number(pointer)).isEqualTo(heartbeat);
    }

    /// T-130.
    @ParameterizedTest
    @ValueSource(strings = {"complete", "fail", "heartbeat"})
    void a_token_of_an_earlier_lease_is_refused_though_the_task_is_held(String verb) {
        String id = tasks.create("leased", "\"leaseDurationSeconds\":30");
        String stale = tasks.claim("leased").text("/leaseToken");
        assertThat(stale).isNotEmpty();
        seconds(31);
        server.sweepLeases();
        String current = tasks.claim("leased").text("/leaseToken");
        assertThat(current).isNotEmpty().isNotEqualTo(stale);
        var row = stored.row(id);

        Reply late = tasks.verb(id, verb, "{\"leaseToken\":\"" + stale + "\"}");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.error()).isEqualTo("lease_expired");
        assertThat(stored.row(id)).isEqualTo(row);

        Reply inTime = tasks.verb(id, verb, "{\"leaseToken\":\"" + current + "\"}");
        assertThat(inTime.status()).isEqualTo(200);
    }

    /// T-130: after the lapse was applied and before anybody claimed again.
    @Test
    void a_late_completion_with_a_token_is_refused_while_nobody_holds_the_task() {
        String id = tasks.create("leased", "\"leaseDurationSeconds\":30");
        String stale = tasks.claim("leased").text("/leaseToken");
        seconds(31);
        server.sweepLeases();
        Reply late = tasks.verb(id, "complete", "{\"leaseToken\":\"" + stale + "\"}");
        assertThat(late.error()).isEqualTo("lease_expired");
        assertThat(tasks.status(id)).isEqualTo("pending");
    }

    @Test
    void a_late_failure_does_not_end_the_claim_that_came_after_it() {
        String id = tasks.create("leased", "\"leaseDurationSeconds\":30");
        String stale = tasks.claim("leased").text("/leaseToken");
        seconds(31);
        // Reclaimed by id, over the lapse that no sweep has seen.
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
        Reply late = tasks.verb(id, "fail", "{\"leaseToken\":\"" + stale + "\"}");
        assertThat(late.error()).isEqualTo("lease_expired");
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    @Test
    void a_token_that_is_none_is_a_bad_request() {
        String id = claimed(60);
        Reply bad = tasks.verb(id, "complete", "{\"leaseToken\":\"mine\"}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }
}
