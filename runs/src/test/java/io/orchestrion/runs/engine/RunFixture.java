package io.orchestrion.runs.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.work.Ack.Applied;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.runs.Runs;
import io.orchestrion.runs.RunsSchema;
import io.orchestrion.runs.check.RunsInvariants;
import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.run.Asked;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Decision;
import io.orchestrion.runs.run.PlannerMode;
import io.orchestrion.runs.run.Priority;
import io.orchestrion.runs.run.RecordSql;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.run.RunSql;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.AgentSql;
import io.orchestrion.runs.tree.AttemptSql;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.StepAttempt;
import io.orchestrion.runs.tree.StepSql;
import io.orchestrion.runs.tree.Task;
import io.orchestrion.runs.tree.TaskSql;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;

/// A kernel with runs, one account with credits, and workers that the test plays.
final class RunFixture implements AutoCloseable {
    static final Requester PERSON = Requester.key(UUID.randomUUID());
    static final int ALL = 1_000;

    final TestKernel test;
    final RunsOptions options;
    final Runs runs;
    final UUID account;

    RunFixture() {
        this(each -> each);
    }

    RunFixture(UnaryOperator<RunsOptions> with) {
        test = new TestKernel(RunFixture::withRuns);
        options = with.apply(RunsOptions.usual(new JsonSchemas(new Failpoints()), new Random(7)));
        runs = new Runs(test.kernel(), options);
        account = test.account();
    }

    private static KernelOptions withRuns(KernelOptions options) {
        return options.withSubjects(Runs.SUBJECTS)
                .withSchema(options.schema().plus(List.of(RunsSchema.PART)));
    }

    /// Another node on the same database.
    record Node(Kernel kernel, Runs runs) implements AutoCloseable {
        @Override
        public void close() {
            kernel.close();
        }
    }

    Node secondNode() {
        Kernel kernel = test.anotherNode(RunFixture::withRuns);
        return new Node(kernel, new Runs(kernel, options));
    }

    // What is asked for.

    static String step(String name) {
        return step(name, "");
    }

    static String step(String name, String more) {
        return "{\"name\":\"%s\",\"tool\":\"%s\",\"input\":{\"n\":1}%s}"
                .formatted(name, name, more);
    }

    static String task(String name, String more, String... steps) {
        return "{\"name\":\"%s\"%s,\"steps\":[%s]}".formatted(name, more, String.join(",", steps));
    }

    static String agent(String subtask, String more, String... tasks) {
        return "{\"subtask\":\"%s\"%s,\"tasks\":[%s]}"
                .formatted(subtask, more, String.join(",", tasks));
    }

    static String plan(String... agents) {
        return "{\"agents\":[" + String.join(",", agents) + "]}";
    }

    /// One agent with one task.
    static String one(String... steps) {
        return plan(agent("all", "", task("t", "", steps)));
    }

    static String mode(String mode) {
        return ",\"failure_mode\":\"" + mode + "\"";
    }

    static String parallel() {
        return ",\"parallelism_mode\":\"parallel\"";
    }

    static String dag() {
        return ",\"parallelism_mode\":\"dag\"";
    }

    static String after(String... names) {
        return ",\"dependencies\":[\"" + String.join("\",\"", names) + "\"]";
    }

    NewRun asked(@Nullable String plan, FailureMode mode, UnaryOperator<Bounds> bounds) {
        return asked(plan, mode, Priority.NORMAL, null, bounds);
    }

    NewRun asked(
            @Nullable String plan,
            FailureMode mode,
            Priority priority,
            @Nullable String policies,
            UnaryOperator<Bounds> bounds) {
        return new NewRun(
                account,
                new Asked(
                        "a run",
                        "do it",
                        "{\"who\":\"me\"}",
                        plan,
                        plan == null ? PlannerMode.CLAIM : PlannerMode.STATIC,
                        priority,
                        mode,
                        policies,
                        PERSON.word()),
                bounds.apply(options.usual()),
                PERSON);
    }

    UUID create(NewRun asked) {
        assertThat(runs.refused(asked)).isNull();
        Created made = runs.inOne(tx -> runs.create(tx, asked));
        assertThat(made).isInstanceOf(Created.Made.class);
        return ((Created.Made) made).run().id();
    }

    /// Started and picked up.
    UUID running(String plan) {
        return running(plan, FailureMode.FAIL_FAST);
    }

    UUID running(@Nullable String plan, FailureMode mode) {
        return running(asked(plan, mode, each -> each));
    }

    UUID running(NewRun asked) {
        UUID run = create(asked);
        start(run);
        drive(run, RunStatus.RUNNING);
        return run;
    }

    Request request(UUID run) {
        return new Request(account, run, PERSON, "because");
    }

    Ack start(UUID run) {
        return runs.inOne(tx -> runs.start(tx, request(run)));
    }

    Ack pause(UUID run) {
        return runs.inOne(tx -> runs.pause(tx, request(run)));
    }

    Ack resume(UUID run) {
        return runs.inOne(tx -> runs.resume(tx, request(run)));
    }

    Ack cancel(UUID run) {
        return runs.inOne(tx -> runs.cancel(tx, request(run)));
    }

    Ack retry(UUID run) {
        return runs.inOne(tx -> runs.retry(tx, request(run)));
    }

    /// The drivers of this node work until the run is there.
    void drive(UUID run, RunStatus wanted) {
        drive(test.kernel(), run, wanted);
    }

    void drive(Kernel kernel, UUID run, RunStatus wanted) {
        Until.isTrue(
                "the run is " + wanted,
                Duration.ofSeconds(20),
                () -> {
                    kernel.sweepOnce("run-drivers");
                    return status(run) == wanted;
                });
    }

