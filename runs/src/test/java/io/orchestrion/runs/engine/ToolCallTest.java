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
import io.orchestrion.runs.read.RunReads;
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

    private UUID withPolicies(String plan, String policies) {
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

    /// How many characters all rows of runs and their items have.
    private long stored() {
        long all = 0;
        for (String table :
                List.of(
                        "run",
                        "run_plan",
                        "run_step",
                        "run_step_attempt",
                        "run_decision",
                        "subject_event",
                        "item",
                        "item_event")) {
            all +=
                    Long.parseLong(
                            fixture.value(
                                    "select coalesce(sum(length(t::text)), 0) from "
                                            + table
                                            + " t"));
        }
        return all;
    }

    private long grownBy(int steps, int outputBytes) {
        long before = stored();
        String[] all =
                IntStream.range(0, steps)
                        .mapToObj(i -> step("s" + i).replace("\"tool\":\"s" + i, "\"tool\":\"x"))
                        .toArray(String[]::new);
        UUID id = fixture.running(one(all));
        for (int i = 0; i < steps; i++) {
            fixture.done("x", "{\"text\":\"" + "y".repeat(outputBytes) + "\"}");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        return stored() - before;
    }

    /// Twice the work leaves about twice the rows' size, with small outputs and with large ones.
    @Test
    void what_is_stored_grows_with_the_work_and_not_with_its_square() {
        for (int bytes : new int[] {100, 7_000, 60_000}) {
            long once = grownBy(8, bytes);
            long twice = grownBy(16, bytes);
            assertThat(twice).as("outputs of %s bytes", bytes).isLessThan(once * 23 / 10);
        }
    }

    /// Rows of all tables in which the text is.
    private List<String> tablesWith(String text) {
        return fixture
                .test
                .database()
                .rows(
                        "select table_name as name from information_schema.tables where"
                                + " table_schema = 'orchestrion' and table_type = 'BASE TABLE'")
                .stream()
                .map(row -> String.valueOf(row.get("name")))
                .filter(
                        table ->
                                !fixture.test
                                        .database()
                                        .rows(
                                                "select 1 from "
                                                        + table
                                                        + " t where t::text like ?",
                                                "%" + text + "%")
                                        .isEmpty())
                .toList();
    }

    private @Nullable String output(UUID run, String step) {
        UUID id = fixture.step(run, step).id();
        var seen = fixture.runs.inOne(tx -> RunReads.step(id, null, 1).read(tx, fixture.run(run)));
        return Objects.requireNonNull(seen).step().output().json();
    }

    /// A large output is stored once, with the item that it came from; the step and whatever
    /// follows name it. It is read as any other, also when its task has failed and began anew.
    @Test
    void a_large_output_is_stored_once() {
        String large = "{\"text\":\"unmistakable " + "z".repeat(20_000) + "\"}";
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task("t", "", step("a"), step("b")),
                                        task("u", "", step("c")))));
        fixture.done("a", large);
        assertThat(call(fixture.view("b")).at("/outputs/a/bytes").asInt())
                .isEqualTo(large.length());
        assertThat(tablesWith("unmistakable zzz")).containsExactly("work");
        assertThat(output(id, "a")).isEqualTo(large);
        assertThat(fixture.value("select output from run_steps where name = 'a'")).isEqualTo(large);
        fixture.pause(id);
        fixture.resume(id);
        fixture.drive(id, RunStatus.RUNNING);
        assertThat(output(id, "a")).isEqualTo(large);
        assertThat(fixture.step(id, "a").output().bytes()).isEqualTo(large.length());
    }

    /// What a task had given before it began anew is not taken for what it gives now.
    @Test
    void a_large_output_goes_with_the_attempt_of_its_task() {
        String large = "{\"text\":\"first " + "z".repeat(20_000) + "\"}";
        UUID id =
                fixture.running(
                        plan(
                                agent(
                                        "one",
                                        "",
                                        task(
                                                "t",
                                                mode("retry"),
                                                step("a"),
                                                step("b", ",\"max_attempts\":1")))));
        fixture.done("a", large);
        fixture.failed("b", "ConnectionError");
        assertThat(fixture.step(id, "a").output()).isNull();
        assertThat(output(id, "a")).isNull();
        fixture.later(Duration.ofSeconds(1));
        fixture.done("a", "{\"text\":\"second\"}");
        assertThat(output(id, "a")).isEqualTo("{\"text\":\"second\"}");
        assertThat(call(fixture.view("b")).at("/outputs/a/text").asString()).isEqualTo("second");
    }

    /// However much an agent has done, what it is given for its next round is bounded: what does
    /// not fit is named.
    @Test
    void the_rounds_of_an_agent_do_not_carry_all_that_was_said_before() {
        UUID id = fixture.running(plan(agent("loop", "")));
        int rounds = 14;
        long most = 0;
        for (int i = 0; i < rounds; i++) {
            WorkView view = fixture.view("agent_plan");
            most = Math.max(most, RunFixture.payload(view).length());
            fixture.complete(
                    view.item(),
                    "{\"tasks\":["
                            + task("t" + i, "", step("x"))
                            + "],\"continue\":"
                            + (i < rounds - 1)
                            + "}");
            fixture.done("x", "{\"text\":\"" + "y".repeat(7_000) + "\"}");
        }
        assertThat(fixture.status(id)).isEqualTo(RunStatus.COMPLETED);
        assertThat(most).isLessThan(64 * 1024 + 16 * 1024);
    }
}
