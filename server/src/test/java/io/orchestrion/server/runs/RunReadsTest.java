package io.orchestrion.server.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// How runs and their parts are shown, and to whom.
class RunReadsTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi account = server.account();
    private final Api api = account.api();
    private final StoredRun run = StoredRun.running(server, account, Map.of());

    /// every field of a run, also where it has no value yet.
    @Test
    void a_run_is_shown_with_every_field() {
        Reply reply = api.get(run.path());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.text("/id")).isEqualTo("run_" + run.id).isEqualTo(reply.text("/run_id"));
        assertThat(reply.text("/org_id")).isEqualTo(account.accountId());
        assertThat(reply.text("/status")).isEqualTo("running");
        assertThat(reply.at("/context").toString())
                .isEqualTo("{\"goal\":1,\"decomposition\":null,\"replan_count\":0}");
        for (String field :
                List.of(
                        "name",
                        "task",
                        "created_at",
                        "started_at",
                        "last_heartbeat",
                        "completed_at",
                        "cancelled_at",
                        "duration_ms",
                        "last_error",
                        "credits_reserved",
                        "credits_charged",
                        "credits_refunded",
                        "agent_count",
                        "task_count",
                        "attempt_number",
                        "max_attempts",
                        "failure_mode",
                        "max_agents",
                        "max_tokens",
                        "priority",
                        "escalation_ticket_id")) {
            assertThat(reply.body().has(field)).as(field).isTrue();
        }
        assertThat(reply.at("/credits_reserved").toString()).isEqualTo("100");
        assertThat(reply.text("/waits_for/on")).isEqualTo("parts");
    }

    /// agents, tasks and steps, with what each waits for.
    @Test
    void agents_tasks_and_steps_are_shown_with_their_fields() {
        UUID agent = run.agent(0);
        UUID task = run.task(agent, 0, 0, 2);
        UUID blocked = run.task(agent, 1, 1, 0);
        UUID step = run.step(agent, task, 0);
        UUID attempt = run.attempt(step, 1, "pending");
        run.opens(step, attempt);
        run.step(agent, task, 1);
        run.used(attempt, "0.5");

        Reply agents = api.get(run.path() + "/agents?attempt_number=1");
        assertThat(agents.text("/items/0/id")).isEqualTo("agent_" + agent);
        assertThat(agents.text("/items/0/subtask")).isEqualTo("part 0");
        assertThat(agents.text("/items/0/failure_mode")).isEqualTo("continue");
        assertThat(agents.number("/items/0/sequence_number")).isZero();
        assertThat(api.get(run.path() + "/agents?attempt_number=2").at("/items")).isEmpty();

        Reply tasks = api.get(run.path() + "/agents/agent_" + agent + "/tasks");
        assertThat(tasks.text("/items/0/id")).isEqualTo("rtask_" + task);
        assertThat(tasks.text("/items/1/dependencies/0")).isEqualTo("task 0");
        assertThat(tasks.number("/items/0/step_count")).isEqualTo(2);
        assertThat(api.get(run.path() + "/tasks/rtask_" + blocked).text("/status"))
                .isEqualTo("pending");

        Reply steps = api.get(run.path() + "/tasks/rtask_" + task + "/steps");
        assertThat(steps.text("/items/0/waits_for/on")).isEqualTo("worker");
        assertThat(steps.text("/items/0/waits_for/type")).isEqualTo("search");
        assertThat(steps.text("/items/1/waits_for/on")).isEqualTo("turn");
        assertThat(steps.at("/items/0/credits_charged").toString()).isEqualTo("0.5");
        assertThat(steps.number("/items/0/tokens")).isEqualTo(7);
        Reply tree = api.get(run.path() + "?expand=tree");
        for (int level = 0; level < 2; level++) {
            assertThat(tree.number("/tree/" + level + "/tokens")).isEqualTo(7);
            assertThat(tree.at("/tree/" + level + "/credits_charged").toString()).isEqualTo("0.5");
        }
        assertThat(tree.number("/tree/3/tokens")).isZero();
        assertThat(steps.text("/items/0/parallelism_mode")).isEqualTo("sequential");

        Reply seen = api.get(run.path() + "/steps/step_" + step);
        assertThat(seen.text("/attempts/0/work_id")).isEqualTo(attempt.toString());
        assertThat(seen.number("/attempts/0/tokens")).isEqualTo(7);
        assertThat(seen.number("/attempt_count")).isEqualTo(1);
        assertThat(seen.at("/input").toString()).isEqualTo("{\"q\":1}");
        assertThat(seen.text("/attempts_next_cursor")).isEmpty();
    }

    /// The nodes come once each, in order, however small the pages are.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 100})
    void the_tree_of_a_run_comes_in_pages(int limit) {
        List<String> all = new ArrayList<>();
        for (int a = 0; a < 2; a++) {
            UUID agent = run.agent(a);
            all.add("agent_" + agent);
            for (int t = 0; t < 2; t++) {
                UUID task = run.task(agent, t, 0, 2 * t);
                all.add("rtask_" + task);
                for (int s = 0; s < 2 * t; s++) {
                    all.add("step_" + run.step(agent, task, s));
                }
            }
        }
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            Reply page = api.get(run.path() + "?expand=tree&limit=" + limit + cursor);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            assertThat(page.at("/tree").size()).isLessThanOrEqualTo(limit);
            for (JsonNode node : page.at("/tree").values()) {
                seen.add(node.path("id").asString(""));
            }
            String next = page.text("/tree_next_cursor");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        assertThat(seen).isEqualTo(all);
    }

    /// for another account there is no such run, whatever is asked of it.
    @Test
    void nothing_of_a_run_is_there_for_another_account() {
        UUID agent = run.agent(0);
        UUID task = run.task(agent, 0, 0, 1);
        UUID step = run.step(agent, task, 0);
        Api other = server.account().api();
        for (String path :
                List.of(
                        "",
                        "/attempts",
                        "/transitions",
                        "/decisions",
                        "/events",
                        "/plans",
                        "/agents",
                        "/agents/agent_" + agent,
                        "/agents/agent_" + agent + "/tasks",
                        "/tasks/rtask_" + task,
                        "/tasks/rtask_" + task + "/steps",
                        "/steps/step_" + step)) {
            assertThat(api.get(run.path() + path).status()).as(path).isEqualTo(200);
            Reply reply = other.get(run.path() + path);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.error()).as(path).isEqualTo("run_not_found");
        }
        assertThat(other.get("/api/v1/runs").at("/items")).isEmpty();
    }

    @Test
    void parts_of_another_run_are_not_parts_of_this_one() {
        StoredRun second = StoredRun.running(server, account, Map.of());
        UUID agent = second.agent(0);
        UUID task = second.task(agent, 0, 0, 1);
        UUID step = second.step(agent, task, 0);
        refused(api.get(run.path() + "/agents/agent_" + agent), 404, "agent_not_found");
        refused(api.get(run.path() + "/agents/agent_" + agent + "/tasks"), 404, "agent_not_found");
        refused(api.get(run.path() + "/tasks/rtask_" + task), 404, "task_not_found");
        refused(api.get(run.path() + "/tasks/rtask_" + task + "/steps"), 404, "task_not_found");
        refused(api.get(run.path() + "/steps/step_" + step), 404, "step_not_found");
        refused(api.get(run.path() + "/steps/run_" + step), 404, "step_not_found");
        refused(api.get("/api/v1/runs/run_x"), 404, "run_not_found");
    }

    /// filters, and pages without gaps or repeats.
    @Test
    void runs_are_listed_by_status_by_escalation_and_by_time() {
        StoredRun escalated = StoredRun.running(server, account, Map.of("escalated", true));
        server.clock().advance(Duration.ofMinutes(1));
        String before = Instant.ofEpochMilli(StoredRun.now(server)).toString();
        StoredRun later = StoredRun.running(server, account, Map.of());
        assertThat(ids("?limit=2")).containsExactly("run_" + later.id, "run_" + escalated.id);
        assertThat(ids("?escalated=true")).containsExactly("run_" + escalated.id);
        assertThat(ids("?status=failed")).isEmpty();
        assertThat(ids("?created_from=" + before)).containsExactly("run_" + later.id);
        assertThat(ids("?created_to=" + before))
                .containsExactly("run_" + escalated.id, "run_" + run.id);
        String next = api.get("/api/v1/runs?limit=2").text("/next_cursor");
        assertThat(ids("?limit=2&cursor=" + next)).containsExactly("run_" + run.id);
        refused(api.get("/api/v1/runs?cursor=x"), 400, "invalid_request");
        refused(api.get("/api/v1/runs?status=escalated"), 400, "invalid_request");
    }

    private List<String> ids(String query) {
        Reply reply = api.get("/api/v1/runs" + query);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.at("/items").values().stream()
                .map(each -> each.path("id").asString(""))
                .toList();
    }

    /// for whoever runs the server, over all accounts, and for nobody else.
    @Test
    void stuck_runs_are_listed_for_the_operators_account_alone() {
        refused(api.get("/api/v1/admin/runs/stuck"), 403, "forbidden");
        Registration local = server.kernel().kernel().identity().registerLocal("test");
        Api operator = server.anonymous().withKey(local.key().reveal());
        assertThat(local.accountId()).isEqualTo(Identity.LOCAL_ACCOUNT);
        assertThat(stuck(operator)).doesNotContainKey("run_" + run.id);
        server.clock().advance(Duration.ofSeconds(61));
        assertThat(stuck(operator)).containsEntry("run_" + run.id, "no_heartbeat");
        server.database()
                .execute(
                        "update run set last_heartbeat_ms = ?, running_since_ms = ? where id = ?",
                        StoredRun.now(server),
                        StoredRun.now(server) - Duration.ofHours(25).toMillis(),
                        run.id);
        assertThat(stuck(operator)).containsEntry("run_" + run.id, "too_long");
    }

    private static Map<String, String> stuck(Api operator) {
        var found = new HashMap<String, String>();
        String cursor = "";
        do {
            Reply page = operator.get("/api/v1/admin/runs/stuck?limit=1" + cursor);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            for (JsonNode each : page.at("/items").values()) {
                found.put(each.path("run_id").asString(""), each.path("why").asString(""));
            }
            String next = page.text("/next_cursor");
            cursor = next.isEmpty() ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        return found;
    }

    static void refused(Reply reply, int status, String error) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        assertThat(reply.error()).as(reply.text()).isEqualTo(error);
    }
}
