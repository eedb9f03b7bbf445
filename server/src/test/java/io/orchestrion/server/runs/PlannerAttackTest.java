package io.orchestrion.server.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.runs.llm.LlmKey;
import io.orchestrion.runs.llm.LlmOptions;
import io.orchestrion.runs.llm.LlmPlanner;
import io.orchestrion.runs.llm.LlmTimes;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.egress.AddressGuard;
import io.orchestrion.server.egress.GuardedEgress;
import io.orchestrion.server.egress.RefusedUrls;
import io.orchestrion.server.http.AddressRanges;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.LlmServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Attacks by way of plans: by a model, by a worker, by whoever sends a plan along. Each is refused
/// with nothing written, and the server does not fail.
@Timeout(240)
class PlannerAttackTest {
    private static final UUID ACCOUNT = new UUID(1, 1);
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String PAYLOAD =
            "{\"tool\":\"run_plan\",\"input\":{\"task\":\"Find it.\"}}";

    /// Plans that are none: too deep, too many, too long, without an end, twisted.
    private static final List<String> HOSTILE =
            List.of(
                    "",
                    "null",
                    "[]",
                    "\"agents\"",
                    "{}",
                    "{\"agents\":[]}",
                    "{\"agents\":null}",
                    "{\"agents\":{}}",
                    "{\"agents\":[null]}",
                    "{\"agents\":[[]]}",
                    "{\"agents\":" + "[".repeat(50_000),
                    "{\"agents\":" + "[".repeat(50_000) + "]".repeat(50_000) + "}",
                    "{\"a\":".repeat(20_000) + "1" + "}".repeat(20_000),
                    many(10_000, "{\"subtask\":\"x\"}"),
                    many(11, "{\"subtask\":\"x\"}"),
                    many(1, agentWith(many("tasks", 2_000, taskWith(1)))),
                    many(1, agentWith(many("tasks", 1, taskWith(2_000)))),
                    many(1, "{\"subtask\":\"" + "x".repeat(100_000) + "\"}"),
                    many(1, "{\"subtask\":\"\"}"),
                    many(1, "{\"subtask\":7}"),
                    many(1, "{\"subtask\":\"a\\u0000b\"}"),
                    many(1, "{\"subtask\":\"x\",\"subtask\":\"y\"}"),
                    many(1, "{\"subtask\":\"x\",\"failure_mode\":\"explode\"}"),
                    many(1, "{\"subtask\":\"x\",\"parallelism_mode\":\"../x\"}"),
                    many(1, "{\"subtask\":\"x\",\"dependencies\":[\"x\"]}"),
                    many(1, agentWith("\"tasks\":[{\"name\":\"\",\"steps\":[]}]")),
                    many(1, agentWith("\"tasks\":[{\"name\":\"a\",\"steps\":null}]")),
                    many(1, agentWith("\"tasks\":[{\"name\":\"" + "x".repeat(5_000) + "\"}]")),
                    many(
                            1,
                            agentWith(
                                    "\"parallelism_mode\":\"dag\",\"tasks\":[{\"name\":\"a\",\"dependencies\":[\"b\"],\"steps\":["
                                            + step("")
                                            + "]},{\"name\":\"b\",\"dependencies\":[\"a\"],\"steps\":["
                                            + step("")
                                            + "]}]")),
                    many(1, agentWith(oneTask(step(",\"timeout_ms\":-1")))),
                    many(1, agentWith(oneTask(step(",\"timeout_ms\":1e400")))),
                    many(1, agentWith(oneTask(step(",\"max_attempts\":1000000")))),
                    many(1, agentWith(oneTask(step(",\"max_tokens\":-5")))),
                    many(1, agentWith(oneTask(step(",\"output_schema\":{\"type\":\"nothing\"}")))),
                    many(
                            1,
                            agentWith(
                                    oneTask(
                                            step(
                                                    ",\"output_schema\":{\"$ref\":\"http://169.254.169.254/\"}")))),
                    many(
                            1,
                            agentWith(
                                    oneTask(
                                            "{\"name\":\"s\",\"tool\":\"run_plan\",\"input\":{}}"))),
                    many(
                            1,
                            agentWith(
                                    oneTask(
                                            "{\"name\":\"s\",\"tool\":\"builtin_http\",\"input\":{\"url\":\"http://169.254.169.254/\"}}"))),
                    many(1, agentWith(oneTask("{\"name\":\"s\",\"tool\":\"run_drive\"}"))),
                    many(
                            1,
                            agentWith(
                                    oneTask("{\"name\":\"s\",\"tool\":\"builtin_run_on_call\"}"))),
                    many(1, agentWith(oneTask("{\"name\":\"s\",\"tool\":\"\",\"input\":{}}"))),
                    many(1, agentWith(oneTask("{\"name\":\"s\",\"tool\":\"a/../b\\n\"}"))),
                    many(
                            1,
                            agentWith(
                                    oneTask(
                                            "{\"name\":\"s\",\"tool\":\"t\",\"input\":\""
                                                    + "x".repeat(2_000_000)
                                                    + "\"}"))));

    private static String many(int count, String agent) {
        return "{" + many("agents", count, agent) + "}";
    }

    private static String many(String field, int count, String each) {
        return "\"" + field + "\":[" + (each + ",").repeat(count - 1) + each + "]";
    }

    private static String agentWith(String more) {
        return "{\"subtask\":\"x\"," + more + "}";
    }

