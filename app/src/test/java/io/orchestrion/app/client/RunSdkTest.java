package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.sdk.ClaimedStep;
import io.orchestrion.sdk.LedgerEntry;
import io.orchestrion.sdk.LedgerQuery;
import io.orchestrion.sdk.NewArtifact;
import io.orchestrion.sdk.NewRun;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.OutputQuery;
import io.orchestrion.sdk.PlanRequest;
import io.orchestrion.sdk.Run;
import io.orchestrion.sdk.RunApproval;
import io.orchestrion.sdk.RunArtifact;
import io.orchestrion.sdk.RunNode;
import io.orchestrion.sdk.RunQuery;
import io.orchestrion.sdk.RunStatus;
import io.orchestrion.sdk.RunStep;
import io.orchestrion.sdk.RunStepHandler;
import io.orchestrion.sdk.RunTransition;
import io.orchestrion.sdk.RunTree;
import io.orchestrion.sdk.Runs;
import io.orchestrion.sdk.ToolPolicy;
import io.orchestrion.sdk.Worker;
import io.orchestrion.sdk.plan.FailureMode;
import io.orchestrion.sdk.plan.NextTasks;
import io.orchestrion.sdk.plan.ParallelismMode;
import io.orchestrion.sdk.plan.Plan;
import io.orchestrion.sdk.plan.PlannedAgent;
import io.orchestrion.sdk.plan.PlannedStep;
import io.orchestrion.sdk.plan.PlannedTask;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// The client of runs and a worker on their steps, against a whole server.
@Timeout(180)
class RunSdkTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static ClientServer server;
    private OrchestrionClient client;
    private Runs runs;

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
        runs = client.runs();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static Plan plan(String tool) {
        return Plan.of(
                PlannedAgent.forSubtask("all")
                        .task(PlannedTask.named("t").step(PlannedStep.named("s", tool))));
    }

    private Run running(NewRun.Builder wanted) {
        Run run = runs.start(runs.create(wanted.build()).id());
        server.drive("picked up", () -> runs.get(run.id()).status() == RunStatus.RUNNING);
        return runs.get(run.id());
    }

    private Run ended(Run run) {
        server.drive("ended", () -> runs.get(run.id()).status().ended());
        return runs.get(run.id());
    }

    private Worker works(RunStepHandler handler, String... types) {
        return Worker.builder(client)
                .types(List.of(types))
                .workerId("w")
                .longPoll(Duration.ofSeconds(2))
                .runSteps(handler)
                .start();
    }

    /// A worker plans the run, workers do its steps, write output and report what they use.
    @Test
    void a_run_is_planned_and_done_by_workers_and_costs_what_they_report() {
        var asked = new ArrayList<PlanRequest>();
        RunStepHandler planner =
                (step, context) -> {
                    asked.add(PlanRequest.of(step));
                    context.tokens(100);
                    return Plan.of(
                                    PlannedAgent.forSubtask("look")
                                            .inMode(ParallelismMode.DAG)
                                            .task(
                                                    PlannedTask.named("search")
                                                            .step(
                                                                    PlannedStep.named("a", "search")
                                                                            .input("{\"q\":1}")))
                                            .task(
                                                    PlannedTask.named("sum")
                                                            .after("search")
                                                            .step(PlannedStep.named("b", "sum"))))
                            .json();
                };
        var seen = new ArrayList<ClaimedStep>();
        RunStepHandler tool =
                (step, context) -> {
                    synchronized (seen) {
                        seen.add(step);
                    }
                    context.write(step.name() + " on ");
                    context.writeError("stderr");
                    context.tokens(250);
                    return "{\"of\":\"" + step.name() + "\"}";
                };
        Run run = running(NewRun.of("n", "find out").maxTokens(1000).context("{\"k\":1}"));
        assertThat(run.waitsFor()).isNotNull();
        try (Worker p = works(planner, PlanRequest.RUN_PLAN);
                Worker w = works(tool, "search", "sum")) {
            Run end = ended(run);
            assertThat(end.status()).as(end.json().toString()).isEqualTo(RunStatus.COMPLETED);
            assertThat(end.creditsCharged()).isEqualByComparingTo("0.6");
            assertThat(end.creditsReserved()).isEqualByComparingTo("1");
            assertThat(end.creditsRefunded()).isEqualByComparingTo("0.4");
        }
        assertThat(asked).hasSize(1);
        assertThat(asked.getFirst().task()).isEqualTo("find out");
        assertThat(asked.getFirst().maxAgents()).isEqualTo(10);
        assertThat(asked.getFirst().context().path("k").asInt()).isEqualTo(1);
        assertThat(seen.getFirst().input().path("q").asInt()).isEqualTo(1);
        assertThat(seen.getLast().outputs().toString()).contains("\"of\":\"a\"");

        var text = new StringBuilder();
        long last =
                runs.output(
                        run.id(),
                        OutputQuery.ALL,
                        piece -> {
                            if (piece.channel().equals("stdout")) {
                                text.append(piece.text());
                            }
                        });
        assertThat(text.toString()).isEqualTo("a on b on ");
        assertThat(last).isEqualTo(4);
        assertThat(runs.followOutput(run.id(), OutputQuery.ALL.after(last), LONG, _ -> {}))
                .isTrue();

        List<RunNode> nodes = new ArrayList<>();
        runs.nodes(run.id()).forEach(nodes::add);
        assertThat(nodes).extracting(RunNode::status).containsOnly("completed");
        long tokens =
                nodes.stream()
                        .filter(node -> node.level().equals("agent"))
                        .mapToLong(RunNode::tokens)
                        .sum();
        assertThat(tokens).isEqualTo(600);
        assertThat(runs.tree(run.id(), RunTree.FIRST.withLimit(1)).nextCursor()).isNotNull();

        assertThat(client.credits().ledger(LedgerQuery.ALL.ofRun(run.id())).items())
                .extracting(LedgerEntry::type)
                .containsExactly("reserve", "charge", "refund");
        assertThat(runs.transitions(run.id(), null, null).items())
                .extracting(RunTransition::to)
                .containsExactly(
                        RunStatus.CREATED,
                        RunStatus.PENDING,
                        RunStatus.RUNNING,
                        RunStatus.COMPLETED);
        assertThat(runs.attempts(run.id(), null, null).items().getFirst().outcome())
                .isEqualTo("completed");
        assertThat(runs.plans(run.id(), null, null).items().getFirst().source())
                .isEqualTo("worker");
        assertThat(runs.events(run.id(), null, null).items()).isNotEmpty();
    }

    /// The records and parts of a run, as each is read alone.
    @Test
    void agents_tasks_and_steps_of_a_run_are_read_one_by_one() {
        Run run = running(NewRun.of("n", "t").plan(plan("parts")));
        var agent = runs.agents(run.id(), 1, null, null).items().getFirst();
        assertThat(runs.agent(run.id(), agent.id()).subtask()).isEqualTo("all");
        var task = runs.tasks(run.id(), agent.id(), null, null).items().getFirst();
        assertThat(runs.task(run.id(), task.id()).name()).isEqualTo("t");
        RunStep step = runs.steps(run.id(), task.id(), null, null).items().getFirst();
        RunStep whole = runs.step(run.id(), step.id(), null, null);
        assertThat(whole.tool()).isEqualTo("parts");
        assertThat(whole.attempts()).hasSize(1);
        assertThat(whole.attemptsNextCursor()).isNull();
        assertThat(whole.waitsFor()).isNotNull();
        assertThat(runs.cancelTask(run.id(), task.id(), "not needed").status())
                .isEqualTo("cancelled");
        assertThat(ended(run).status().ended()).isTrue();
        assertThat(runs.decisions(run.id(), null, null).items()).isNotNull();
    }

    /// An agent without tasks plans them itself, round after round.
    @Test
    void an_agent_plans_its_own_tasks_in_rounds() {
        RunStepHandler agent =
                (step, _) -> {
                    PlanRequest asked = PlanRequest.of(step);
                    assertThat(asked.subtask()).isEqualTo("look around");
                    return asked.round() == 1
                            ? NextTasks.thenAgain(
                                            PlannedTask.named("one")
                                                    .step(PlannedStep.named("x", "look")))
                                    .json()
                            : NextTasks.DONE.json();
                };
        Run run =
                running(NewRun.of("n", "t").plan(Plan.of(PlannedAgent.forSubtask("look around"))));
        try (Worker planner = works(agent, PlanRequest.AGENT_PLAN);
                Worker looker = works((_, _) -> "{}", "look")) {
            assertThat(ended(run).status()).isEqualTo(RunStatus.COMPLETED);
        }
    }

    @Test
    void a_run_is_paused_resumed_cancelled_and_listed() {
        Run run = running(NewRun.of("n", "t").plan(plan("idle")));
        assertThat(runs.pause(run.id(), "lunch").status()).isEqualTo(RunStatus.PAUSED);
        assertThat(runs.list(RunQuery.ALL.withStatus(RunStatus.PAUSED)).items())
                .extracting(Run::id)
                .containsExactly(run.id());
        runs.resume(run.id(), null);
        server.drive("resumed", () -> runs.get(run.id()).status() == RunStatus.RUNNING);
        assertThat(runs.cancel(run.id(), "no longer").status()).isEqualTo(RunStatus.CANCELLED);
        assertThat(runs.transitions(run.id(), null, null).items())
                .extracting(RunTransition::reason)
                .contains("lunch", "no longer");
        assertThat(client.credits().balance().reserved()).isEqualByComparingTo("0");
        var wrong =
                catchThrowableOfType(OrchestrionException.class, () -> runs.retry(run.id(), null));
        assertThat(wrong.code()).isEqualTo("invalid_transition");
    }

    @Test
    void a_run_that_was_never_started_is_deleted() {
        Run run = runs.create(NewRun.of("n", "t").build());
        assertThat(run.status()).isEqualTo(RunStatus.CREATED);
        assertThat(runs.delete(run.id())).isTrue();
        var gone = catchThrowableOfType(OrchestrionException.class, () -> runs.get(run.id()));
        assertThat(gone.code()).isEqualTo("run_not_found");
    }

    @Test
    void a_plan_by_hand_answers_the_planning_step() {
        Run run = running(NewRun.of("n", "t").maxTokens(1000));
        runs.plan(run.id(), plan("by-hand"));
        assertThat(runs.plans(run.id(), null, null).items().getFirst().source()).isEqualTo("hand");
        try (Worker w = works((_, _) -> null, "by-hand")) {
            assertThat(ended(run).status()).isEqualTo(RunStatus.COMPLETED);
        }
        Run other = running(NewRun.of("n", "t").maxTokens(1000));
        var bad =
                catchThrowableOfType(
                        OrchestrionException.class,
                        () -> runs.planJson(other.id(), "{\"agents\":[]}"));
        assertThat(bad.status()).isBetween(400, 422);
    }

    @Test
    void a_tool_that_has_to_be_confirmed_waits_for_a_person() {
        Run run =
                running(
                        NewRun.of("n", "t")
                                .plan(plan("mail"))
                                .toolPolicy("mail", ToolPolicy.CONFIRM));
        RunApproval asked =
                runs.approvals().list("pending", run.id(), null, null).items().getFirst();
        assertThat(asked.tool()).isEqualTo("mail");
        assertThat(runs.approvals().get(asked.id()).status()).isEqualTo("pending");
        assertThat(runs.approvals().approve(asked.id(), "fine").status()).isEqualTo("approved");
        try (Worker w = works((_, _) -> null, "mail")) {
            assertThat(ended(run).status()).isEqualTo(RunStatus.COMPLETED);
        }
        Run refused =
                running(
                        NewRun.of("n", "t")
                                .plan(plan("mail"))
                                .toolPolicy("mail", ToolPolicy.CONFIRM)
                                .onFailure(FailureMode.FAIL_FAST));
        RunApproval other =
                runs.approvals().list("pending", refused.id(), null, null).items().getFirst();
        runs.approvals().reject(other.id(), null);
        assertThat(ended(refused).status()).isEqualTo(RunStatus.FAILED);
    }

    /// content that does not fit into one buffer, to and fro.
    @Test
    void an_artifact_goes_up_and_comes_down_as_it_was(@TempDir Path place) throws IOException {
        Run run = runs.create(NewRun.of("n", "t").build());
        var bytes = new byte[3 * 1024 * 1024 + 17];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(place.resolve("data.bin"), bytes);
        RunArtifact made = runs.artifacts().upload(run.id(), NewArtifact.named("data.bin"), file);
        assertThat(made.size()).isEqualTo(bytes.length);
        Path copy = place.resolve("copy.bin");
        runs.artifacts().download(made.id(), copy);
        assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        assertThat(Files.list(place)).hasSize(2);
        try (InputStream content = runs.artifacts().open(made.id())) {
            assertThat(Arrays.equals(content.readAllBytes(), bytes)).isTrue();
        }
        RunArtifact streamed =
                runs.artifacts()
                        .upload(
                                run.id(),
                                NewArtifact.named("notes.txt").withType("text/plain"),
                                new ByteArrayInputStream("notes".getBytes(StandardCharsets.UTF_8)));
        assertThat(streamed.contentType()).isEqualTo("text/plain");
        assertThat(runs.artifacts().list(run.id(), "ready", null, null).items()).hasSize(2);
        assertThat(runs.artifacts().get(made.id()).checksum()).isEqualTo(made.checksum());
        assertThat(runs.artifacts().share(made.id(), Duration.ofMinutes(5)).url().toString())
                .contains("signature=");
        var again =
                catchThrowableOfType(
                        OrchestrionException.class,
                        () ->
                                runs.artifacts()
                                        .upload(run.id(), NewArtifact.named("data.bin"), file));
        assertThat(again.code()).isEqualTo("artifact_exists");
        var other =
                catchThrowableOfType(
                        OrchestrionException.class,
                        () ->
                                runs.artifacts()
                                        .upload(
                                                run.id(),
                                                NewArtifact.named("x").withSha256("0".repeat(64)),
                                                file));
        assertThat(other.code()).isEqualTo("checksum_mismatch");
    }

    @Test
    void the_operator_gives_credits_and_takes_care_of_runs() {
        try (var operator = OrchestrionClient.of(server.url(), server.operatorsKey())) {
            var admin = operator.runs().admin();
            String org = runs.create(NewRun.of("n", "t").build()).json().path("org_id").asString();
            BigDecimal before = client.credits().balance().balance();
            LedgerEntry made = admin.grant(org, new BigDecimal("12.5"), "k", "a gift");
            assertThat(made.type()).isEqualTo("grant");
            assertThat(admin.grant(org, new BigDecimal("12.5"), "k", "a gift").id())
                    .isEqualTo(made.id());
            assertThat(client.credits().balance().balance())
                    .isEqualByComparingTo(before.add(new BigDecimal("12.5")));
            Run run = running(NewRun.of("n", "t").plan(plan("nobody")));
            assertThat(admin.stuck(null, null).items())
                    .noneMatch(each -> each.runId().equals(run.id()));
            assertThat(admin.forceFail(run.id(), "Timeout").lastError()).isEqualTo("Timeout");
            assertThat(runs.get(run.id()).status()).isEqualTo(RunStatus.FAILED);
            assertThat(admin.anomalies(null).items()).isEmpty();
            var check = admin.invariants(null);
            assertThat(check.violations()).isEmpty();
            assertThat(client.credits().notices(null, null).items()).isEmpty();
        }
        var notMine =
                catchThrowableOfType(
                        OrchestrionException.class, () -> runs.admin().stuck(null, null));
        assertThat(notMine.code()).isEqualTo("forbidden");
    }
}