    // What workers do.

    List<WorkItem> claim(String tool, int most) {
        return claim(test.kernel(), tool, most).stream().map(WorkView::item).toList();
    }

    List<WorkView> claim(Kernel kernel, String tool, int most) {
        var request = new ClaimRequest(account, "tasks", tool, most, "worker", null);
        return kernel.work().claim(request, Duration.ZERO).items();
    }

    WorkItem claim(String tool) {
        List<WorkItem> got = claim(tool, 1);
        assertThat(got).as("an item of " + tool).hasSize(1);
        return got.getFirst();
    }

    WorkView view(String tool) {
        return claim(test.kernel(), tool, 1).getFirst();
    }

    static String payload(WorkView view) {
        return Objects.requireNonNull(view.documents()).payload();
    }

    io.orchestrion.kernel.work.Ack complete(WorkItem held, String result) {
        return complete(held, result, null);
    }

    io.orchestrion.kernel.work.Ack complete(WorkItem held, String result, @Nullable String usage) {
        return say(
                held,
                new Command.Complete(
                        Fence.of(held.lease().token()),
                        result,
                        null,
                        new Report(null, usage, null),
                        null));
    }

    io.orchestrion.kernel.work.Ack fail(WorkItem held, String code) {
        return fail(held, WorkError.of(code, "it did not work"));
    }

    io.orchestrion.kernel.work.Ack fail(WorkItem held, WorkError error) {
        return say(
                held,
                new Command.Fail(
                        Fence.of(held.lease().token()), null, null, true, Report.of(error), null));
    }

    io.orchestrion.kernel.work.Ack say(WorkItem held, Command command) {
        return test.kernel()
                .work()
                .command(new CommandRequest(account, Profiles.TASKS, held.id(), command, false));
    }

    /// Claims one of the tool and completes it.
    void done(String tool) {
        assertThat(complete(claim(tool), "{\"ok\":true}")).isInstanceOf(Applied.class);
    }

    void done(String tool, String result) {
        assertThat(complete(claim(tool), result)).isInstanceOf(Applied.class);
    }

    void failed(String tool, String code) {
        assertThat(fail(claim(tool), code)).isInstanceOf(Applied.class);
    }

    /// Fails it as often as it is tried.
    void failedForGood(String tool) {
        for (int i = 0; i < options.attempts().step(); i++) {
            later(Duration.ofSeconds(1));
            failed(tool, "ConnectionError");
        }
    }

    void later(Duration by) {
        test.clock().advance(by);
        for (String duty : List.of("lease-reaper", "due-promoter", "run-clocks")) {
            test.kernel().sweepOnce(duty);
        }
    }

    // What there is.

    Run run(UUID id) {
        return Objects.requireNonNull(runs.inOne(tx -> RunSql.find(tx, account, id)));
    }

    RunStatus status(UUID id) {
        return run(id).status();
    }

    List<Agent> agents(UUID run) {
        return runs.inOne(tx -> AgentSql.ofRun(tx, account, run, null));
    }

    List<Task> tasks(Agent agent) {
        return runs.inOne(tx -> TaskSql.ofAgent(tx, account, agent.id(), -1, ALL));
    }

    List<Step> steps(UUID run) {
        var all = new ArrayList<Step>();
        for (Agent agent : agents(run)) {
            for (Task task : tasks(agent)) {
                all.addAll(runs.inOne(tx -> StepSql.ofTask(tx, account, task.id(), -1, ALL)));
            }
        }
        return all;
    }

    Step step(UUID run, String name) {
        return steps(run).stream()
                .filter(each -> each.home().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<StepAttempt> attempts(Step step) {
        return runs.inOne(tx -> AttemptSql.ofStep(tx, account, step.id(), ALL));
    }

    List<Decision> decisions(UUID run) {
        return runs.inOne(tx -> RecordSql.decisions(tx, account, run, null, ALL));
    }

    /// The statuses of agents, tasks and steps, each as `name status`.
    List<String> tree(UUID run) {
        var lines = new ArrayList<String>();
        for (Agent agent : agents(run)) {
            lines.add(agent.spec().subtask() + " " + agent.status().word());
            for (Task task : tasks(agent)) {
                lines.add("- " + task.spec().name() + " " + task.status().word());
                for (Step step :
                        runs.inOne(tx -> StepSql.ofTask(tx, account, task.id(), -1, ALL))) {
                    lines.add("-- " + step.home().name() + " " + step.status().word());
                }
            }
        }
        return lines;
    }

    /// `from -> to` of each change of the run.
    List<String> transitions(UUID run) {
        return runs.inOne(tx -> RecordSql.transitions(tx, account, run)).stream()
                .map(
                        each ->
                                (each.from() == null ? "" : each.from().word() + " -> ")
                                        + each.to().word())
                .toList();
    }

    /// `type amount` of each entry of the run, in order.
    List<String> ledger(UUID run) {
        return test
                .database()
                .rows(
                        "select transaction_type || ' ' || trim_scale(amount) as line from"
                                + " credit_entry where run_id = ? order by seq",
                        run)
                .stream()
                .map(each -> String.valueOf(each.get("line")))
                .toList();
    }

    String value(String sql) {
        Object value = test.database().value(sql);
        return String.valueOf(value);
    }

    Timeouts timeouts() {
        return options.usual().timeouts();
    }

    /// Whatever a test has done, the invariants hold after it; but for heartbeats, as tests
    /// move the clock while nobody drives.
    @Override
    public void close() {
        try {
            assertThat(RunsInvariants.violations(test.kernel().database()))
                    .filteredOn(each -> each.invariant() != 7)
                    .isEmpty();
        } finally {
            test.close();
        }
    }
}
