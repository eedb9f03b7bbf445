package io.orchestrion.server.types;

import static io.orchestrion.server.types.TypeApi.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.tasks.Storage;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class TypePauseTest {
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
    private final TypeApi types = TypeApi.of(tasks);

    @Test
    void nothing_of_a_paused_type_is_claimed_until_it_is_resumed() {
        types.register("mail", "{}");
        String id = tasks.create("mail");
        Reply paused = types.verb("mail", "pause");
        assertThat(paused.at("/type/paused").asBoolean()).isTrue();
        assertThat(paused.text("/type/pausedAt")).isNotEmpty();

        Reply empty = tasks.claim("mail");
        assertThat(empty.at("/task").isNull()).isTrue();
        assertThat(empty.at("/typePaused").asBoolean()).isTrue();
        assertThat(empty.number("/agent_contract/next_actions/0/retry_after_seconds"))
                .isEqualTo(TaskActions.PAUSED_WAIT_SECONDS);
        Reply several = tasks.api().post("/v1/tasks/batch/claim", "{\"type\":\"mail\",\"max\":5}");
        assertThat(several.at("/claims").isEmpty()).isTrue();
        assertThat(several.at("/typePaused").asBoolean()).isTrue();
        // New ones are taken in, and another type is not held up.
        tasks.create("mail");
        tasks.create("other");
        assertThat(tasks.claim("other").at("/task").isNull()).isFalse();
        assertThat(tasks.claim("other").at("/typePaused").isMissingNode()).isTrue();

        Reply resumed = types.verb("mail", "resume");
        assertThat(resumed.at("/type/paused").asBoolean()).isFalse();
        assertThat(resumed.at("/type/pausedAt").isNull()).isTrue();
        assertThat(tasks.claim("mail").text("/task/id")).isEqualTo(id);
    }

    @Test
    void a_task_of_a_paused_type_is_not_claimed_by_its_id_either() {
        types.register("mail", "{}");
        String id = tasks.create("mail");
        types.verb("mail", "pause");
        Reply reply = tasks.verb(id, "claim");
        refused(reply, 409, "type_paused", "mail is paused");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(tasks.status(id)).isEqualTo("pending");
        assertThat(tasks.get(id).number("/task/attemptCount")).isZero();
        types.verb("mail", "resume");
        assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
    }

    /// What cannot be claimed anyway says why; what is held goes on.
    @Test
    void a_pause_takes_nothing_from_a_holder() {
        types.register("mail", "{}");
        String id = tasks.create("mail");
        tasks.claim("mail");
        types.verb("mail", "pause");
        refused(tasks.verb(id, "claim"), 409, "task_currently_claimed");
        assertThat(tasks.verb(id, "heartbeat").status()).isEqualTo(200);
        assertThat(tasks.verb(id, "complete").status()).isEqualTo(200);
        refused(tasks.verb(id, "claim"), 409, "invalid_transition");
    }

    /// An expired lease of a paused type is not taken over; the sweeper gives the task back.
    @Test
    void a_lease_that_ran_out_during_a_pause_is_not_taken_over() {
        types.register("mail", "{}");
        String id = tasks.create("mail", "\"leaseDurationSeconds\":30");
        tasks.claim("mail");
        types.verb("mail", "pause");
        server.clock().advance(Duration.ofSeconds(31));
        refused(tasks.verb(id, "claim"), 409, "type_paused");
        server.sweepLeases();
        assertThat(tasks.status(id)).isEqualTo("pending");
        refused(tasks.verb(id, "claim"), 409, "type_paused");
    }

    @Test
    void a_draining_type_takes_no_new_tasks_and_is_worked_off() {
        types.register("mail", "{}");
        String id = tasks.create("mail");
        Reply draining = types.verb("mail", "drain");
        assertThat(draining.at("/type/draining").asBoolean()).isTrue();
        assertThat(draining.text("/type/drainingAt")).isNotEmpty();
        Reply reply = tasks.api().post("/v1/tasks", "{\"type\":\"mail\",\"payload\":{}}");
        refused(reply, 409, "type_draining", "/v1/types/mail/resume");
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isEqualTo(1);
        assertThat(tasks.claim("mail").text("/task/id")).isEqualTo(id);
        types.verb("mail", "resume");
        tasks.create("mail");
    }

    @Test
    void pausing_again_changes_nothing_and_a_new_registration_keeps_the_pause() {
        types.register("mail", "{}");
        Reply first = types.verb("mail", "pause");
        server.clock().advance(Duration.ofSeconds(5));
        assertThat(types.verb("mail", "pause").at("/type")).isEqualTo(first.at("/type"));
        Reply both = types.verb("mail", "drain");
        assertThat(both.at("/type/pausedAt")).isEqualTo(first.at("/type/pausedAt"));
        Reply replaced = types.put("mail", "{\"description\":\"x\"}");
        assertThat(replaced.at("/type/paused").asBoolean()).isTrue();
        assertThat(replaced.at("/type/draining").asBoolean()).isTrue();
        Reply resumed = types.verb("mail", "resume");
        assertThat(resumed.at("/type/paused").asBoolean()).isFalse();
        assertThat(resumed.at("/type/draining").asBoolean()).isFalse();
    }

    @Test
    void a_type_that_nobody_registered_cannot_be_paused() {
        for (String verb : List.of("pause", "resume", "drain")) {
            refused(types.verb("none", verb), 404, "type_not_found");
            refused(
                    tasks.api().post("/v1/types/none/" + verb, "{\"a\":1}"),
                    400,
                    "invalid_request",
                    "\"a\"");
        }
    }

    /// Many claim while it is paused: whatever was answered before, nothing is handed out after
    /// the answer to the pause, by type or by id, and all of it afterwards, each once.
    @Test
    void a_pause_holds_from_its_answer_on_under_load() {
        types.register("mail", "{}");
        int count = 60;
        List<String> ids = Parallel.run(count, i -> () -> tasks.create("mail"));
        List<String> early =
                Parallel.run(
                        12,
                        i ->
                                () -> {
                                    if (i == 6) {
                                        types.verb("mail", "pause");
                                        return "";
                                    }
                                    return tasks.claim("mail").text("/task/id");
                                });
        List<Reply> during =
                Parallel.run(
                        20,
                        i ->
                                () ->
                                        i % 2 == 0
                                                ? tasks.claim("mail")
                                                : tasks.verb(ids.get(i), "claim"));
        assertThat(during).noneMatch(reply -> reply.status() == 200 && !reply.at("/task").isNull());
        types.verb("mail", "resume");
        List<String> late = Parallel.run(count, i -> () -> tasks.claim("mail").text("/task/id"));
        var all = new HashSet<String>();
        early.stream().filter(id -> !id.isEmpty()).forEach(id -> assertThat(all.add(id)).isTrue());
        late.stream().filter(id -> !id.isEmpty()).forEach(id -> assertThat(all.add(id)).isTrue());
        assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    }

    /// The statement reads the pause: a node that has not heard of it obeys all the same.
    @Test
    void a_pause_on_one_node_holds_on_another_at_once() {
        types.register("mail", "{}");
        tasks.create("mail");
        // Another node that would believe what it knows for an hour.
        Kernel other =
                server.kernel()
                        .anotherNode(
                                options ->
                                        options.withPace(
                                                Duration.ofMillis(50), Duration.ofHours(1), false));
        try (var node = OrchestrionServer.start(other, TestServer.options())) {
            var api = io.orchestrion.testkit.Api.on(node.port(), (_, _, _) -> {});
            var there = new TaskApi(api.withKey(tasks.key()), tasks.key(), tasks.accountId());
            assertThat(there.claim("none").at("/task").isNull()).isTrue();
            String id = there.create("mail");
            types.verb("mail", "pause");
            assertThat(there.claim("mail").at("/task").isNull()).isTrue();
            refused(there.verb(id, "claim"), 409, "type_paused");
        }
    }

    /// What a node believes, it forgets at once when it makes the change itself.
    @Test
    void a_node_that_believes_sees_its_own_changes_at_once() {
        try (var slow =
                new TestServer(
                        options ->
                                options.withPace(
                                        Duration.ofMillis(50), Duration.ofHours(1), false))) {
            TaskApi mine = slow.account();
            TypeApi their = TypeApi.of(mine);
            mine.create("a");
            their.register("a", "{\"payloadSchema\":{\"required\":[\"x\"]}}");
            String create = "{\"type\":\"a\",\"payload\":{}}";
            refused(mine.api().post("/v1/tasks", create), 400, "invalid_request", "payload.x");
            their.register("a", "{}");
            mine.create("a");
            their.verb("a", "drain");
            refused(mine.api().post("/v1/tasks", create), 409, "type_draining");
            their.delete("a");
            mine.create("a");
            their.strict(true);
            refused(mine.api().post("/v1/tasks", create), 400, "invalid_request", "registered");
            mine.claim("a");
            String held = mine.claim("a").text("/task/id");
            their.register("a", "{\"resultSchema\":{\"required\":[\"r\"]}}");
            refused(mine.verb(held, "complete"), 400, "invalid_request", "result.r");
        }
    }

    /// Who waits for work of the type need not wait for the next look.
    @Test
    void resuming_wakes_those_who_wait() throws Exception {
        types.register("mail", "{}");
        tasks.create("mail");
        types.verb("mail", "pause");
        Kernel kernel = server.kernel().kernel();
        UUID account = UUID.fromString(tasks.accountId());
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Claimed> waiting =
                    executor.submit(
                            () ->
                                    kernel.work()
                                            .claim(
                                                    new ClaimRequest(
                                                            account, "tasks", "mail", 1, null,
                                                            null),
                                                    Duration.ofSeconds(60)));
            Until.isTrue("it waits", Duration.ofSeconds(10), () -> kernel.waiters().waiting() == 1);
            types.verb("mail", "resume");
            assertThat(waiting.get().items()).hasSize(1);
        }
    }
}