    private static String taskWith(int steps) {
        return "{\"name\":\"t\"," + many("steps", steps, step("")) + "}";
    }

    private static String oneTask(String step) {
        return "\"tasks\":[{\"name\":\"t\",\"steps\":[" + step + "]}]";
    }

    private static String step(String more) {
        return "{\"name\":\"s\",\"tool\":\"t\"" + more + "}";
    }

    private static Outcome plan(GuardedEgress egress, LlmOptions options)
            throws InterruptedException {
        return new LlmPlanner(
                        egress,
                        options,
                        new PlanReader(new JsonSchemas(new Failpoints())),
                        PlanLimits.USUAL.withAgents(10),
                        System::nanoTime)
                .plan(ACCOUNT, PAYLOAD, LONG);
    }

    private static LlmOptions options(String url) {
        LlmOptions usual =
                LlmOptions.of(url, new LlmKey("sk-1"), "model-1")
                        .withTimes(new LlmTimes(LONG, LONG, LONG));
        return new LlmOptions(
                usual.url(),
                usual.key(),
                usual.model(),
                usual.form(),
                usual.times(),
                usual.answerBytes(),
                null,
                0,
                1,
                1);
    }

    @Test
    void a_model_that_answers_with_a_hostile_plan_has_made_none() throws InterruptedException {
        for (String hostile : HOSTILE) {
            try (var llm = new LlmServer();
                    var egress = GuardedEgress.ofOperator(LONG)) {
                llm.streaming(hostile);
                Outcome outcome = plan(egress, options(llm.url()));
                assertThat(outcome).as(cut(hostile)).isInstanceOf(Outcome.Failed.class);
                assertThat(((Outcome.Failed) outcome).report().error().code())
                        .as(cut(hostile))
                        .isIn("InvalidOutputError", "ContextWindowExceededError");
            }
        }
    }

    /// Nobody is sent on: not to another path, and not to the metadata of a cloud.
    @Test
    void a_model_cannot_send_us_elsewhere() throws InterruptedException {
        try (var elsewhere = new HookReceiver()) {
            for (String to :
                    List.of(
                            elsewhere.url("/else"),
                            "http://169.254.169.254/latest/meta-data/",
                            "file:///etc/passwd",
                            "//127.0.0.1/")) {
                for (int status : new int[] {301, 302, 303, 307, 308}) {
                    try (var llm = new LlmServer();
                            var egress = GuardedEgress.ofOperator(LONG)) {
                        llm.refusing(status, "", "Location: " + to);
                        Outcome outcome = plan(egress, options(llm.url()));
                        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
                        assertThat(llm.asked()).hasSize(1);
                    }
                }
            }
            assertThat(elsewhere.got("/else")).isEmpty();
        }
    }

    /// An address of an account, were there one, is judged like that of any webhook.
    @Test
    void no_address_of_an_account_leads_into_our_networks() throws InterruptedException {
        try (var egress =
                new GuardedEgress(
                        new AddressGuard(AddressRanges.NONE, AddressGuard.Resolver.SYSTEM, LONG))) {
            for (String url : RefusedUrls.KNOWN) {
                assertThat(egress.fault(ACCOUNT, url)).as(url).isNotNull();
            }
            for (String url :
                    List.of(
                            "http://127.0.0.1:1/v1",
                            "http://169.254.169.254/v1",
                            "http://[::ffff:169.254.169.254]/v1",
                            "http://localhost/v1")) {
                Outcome outcome = plan(egress, options(url));
                assertThat(outcome).as(url).isInstanceOf(Outcome.Failed.class);
                assertThat(((Outcome.Failed) outcome).report().error().code())
                        .as(url)
                        .isEqualTo("AuthorizationError");
            }
        }
    }

    ///
    @Test
    void a_plan_that_is_sent_is_refused_and_nothing_is_written() {
        try (var server = new TestServer()) {
            TaskApi account = server.account();
            for (String hostile : HOSTILE) {
                String plan = hostile.isEmpty() ? "\u0000" : hostile;
                Reply made =
                        account.api()
                                .post(
                                        "/api/v1/runs",
                                        "{\"name\":\"n\",\"task\":\"t\",\"planner\":{\"mode\":\"static\"},\"plan\":"
                                                + plan
                                                + "}");
                refused(made, hostile);
            }
            assertThat(account.api().get("/api/v1/runs").at("/items").size()).isZero();

            Reply run = account.api().post("/api/v1/runs", "{\"name\":\"claimed\",\"task\":\"t\"}");
            assertThat(run.status()).as(run.text()).isEqualTo(201);
            String path = "/api/v1/runs/" + run.text("/run_id");
            for (String hostile : HOSTILE) {
                refused(account.api().post(path + "/plan", hostile), hostile);
            }
            assertThat(account.api().get(path).text("/status")).isEqualTo("created");
            assertThat(account.api().get(path).number("/agent_count")).isZero();
        }
    }

    private static void refused(Reply reply, String hostile) {
        assertThat(reply.status()).as(cut(hostile) + cut(reply.text())).isIn(400, 409, 413, 422);
        assertThat(reply.error()).as(cut(hostile)).isNotEmpty();
        assertThat(reply.text()).as(cut(hostile)).contains("agent_contract");
        assertThat(reply.text().length()).as(cut(hostile)).isLessThan(20_000);
    }

    private static String cut(String text) {
        return text.substring(0, Math.min(text.length(), 300));
    }
}
