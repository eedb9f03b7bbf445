package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;
import io.orchestrion.orchestrations.execution.Execution.Target;
import io.orchestrion.testkit.TestKernel;
import io.orchestrion.testkit.Until;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// A kernel with orchestrations, one account, somebody with a key, and a service that answers as
/// the test wants.
final class OrchestrationFixture implements AutoCloseable {
    /// How long ended executions stay.
    static final Duration KEPT = Duration.ofDays(30);

    private final int dependencyFactor;
    final TestKernel test = new TestKernel(OrchestrationFixture::withExecutions);
    final Service service = new Service();
    final Orchestrations engine;
    final UUID account = test.account();
    final Person person = new Person(UUID.randomUUID(), "reviewer");

    OrchestrationFixture() {
        this(RetryPolicy.DEPENDENCY_FACTOR);
    }

    OrchestrationFixture(int dependencyFactor) {
        this.dependencyFactor = dependencyFactor;
        this.engine = engine(test.kernel());
    }

    /// Answers calls as the test says, and notes each.
    static final class Service implements Egress {
        final List<Call> calls = new CopyOnWriteArrayList<>();
        volatile Function<Call, CallOutcome> answer = _ -> json(200, "{\"ok\":true}");

        static CallOutcome json(int status, String body) {
            return new CallOutcome.Answered(
                    status,
                    Map.of("Content-Type", List.of("application/json")),
                    body.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public @Nullable String knownFault(String url) {
            return null;
        }

        @Override
        public @Nullable String fault(UUID account, String url) {
            return null;
        }

        @Override
        public CallOutcome call(UUID account, Call call) {
            calls.add(call);
            return answer.apply(call);
        }
    }

    private static KernelOptions withExecutions(KernelOptions options) {
        return options.withSubjects(Orchestrations.SUBJECTS)
                .withSchema(options.schema().plus(List.of(Orchestrations.SCHEMA)));
    }

    private Orchestrations engine(Kernel kernel) {
        return new Orchestrations(
                kernel,
                new OrchestrationsOptions(
                        service,
                        new JsonSchemas(new Failpoints()),
                        new Random(7),
                        4,
                        2,
                        dependencyFactor,
                        KEPT));
    }

    /// Another node on the same database, with an engine of its own.
    Kernel anotherNode() {
        Kernel kernel = test.anotherNode(OrchestrationFixture::withExecutions);
        engine(kernel);
        return kernel;
    }

    /// Another node with its engine, for what two nodes do at once.
    record Node(Kernel kernel, Orchestrations engine) implements AutoCloseable {
        @Override
        public void close() {
            engine.close();
            kernel.close();
        }
    }

    Node secondNode() {
        Kernel kernel = test.anotherNode(OrchestrationFixture::withExecutions);
        return new Node(kernel, engine(kernel));
    }

    /// The id of a definition whose first version is published.
    UUID published(String document) {
        var made = engine.definitions().create(account, person, document);
        assertThat(made).isInstanceOf(Definitions.Changed.Done.class);
        UUID id = ((Definitions.Changed.Done) made).version().id();
        var published = engine.definitions().publish(account, person, id, 1);
        assertThat(published).isInstanceOf(Definitions.Changed.Done.class);
        return id;
    }

    NewExecution asked(UUID definition, String input, @Nullable String key) {
        return new NewExecution(
                account,
                definition,
                null,
                new Target("invoice", "17"),
                input,
                key,
                "order-7",
                null,
                UUID.nameUUIDFromBytes((definition + input).getBytes(StandardCharsets.UTF_8)));
    }

    Execution start(UUID definition, String input) {
        Created created = engine.create(asked(definition, input, null));
        assertThat(created).isInstanceOf(Created.Made.class);
        return ((Created.Made) created).execution();
    }

    Execution start(String document) {
        return start(published(document), "{\"n\":1}");
    }

    /// What a worker outside gets; empty when there is nothing for it.
    List<WorkItem> claim(String type, int most) {
        var request = new ClaimRequest(account, "tasks", type, most, "worker", null);
        return test.kernel().work().claim(request, Duration.ZERO).items().stream()
                .map(WorkView::item)
                .toList();
    }

    WorkItem claim(String type) {
        return claim(type, 1).getFirst();
    }

    Ack complete(WorkItem held, String result) {
        return say(held, new Command.Complete(Fence.of(held.lease().token()), result, null));
    }

    Ack fail(WorkItem held, String code) {
        return fail(held, WorkError.of(code, "it did not work"));
    }

    Ack fail(WorkItem held, WorkError error) {
        return say(
                held,
                new Command.Fail(
                        Fence.of(held.lease().token()), null, null, true, Report.of(error), null));
    }

    Ack say(WorkItem held, Command command) {
        return test.kernel()
                .work()
                .command(new CommandRequest(account, Profiles.TASKS, held.id(), command, false));
    }

    Ack heartbeat(WorkItem held) {
        return say(held, new Command.Heartbeat(Fence.of(held.lease().token())));
    }

    /// The only attempt of a step with that number.
    StepAttempt step(UUID id, String stepId, AttemptKind kind, int number) {
        return steps(id).stream()
                .filter(
                        each ->
                                each.place().stepId().equals(stepId)
                                        && each.place().kind() == kind
                                        && each.place().number() == number)
                .reduce(
                        (_, _) -> {
                            throw new AssertionError("two attempts of one number");
                        })
                .orElseThrow();
    }

    StepAttempt step(UUID id, String stepId, int number) {
        return step(id, stepId, AttemptKind.STEP, number);
    }

    Execution execution(UUID id) {
        return seen(id).execution();
    }

    ExecutionReads.Seen seen(UUID id) {
        return engine.reads().get(account, id, 1000);
    }

    ExecutionStatus status(UUID id) {
        return execution(id).status();
    }

    List<StepAttempt> steps(UUID id) {
        return seen(id).steps();
    }

    /// `step_id kind#number status` of each attempt, in order.
    List<String> history(UUID id) {
        var lines = new ArrayList<String>();
        for (StepAttempt step : steps(id)) {
            String kind =
                    step.place().kind() == AttemptKind.STEP ? "" : " " + step.place().kind().word();
            lines.add(
                    step.place().stepId()
                            + kind
                            + "#"
                            + step.place().number()
                            + " "
                            + step.status().word());
        }
        return lines;
    }

    List<DeadLetter> letters(UUID execution) {
        return engine.deadLetters()
                .list(
                        new DeadLetterQuery(
                                account, null, null, null, execution, null, null, false, null,
                                100));
    }

    List<Approval> pending() {
        return engine.approvals()
                .list(
                        new ApprovalQuery(
                                account,
                                ApprovalStatus.PENDING,
                                null,
                                null,
                                null,
                                null,
                                null,
                                100));
    }

    ExecutionVerbs.Request request(UUID execution) {
        return new ExecutionVerbs.Request(account, execution, person, "because");
    }

    /// The time of waits is over, also for those who only look.
    void later(Duration by) {
        test.clock().advance(by);
        for (String duty : List.of("lease-reaper", "give-up", "due-promoter")) {
            test.kernel().sweepOnce(duty);
        }
    }

    /// The server makes its calls until the condition holds.
    void callUntil(String what, BooleanSupplier condition) {
        Until.isTrue(
                what,
                Duration.ofSeconds(20),
                () -> {
                    test.kernel().sweepOnce("orchestration-calls");
                    test.kernel().sweepOnce("orchestration-notices");
                    test.kernel().sweepOnce("orchestration-actions");
                    return condition.getAsBoolean();
                });
    }

    @Override
    public void close() {
        engine.close();
        test.close();
    }
}
