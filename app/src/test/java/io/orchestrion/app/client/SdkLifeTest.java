package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.NothingToClaim;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskPage;
import io.orchestrion.sdk.TaskQuery;
import io.orchestrion.sdk.TaskStatus;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

@Timeout(180)
class SdkLifeTest {
    private static ClientServer server;
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
        client = server.client();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private Task created(String type) {
        return client.create(NewTask.ofType(type).build());
    }

    @Test
    void a_task_goes_from_created_to_completed() {
        Task created =
                client.create(
                        NewTask.ofType("hello")
                                .payload("{\"name\":\"world\"}")
                                .priority(5)
                                .maxAttempts(2)
                                .leaseDuration(Duration.ofSeconds(60))
                                .build());
        assertThat(created.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(created.priority()).isEqualTo(5);
        assertThat(created.maxAttempts()).isEqualTo(2);
        assertThat(created.payloadJson().path("name").asString()).isEqualTo("world");
        assertThat(created.resultJson().isMissingNode()).isTrue();

        ClaimedTask claimed = client.claim("hello", "me").taken().orElseThrow();
        assertThat(claimed.id()).isEqualTo(created.id());
        assertThat(claimed.task().claimedBy()).isEqualTo("me");
        assertThat(claimed.heartbeatInterval()).isEqualTo(Duration.ofSeconds(20));
        assertThat(claimed.toString()).doesNotContain(claimed.leaseToken().toString());

        Task kept = client.heartbeat(claimed);
        assertThat(kept.lastHeartbeatAt()).isNotNull();
        assertThat(kept.contract().recommended().orElseThrow().action()).isEqualTo("complete_task");

        Task completed = client.complete(claimed, "{\"greeting\":\"hello world\"}");
        assertThat(completed.status()).isEqualTo(TaskStatus.COMPLETED);
        Task read = client.get(created.id());
        assertThat(read.completedAt()).isNotNull();
        assertThat(read.result()).isEqualTo("{\"greeting\":\"hello world\"}");
    }

    @Test
    void a_failed_task_waits_as_asked_then_is_dead_lettered_and_requeued() {
        UUID id = client.create(NewTask.ofType("f").maxAttempts(2).build()).id();
        ClaimedTask first = client.claim("f", null).taken().orElseThrow();
        Task failed = client.fail(id, first.leaseToken(), "too early", Duration.ofSeconds(40));
        assertThat(failed.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(failed.lastFailureReason()).isEqualTo("too early");
        assertThat(client.claim("f", null)).isInstanceOf(NothingToClaim.class);
        server.clock().advance(Duration.ofSeconds(41));
        ClaimedTask second = client.claim(id, "me");
        assertThat(client.fail(second, "again").status()).isEqualTo(TaskStatus.DEAD_LETTER);
        assertThat(client.requeue(id).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(client.cancel(id).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void with_nothing_to_claim_the_server_says_how_long_to_wait() {
        assertThat(client.claim("none", "me")).isEqualTo(new NothingToClaim(Duration.ofSeconds(5)));
    }

    @Test
    void a_scheduled_task_keeps_its_time() {
        Instant at = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
        Task task = client.create(NewTask.ofType("later").scheduledAt(at).build());
        assertThat(task.scheduledAt()).isEqualTo(at);
    }

    @Test
    void lists_come_in_pages_and_as_a_whole() {
        List<UUID> made = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            made.addFirst(created("listed").id());
        }
        created("other");
        TaskQuery query = TaskQuery.ALL.withType("listed").withLimit(3);
        TaskPage first = client.list(query);
        assertThat(first.tasks()).extracting(Task::id).isEqualTo(made.subList(0, 3));
        TaskPage second = client.list(query.after(first.nextCursor()));
        assertThat(second.tasks()).extracting(Task::id).isEqualTo(made.subList(3, 6));
        List<UUID> all = new ArrayList<>();
        client.listAll(query).forEach(task -> all.add(task.id()));
        assertThat(all).isEqualTo(made);
        assertThat(client.list(query.withStatus(TaskStatus.COMPLETED)).tasks()).isEmpty();
    }

    @Test
    void numbers_keep_every_digit() {
        // In the order in which the server keeps them.
        String payload =
                "{\"i\":1234567890123456789012,\"n\":12345678901234567890.123456789012345678900}";
        Task task = client.create(NewTask.ofType("n").payload(payload).build());
        assertThat(client.get(task.id()).payload()).isEqualTo(payload);
    }

    @Test
    void the_same_new_task_sent_twice_is_one_task() {
        NewTask task = NewTask.ofType("once").idempotencyKey("order-42").build();
        assertThat(client.create(task).id()).isEqualTo(client.create(task).id());
        assertThat(client.list(TaskQuery.ALL).tasks()).hasSize(1);
    }

    @Test
    void health_is_told_to_anybody() {
        try (var anybody = OrchestrionClient.builder(server.url()).build()) {
            assertThat(anybody.health().version()).isEqualTo("test");
            assertThat(anybody.health().jobs()).extracting("name").contains("lease-reaper");
        }
    }
}
