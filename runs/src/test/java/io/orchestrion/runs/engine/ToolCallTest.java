package io.orchestrion.runs.engine;

import static io.orchestrion.runs.engine.RunFixture.agent;
import static io.orchestrion.runs.engine.RunFixture.mode;
import static io.orchestrion.runs.engine.RunFixture.one;
import static io.orchestrion.runs.engine.RunFixture.parallel;
import static io.orchestrion.runs.engine.RunFixture.plan;
import static io.orchestrion.runs.engine.RunFixture.step;
import static io.orchestrion.runs.engine.RunFixture.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.StopRequest;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.ApprovalSql;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

/// What tools may count on when they are called, and people who let them.
class ToolCallTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final RunFixture fixture = new RunFixture();

    @BeforeEach
    void watch() {
        CommitWatch.over(fixture.test.database());
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static JsonNode call(WorkView view) {
        return JSON.readTree(RunFixture.payload(view));
    }

    private String key(WorkView view) {
        return call(view).get("idempotency_key").asString();
    }

    private WorkView failedCall(String tool) {
        WorkView view = fixture.view(tool);
        fixture.fail(view.item(), "ConnectionError");
        // So long that people are not called for many errors in a short time.
        fixture.later(Duration.ofSeconds(301));
        return view;
    }

    /// CB-052. A tool that has seen the key has done it: attempts of the step, of its task and of
    /// its agent have one key, another attempt of the run has another one, and no two steps share
    /// one.
    @Test
    void the_key_of_a_step_reaches_its_tool_and_stays_the_same_however_it_is_repeated() {
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        mode("retry"),
                                        task(
                                                "t",
                                                mode("retry"),
                                                step("a", ",\"max_attempts\":2"),
                                                step("b")))),
                        FailureMode.RETRY);
        // Two attempts of the step, three of its task, three of its agent.
        List<String> keys =
                IntStream.range(0, 18).mapToObj(_ -> key(failedCall("a"))).distinct().toList();
        assertThat(keys).hasSize(1).allSatisfy(each -> assertThat(each).isNotBlank());
        assertThat(fixture.run(id).attempt()).isEqualTo(2);
        fixture.drive(id, RunStatus.RUNNING);
        WorkView next = fixture.view("a");
        assertThat(key(next)).isNotEqualTo(keys.getFirst());
        fixture.complete(next.item(), "{}");
        assertThat(key(fixture.view("b"))).isNotEqualTo(key(next));
    }

    /// The most that steps may cost is held before they exist for workers: together never more than
    /// the reservation has left.
    @Test
    void no_step_is_given_out_that_is_not_paid_for() {
        String[] steps =
                IntStream.range(0, 9)
                        .mapToObj(
                                i ->
                                        step("s" + i, ",\"max_tokens\":300")
                                                .replace("\"tool\":\"s" + i, "\"tool\":\"x"))
                        .toArray(String[]::new);
        UUID id =
                fixture.running(
                        fixture.asked(
                                plan(agent("one", "", task("t", parallel(), steps))),
                                FailureMode.FAIL_FAST,
                                of ->
                                        new Bounds(
                                                of.attempts(),
                                                of.agents(),
                                                of.replans(),
                                                1_000,
                                                of.tasksAtOnce(),
                                                9,
                                                of.timeouts())));
        List<WorkItem> held = fixture.claim("x", 50);
        assertThat(held).hasSize(3);
        assertThat(fixture.run(id).credits().held()).isEqualByComparingTo("0.9");
        fixture.complete(held.getFirst(), "{}", "{\"tokens\":10}");
        List<WorkItem> more = fixture.claim("x", 50);
        assertThat(more).hasSize(1);
        BigDecimal promised =
                fixture.run(id).credits().held().add(fixture.run(id).credits().charged());
        assertThat(promised).isLessThanOrEqualTo(fixture.run(id).credits().reserved());
    }

    private io.orchestrion.kernel.work.Ack heartbeat(WorkItem held) {
        return fixture.say(held, new Command.Heartbeat(Fence.of(held.lease().token())));
    }

    /// CB-100. The next heartbeat of the worker says so, and what was done is kept.
    @Test
    void a_stop_is_seen_with_the_next_heartbeat_and_keeps_what_was_done() {
        UUID id = fixture.running(one(step("a"), step("b"), step("c")));
        fixture.complete(fixture.claim("a"), "{\"kept\":true}", "{\"tokens\":4000}");
        WorkItem held = fixture.claim("b");
        assertThat(heartbeat(held)).isInstanceOf(Applied.class);
        fixture.cancel(id);
        assertThat(heartbeat(held))
                .isInstanceOfSatisfying(
                        io.orchestrion.kernel.work.Ack.Refused.class,
                        it -> assertThat(it.refusal()).isInstanceOf(Refusal.Revoked.class));
        assertThat(fixture.complete(held, "{\"late\":true}", "{\"tokens\":9000}"))
                .isNotInstanceOf(Applied.class);
        assertThat(Objects.requireNonNull(fixture.step(id, "a").output()).json())
                .isEqualTo("{\"kept\":true}");
        assertThat(fixture.step(id, "b").output()).isNull();
        assertThat(fixture.ledger(id)).containsExactly("reserve 100", "charge 4", "refund 96");
        assertThat(
                        fixture.value(
                                "select count(*) from item_event where event = 'late_report' and"
                                        + " item_id = '"
                                        + held.id()
                                        + "'"))
                .isEqualTo("1");
    }

    /// CB-008: a pause is asked for with the next heartbeat, and the lease stays good.
    @Test
    void a_pause_is_asked_for_with_the_next_heartbeat() {
        UUID id = fixture.running(one(step("a"), step("b")));
        WorkItem held = fixture.claim("a");
        fixture.pause(id);
        assertThat(heartbeat(held))
                .isInstanceOfSatisfying(
                        Applied.class,
                        it -> assertThat(it.item().holding().stop()).isEqualTo(StopRequest.PAUSE));
        assertThat(fixture.complete(held, "{}")).isInstanceOf(Applied.class);
    }

    private UUID withPolicies(@Nullable String plan, String policies) {
        return fixture.create(
                fixture.asked(
                        plan, FailureMode.FAIL_FAST, Priority.NORMAL, policies, each -> each));
    }

    private Approval pending() {
        List<Approval> all =
                fixture.runs.inOne(
                        tx ->
                                ApprovalSql.page(
                                        tx,
                                        new ApprovalSql.Query(
                                                fixture.account,
                                                null,
                                                Approval.Status.PENDING,
                                                null,
                                                10)));
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    /// The question is stored with the call, so that it is there after a restart, and what is
    /// called is what was shown.
    @Test
    void a_call_that_needs_a_yes_outlives_the_node_and_is_made_as_it_was_shown() {
        String plan =
                plan(
                        agent(
                                "one",
                                "",
                                task(
                                        "t",
                                        "",
                                        step("pay")
                                                .replace(
                                                        "{\"n\":1}", "{\"to\":\"x\",\"sum\":9}"))));
        UUID id = withPolicies(plan, "{\"pay\":\"confirm\"}");
        try (var before = fixture.secondNode()) {
            before.runs().inOne(tx -> before.runs().start(tx, fixture.request(id)));
            fixture.drive(before.kernel(), id, RunStatus.RUNNING);
        }
        fixture.later(Duration.ofSeconds(40));
        assertThat(fixture.claim("pay", 1)).isEmpty();
        assertThat(fixture.attempts(fixture.step(id, "pay"))).isEmpty();
        Approval asked = pending();
        assertThat(asked.tool()).isEqualTo("pay");
        assertThat(asked.input()).isEqualTo("{\"to\":\"x\",\"sum\":9}");
        fixture.runs.inOne(
                tx ->
                        fixture.runs.decideApproval(
                                tx, asked.id(), fixture.request(asked.id()), true, null));
        WorkView given = fixture.view("pay");
        assertThat(call(given).get("tool").asString()).isEqualTo(asked.tool());
        assertThat(call(given).get("input").toString()).isEqualTo(asked.input());
        fixture.complete(given.item(), "{}");
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(
                        fixture.value(
                                "select status || ' ' || (decided_by is not null) from"
                                        + " run_approval"))
                .isEqualTo("approved true");
    }

    /// No planner comes round a policy: neither with the plan of a run nor with the tasks of an
    /// agent.
    @Test
    void a_blocked_tool_is_refused_in_every_plan() {
        UUID planned = withPolicies(null, "{\"rm\":\"block\",\"pay\":\"confirm\"}");
        fixture.start(planned);
        fixture.drive(planned, RunStatus.RUNNING);
        assertThat(fixture.complete(fixture.claim("run_plan"), one(step("a"), step("rm"))))
                .isNotInstanceOf(Applied.class);
        assertThat(fixture.status(planned)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.run(planned).note().error()).contains("blocks the tool rm");

        UUID rounds =
                withPolicies(plan(agent("loop", "")), "{\"rm\":\"block\",\"pay\":\"confirm\"}");
        fixture.start(rounds);
        fixture.drive(rounds, RunStatus.RUNNING);
        fixture.done(
                "agent_plan", "{\"tasks\":[" + task("t", "", step("pay")) + "],\"continue\":true}");
        assertThat(fixture.claim("pay", 1)).isEmpty();
        Approval asked = pending();
        fixture.runs.inOne(
                tx ->
                        fixture.runs.decideApproval(
                                tx, asked.id(), fixture.request(asked.id()), true, null));
        fixture.done("pay");
        assertThat(
                        fixture.complete(
                                fixture.claim("agent_plan"),
                                "{\"tasks\":[" + task("u", "", step("rm")) + "]}"))
                .isNotInstanceOf(Applied.class);
        assertThat(fixture.status(rounds)).isEqualTo(RunStatus.FAILED);
        assertThat(fixture.steps(rounds))
                .noneMatch(each -> each.call().tool().equals("rm"))
                .anyMatch(each -> each.status() == StepStatus.COMPLETED);
    }
}
