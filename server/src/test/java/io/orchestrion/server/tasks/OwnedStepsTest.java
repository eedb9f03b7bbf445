package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.totals.Total;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.OwnerWords;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.server.EveryEndpoint;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Steps of an engine are claimed, reported and read as tasks are. They show nowhere else, unless
/// somebody asks for them, and only their engine manages them.
class OwnedStepsTest {
    private static final List<String> SITUATIONS =
            List.of(
                    "ready",
                    "scheduled",
                    "held",
                    "claimed",
                    "expired",
                    "completed",
                    "failed",
                    "lapsed",
                    "cancelled");

    /// An engine that does nothing when its steps end.
    private static final class Executions implements WorkOwner {
        @Override
        public String kind() {
            return "voyage";
        }

        @Override
        public OwnerWords words() {
            return new OwnerWords("a step", "voyage", "pause or cancel the voyage instead");
        }

        @Override
        public Set<UUID> lock(Tx tx, UUID accountId, List<UUID> ownerIds) {
            return Set.copyOf(ownerIds);
        }

        @Override
        public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) {}
    }

    private static TestServer server;

    @BeforeAll
    static void start() {
        server =
                new TestServer(
                        options -> options.withOwners(List.of(Jobs.owner(), new Executions())));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();
    private final UUID account = UUID.fromString(tasks.accountId());
    private final OwnerRef voyage = new OwnerRef("voyage", UUID.randomUUID());

    private static Kernel kernel() {
        return server.kernel().kernel();
    }

    private String step(String situation) {
        Long runAt =
                situation.equals("scheduled")
                        ? kernel().database().transaction(Tx::nowMillis) + 600_000
                        : null;
        var draft =
                NewWork.of(account, Profiles.STEPS, "work", "{}").notBefore(runAt).ownedBy(voyage);
        Submitted made = kernel().work().submit(Submission.of(draft));
        String id = ((Submitted.Created) made).view().item().id().toString();
        switch (situation) {
            case "ready", "scheduled" -> {}
            case "held" -> byOwner(id, new Command.Hold("paused"));
            case "cancelled" -> byOwner(id, new Command.Cancel());
            default -> {
                assertThat(tasks.verb(id, "claim").status()).isEqualTo(200);
                switch (situation) {
                    case "claimed" -> {}
                    case "expired" -> server.clock().advance(Duration.ofSeconds(61));
                    case "lapsed" -> {
                        server.clock().advance(Duration.ofSeconds(61));
                        kernel().sweepOnce("lease-reaper");
                    }
                    case "completed" ->
                            assertThat(tasks.verb(id, "complete").status()).isEqualTo(200);
                    case "failed" -> assertThat(tasks.verb(id, "fail").status()).isEqualTo(200);
                    default -> throw new IllegalArgumentException(situation);
                }
            }
        }
        return id;
    }

    private void byOwner(String id, Command command) {
        var order =
                new CommandRequest(account, Profiles.STEPS, UUID.fromString(id), command, false);
        kernel().database()
                .transaction(tx -> kernel().verbs().execute(tx, account, List.of(order)));
    }

    /// What every reader of the tasks door gets, but for when and by which request it was asked.
    private Map<String, String> everything(String plain) {
        var answers = new TreeMap<String, String>();
        for (EveryEndpoint.Asked asked : EveryEndpoint.of(tasks, plain, OwnedStepsTest::reads)) {
            answers.put(asked.endpoint().path(), said(asked.reply()));
        }
        answers.put("stream", said(tasks.api().get("/v1/events/stream?seconds=0")));
        for (String status : TaskStatus.SHOWN) {
            answers.put(status, said(tasks.api().get("/v1/tasks?status=" + status)));
        }
        for (String action : List.of("requeue", "purge", "cancel")) {
            answers.put(
                    action,
                    said(
                            tasks.api()
                                    .post(
                                            "/v1/operations",
                                            "{\"action\":\"%s\",\"dryRun\":true,\"filter\":{\"type\":\"work\"}}"
                                                    .formatted(action))));
        }
        answers.put(
                "totals",
                kernel().totals().read(Duration.ofSeconds(20)).stream()
                        .filter(total -> !total.queue().equals(Profiles.STEPS.log()))
                        .map(Total::toString)
                        .sorted()
                        .collect(Collectors.joining("\n")));
        return answers;
    }

    private static boolean reads(Endpoint endpoint) {
        return endpoint.method().equals("GET")
                && endpoint.door().equals("tasks")
                // What anybody may read is of the server and not of an account.
                && endpoint.access() != Access.PUBLIC
                && !endpoint.path().endsWith("/stream")
                && !endpoint.path().equals("/metrics");
    }

    private static String said(Reply reply) {
        return reply.status()
                + reply.text()
                        .replaceAll("\"request_id\":\"[^\"]*\"", "")
                        // A lease is a lease, whatever it is for: the plan bounds them together.
                        .replaceAll("\"activeWorkers\":\\d+", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"ready", "scheduled", "held", "claimed", "completed", "failed", "cancelled"})
    void no_reader_of_the_tasks_door_comes_by_a_step(String situation) {
        String plain = tasks.create("work");
        Map<String, String> before = everything(plain);
        String id = step(situation);
        Map<String, String> after = everything(plain);
        assertThat(after.keySet()).isEqualTo(before.keySet()).hasSizeGreaterThan(15);
        after.forEach((what, answer) -> assertThat(answer).as(what).isEqualTo(before.get(what)));
        assertThat(tasks.get(id).status()).isEqualTo(200);
    }

    @Test
    void who_asks_for_steps_gets_them() {
        String plain = tasks.create("work");
        String id = step("failed");
        assertThat(ids("/v1/tasks?include=owned", "/tasks", "id")).containsExactly(id, plain);
        assertThat(ids("/v1/tasks?include=owned&status=failed", "/tasks", "id"))
                .containsExactly(id);
        assertThat(ids("/v1/tasks?include=owned&status=dead_letter", "/tasks", "id")).isEmpty();
        Reply events = tasks.api().get("/v1/events?include=owned&taskId=" + id);
        assertThat(events.at("/events"))
                .extracting(event -> event.path("event").asString())
                .containsExactly("created", "claimed", "failed");
        assertThat(ids("/v1/events?include=owned", "/events", "taskId"))
                .containsExactly(plain, id, id, id);
        assertThat(ids("/v1/tasks/" + id + "/events", "/events", "taskId")).hasSize(3);
        assertThat(ids("/v1/events?taskId=" + id, "/events", "taskId")).isEmpty();
        Reply read = tasks.get(id);
        assertThat(read.text("/task/owner/kind")).isEqualTo("voyage");
        assertThat(read.text("/task/owner/id")).isEqualTo(voyage.id().toString());
        assertThat(tasks.get(plain).at("/task/owner").isMissingNode()).isTrue();
    }

    private List<String> ids(String path, String list, String field) {
        return StreamSupport.stream(tasks.api().get(path).at(list).spliterator(), false)
                .map(each -> each.path(field).asString())
                .toList();
    }

    @Test
    void a_step_that_failed_or_lapsed_is_no_dead_letter() {
        for (String situation : List.of("failed", "lapsed")) {
            String id = step(situation);
            assertThat(tasks.status(id)).as(situation).isEqualTo("failed");
            Reply refused = tasks.verb(id, "requeue");
            assertThat(refused.error()).isEqualTo("managed_task");
            List<String> words =
                    StreamSupport.stream(
                                    tasks.api()
                                            .get("/v1/tasks/" + id + "/events")
                                            .at("/events")
                                            .spliterator(),
                                    false)
                            .map(event -> event.path("event").asString())
                            .toList();
            assertThat(words).doesNotContain("dead_lettered");
        }
        assertThat(ids("/v1/tasks?status=dead_letter", "/tasks", "id")).isEmpty();
    }

    @Test
    void the_refusal_says_what_the_task_belongs_to_and_what_to_do_instead() {
        String id = step("ready");
        for (String verb : List.of("cancel", "requeue", "release")) {
            Reply refused = tasks.verb(id, verb);
            assertThat(refused.status()).as(verb).isEqualTo(409);
            assertThat(refused.error()).as(verb).isEqualTo("managed_task");
            assertThat(refused.text("/message"))
                    .isEqualTo(
                            "This task is a step of voyage "
                                    + voyage.id()
                                    + "; pause or cancel the voyage instead.");
        }
    }

    /// Each of the actions is tried on a step of its own.
    @Test
    void guidance_never_recommends_what_only_the_engine_may_do() {
        int tried = 0;
        for (String situation : SITUATIONS) {
            JsonNode actions = actions(step(situation));
            assertThat(actions).as(situation).isNotEmpty();
            for (int i = 0; i < actions.size(); i++) {
                String fresh = step(situation);
                JsonNode action = actions(fresh).get(i);
                String endpoint = action.path("endpoint").asString("");
                if (endpoint.contains(fresh)) {
                    boolean get = action.path("method").asString().equals("GET");
                    Reply reply =
                            get ? tasks.api().get(endpoint) : tasks.api().post(endpoint, "{}");
                    assertThat(reply.status() == 200 ? "" : reply.error())
                            .as("%s: %s", situation, action)
                            .isNotEqualTo("managed_task");
                    assertThat(reply.status() == 200)
                            .as("%s: %s answered %s", situation, action, reply.text())
                            .isEqualTo(action.path("available").booleanValue());
                    tried++;
                }
            }
        }
        assertThat(tried).isGreaterThanOrEqualTo(SITUATIONS.size());
    }

    private JsonNode actions(String id) {
        return tasks.get(id).at("/agent_contract/next_actions");
    }
}
