package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.app.client.ClientServer.Waits;
import io.orchestrion.app.client.FaultyProxy.Fault;
import io.orchestrion.app.client.FaultyProxy.Seen;
import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskQuery;
import io.orchestrion.sdk.TaskStatus;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

/// What the client sends again by itself, and what it does not.
@Timeout(180)
class SdkRetryTest {
    private static ClientServer server;
    private final Waits waits = new Waits();
    private FaultyProxy proxy;
    private OrchestrionClient client;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        proxy = new FaultyProxy(server.url());
        client =
                OrchestrionClient.builder(proxy.url())
                        .key(server.newKey())
                        .retries(waits.policy())
                        .build();
    }

    @AfterEach
    void disconnect() {
        client.close();
        proxy.close();
    }

    private ClaimedTask claimed() {
        client.create(NewTask.ofType("t").build());
        ClaimedTask claimed = client.claim("t", "me").taken().orElseThrow();
        proxy.seen.clear();
        return claimed;
    }

    private static OrchestrionException refusal(Runnable call) {
        return catchThrowableOfType(OrchestrionException.class, call::run);
    }

    @Test
    void a_create_whose_answers_are_lost_makes_one_task_under_one_key() {
        proxy.next(Fault.LOSE_ANSWER, Fault.LOSE_REQUEST, Fault.OVERLOADED);
        Task task = client.create(NewTask.ofType("t").build());
        assertThat(proxy.seen).hasSize(4);
        assertThat(proxy.seen).extracting(Seen::idempotencyKey).doesNotContain("null");
        assertThat(proxy.seen.stream().map(Seen::idempotencyKey).distinct()).hasSize(1);
        assertThat(client.list(TaskQuery.ALL).tasks()).extracting(Task::id).containsOnly(task.id());
    }

    @Test
    void the_waits_double_and_the_servers_own_counts_when_it_is_longer() {
        proxy.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.OVERLOADED);
        client.create(NewTask.ofType("t").build());
        assertThat(waits.waited)
                .containsExactly(
                        Duration.ofMillis(150), Duration.ofMillis(300), Duration.ofSeconds(1));
    }

    @Test
    void the_tries_are_bounded_and_the_earlier_ones_are_told() {
        proxy.always(Fault.OVERLOADED);
        OrchestrionException e = refusal(() -> client.create(NewTask.ofType("t").build()));
        assertThat(e.code()).isEqualTo("overloaded");
        assertThat(proxy.seen).hasSize(5);
        assertThat(e.getSuppressed()).hasSize(4);
    }

    @Test
    void reads_and_heartbeats_are_sent_again() {
        ClaimedTask claimed = claimed();
        proxy.next(Fault.OVERLOADED);
        assertThat(client.get(claimed.id()).status()).isEqualTo(TaskStatus.CLAIMED);
        proxy.next(Fault.LOSE_ANSWER);
        assertThat(client.heartbeat(claimed).lastHeartbeatAt()).isNotNull();
        assertThat(proxy.seen).hasSize(4);
    }

    @Test
    void a_claim_is_sent_once() {
        client.create(NewTask.ofType("t").build());
        proxy.next(Fault.LOSE_ANSWER);
        OrchestrionException e = refusal(() -> client.claim("t", "me"));
        assertThat(e.code()).isEqualTo(OrchestrionException.NO_ANSWER);
        assertThat(proxy.paths()).containsOnlyOnce("/v1/tasks/claim");
    }

    @Test
    void a_complete_whose_answer_was_lost_is_found_to_be_done() {
        ClaimedTask claimed = claimed();
        proxy.next(Fault.LOSE_ANSWER);
        Task done = client.complete(claimed, "{ \"b\" : 1e2, \"a\" : [1.50, \"x\"] }");
        assertThat(done.status()).isEqualTo(TaskStatus.COMPLETED);
        String path = "/v1/tasks/" + claimed.id();
        assertThat(proxy.paths()).containsExactly(path + "/complete", path + "/complete");
    }

    @Test
    void a_complete_that_never_arrived_is_sent_again() {
        ClaimedTask claimed = claimed();
        proxy.next(Fault.LOSE_REQUEST, Fault.OVERLOADED);
        assertThat(client.complete(claimed, null).status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(proxy.seen).hasSize(3);
    }

    @Test
    void a_fail_whose_answer_was_lost_is_found_to_be_done() {
        ClaimedTask claimed = claimed();
        proxy.next(Fault.LOSE_ANSWER);
        Task failed = client.fail(claimed, "broken");
        assertThat(failed.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(failed.attemptCount()).isEqualTo(1);
    }

    @Test
    void somebody_elses_completion_is_not_taken_for_ours() {
        ClaimedTask claimed = claimed();
        server.clock().advance(Duration.ofMinutes(6));
        ClaimedTask theirs = client.claim(claimed.id(), "other");
        client.complete(theirs, "{\"by\":\"other\"}");
        proxy.next(Fault.LOSE_REQUEST);
        OrchestrionException e = refusal(() -> client.complete(claimed, "{\"by\":\"me\"}"));
        assertThat(e.status()).isEqualTo(409);
        assertThat(e.code()).isIn("invalid_transition", "lease_expired");
    }

    @Test
    void without_a_lease_token_a_complete_is_sent_once() {
        ClaimedTask claimed = claimed();
        proxy.next(Fault.LOSE_ANSWER);
        OrchestrionException e = refusal(() -> client.complete(claimed.id(), null, "{}", null));
        assertThat(e.code()).isEqualTo(OrchestrionException.NO_ANSWER);
        assertThat(proxy.seen).hasSize(1);
    }
}
