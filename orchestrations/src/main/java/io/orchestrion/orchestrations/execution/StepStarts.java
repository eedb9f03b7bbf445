package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.definition.CallRequest;
import io.orchestrion.orchestrations.definition.Handler;
import io.orchestrion.orchestrations.definition.Route;
import io.orchestrion.orchestrations.definition.StepDetails;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.definition.WaitTimes;
import io.orchestrion.orchestrations.execution.StepAttempt.Key;
import io.orchestrion.orchestrations.execution.StepAttempt.Place;
import io.orchestrion.orchestrations.execution.StepAttempt.Times;
import io.orchestrion.orchestrations.expression.Evaluated;
import io.orchestrion.orchestrations.expression.Mapping;
import io.orchestrion.orchestrations.expression.Values;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/// Begins attempts of one execution: makes the row, and the item that a worker, the pool or the
/// clock ends. What needs nobody, such as a decision, has ended when it returns.
final class StepStarts {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Turn turn;
    private final StepInputs inputs;

    StepStarts(Turn turn) {
        this.turn = turn;
        this.inputs = new StepInputs(turn);
    }

    /// Which attempt is to be begun.
    ///
    /// @param retryAtMs not to be begun before; null for at once
    /// @param deadlineMs of the whole step, where an earlier attempt has begun it
    record Wanted(
            StepSpec spec,
            AttemptKind kind,
            int number,
            int budgetFrom,
            int epoch,
            @Nullable Long retryAtMs,
            @Nullable Long deadlineMs) {

        /// The first attempt of a step.
        static Wanted first(StepSpec spec) {
            return new Wanted(spec, AttemptKind.STEP, 1, 1, 0, null, null);
        }
    }

    /// Null while somebody has to do something; else what has ended already.
    @Nullable AttemptEnd begin(Execution execution, Wanted wanted) throws SQLException {
        StepAttempt attempt = turn.add(attempt(execution, wanted));
        Handler handler = handler(wanted);
        try {
            if (wanted.kind() != AttemptKind.STEP) {
                dispatch(execution, wanted, attempt, handler);
                return null;
            }
            return switch (wanted.spec().details()) {
                case StepDetails.Decision decision -> decide(execution, attempt, decision);
                case StepDetails.Wait(var time) -> await(execution, attempt, time);
                case StepDetails.HumanApproval approval ->
                        ask(execution, wanted.spec(), attempt, approval);
                case StepDetails.Task _, StepDetails.ExternalCall _, StepDetails.Notify _ -> {
                    dispatch(execution, wanted, attempt, handler);
                    yield null;
                }
            };
        } catch (NoValue e) {
            return failedAtOnce(attempt, e.error());
        }
    }

    private @Nullable Handler handler(Wanted wanted) {
        StepSpec spec = wanted.spec();
        return switch (wanted.kind()) {
            case STEP ->
                    switch (spec.details()) {
                        case StepDetails.Task task -> task.handler();
                        case StepDetails.ExternalCall call -> call.handler();
                        case StepDetails.Notify notice -> notice.handler();
                        case StepDetails.Decision _,
                                StepDetails.Wait _,
                                StepDetails.HumanApproval _ ->
                                null;
                    };
            case GUARD -> spec.guard();
            case COMPENSATION -> spec.compensation();
        };
    }

    StepAttempt attempt(Execution execution, Wanted wanted) {
        StepSpec spec = wanted.spec();
        return new StepAttempt(
                turn.nextId(),
                execution.id(),
                new Place(
                        spec.id(),
                        spec.type(),
                        wanted.kind(),
                        wanted.number(),
                        wanted.budgetFrom()),
                wanted.retryAtMs() == null ? StepStatus.PENDING : StepStatus.RETRYING,
                1,
                new Key(
                        StepKeys.of(
                                turn.account(),
                                execution.id(),
                                spec.id(),
                                wanted.kind(),
                                wanted.epoch()),
                        wanted.epoch(),
                        spec.safeRetry()),
                new Times(
                        turn.nowMs(),
                        wanted.retryAtMs(),
                        null,
                        null,
                        spec.timeoutMs(),
                        wanted.deadlineMs()),
                StepAttempt.Ended.NOT);
    }

    private AttemptEnd failedAtOnce(StepAttempt attempt, WorkError error) {
        StepAttempt running = turn.change(attempt, attempt.begun(turn.nowMs()));
        return AttemptEnd.failed(running, StepStatus.FAILED, error);
    }

    private AttemptEnd decide(
            Execution execution, StepAttempt attempt, StepDetails.Decision decision)
            throws SQLException {
        Set<String> named = new HashSet<>();
        decision.branches().forEach(branch -> named.addAll(branch.when().stepIds()));
        Values values = inputs.values(execution, named);
        StepAttempt running = turn.change(attempt, attempt.begun(turn.nowMs()));
        for (int i = 0; i < decision.branches().size(); i++) {
            StepDetails.Branch branch = decision.branches().get(i);
            Evaluated<Boolean> holds = branch.when().test(values);
            if (holds instanceof Evaluated.Failed<Boolean>(var code, var message)) {
                return AttemptEnd.failed(running, StepStatus.FAILED, NoValue.error(code, message));
            }
            if (holds instanceof Evaluated.Value<Boolean>(var value) && value) {
                String name = branch.name() == null ? "branch " + (i + 1) : branch.name();
                return taken(running, name, branch.next());
            }
        }
        return decision.otherwise() == null
                ? AttemptEnd.failed(
                        running,
                        StepStatus.FAILED,
                        WorkError.of(
                                Codes.NO_BRANCH_MATCHED,
                                "no branch is true, and there is no default"))
                : taken(running, "default", decision.otherwise());
    }

    private static AttemptEnd taken(StepAttempt running, String branch, Route next) {
        ObjectNode result = JSON.createObjectNode();
        result.put("branch", branch);
        result.put("next", next instanceof Route.Next(var id) ? id : Route.TERMINAL_WORD);
        return AttemptEnd.succeeded(running, result.toString()).taking(next);
    }

    private @Nullable AttemptEnd await(
            Execution execution, StepAttempt attempt, StepDetails.WaitTime wait)
            throws SQLException {
        long until = until(execution, wait);
        StepAttempt running = turn.change(attempt, attempt.begun(turn.nowMs()));
        long deadline = turn.nowMs() + running.times().timeoutMs();
        if (until > deadline) {
            timer(execution, running.id(), ItemKinds.WAIT_TOO_LONG, deadline);
            return null;
        }
        if (until > turn.nowMs()) {
            timer(execution, running.id(), ItemKinds.WAIT, until);
            return null;
        }
        return AttemptEnd.succeeded(running, waited(until));
    }

    static String waited(long untilMs) {
        return JSON.createObjectNode()
                .put("waited_until", Instant.ofEpochMilli(untilMs).toString())
                .toString();
    }

    /// When a wait is over.
    private long until(Execution execution, StepDetails.WaitTime wait) throws SQLException {
        return switch (wait) {
            case StepDetails.WaitTime.For(long durationMs) -> turn.nowMs() + durationMs;
            case StepDetails.WaitTime.Until(Mapping at) -> {
                Long millis = WaitTimes.millis(inputs.evaluate(execution, at).asString(""));
                if (millis == null) {
                    throw new NoValue(
                            NoValue.error(Codes.MAPPING_FAILED, "until gives no time of RFC 3339"));
                }
                yield millis;
            }
        };
    }

    private @Nullable AttemptEnd ask(
            Execution execution,
            StepSpec spec,
            StepAttempt attempt,
            StepDetails.HumanApproval details)
            throws SQLException {
        String input =
                StepInputs.bounded(
                        inputs.input(execution, spec),
                        Profiles.STEPS.bounds().payload().maxBytes());
        StepAttempt asking = turn.change(attempt, attempt.asking(turn.nowMs()));
        long due = turn.nowMs() + spec.timeoutMs();
        turn.add(
                new Approval(
                        turn.nextId(),
                        execution.id(),
                        spec.id(),
                        asking.id(),
                        AttemptKind.STEP,
                        ApprovalStatus.PENDING,
                        1,
                        new Approval.Question(
                                details.assigneeGroup(),
                                details.title() == null ? spec.name() : details.title(),
                                input,
                                turn.nowMs(),
                                due),
                        null));
        timer(execution, asking.id(), ItemKinds.APPROVAL, due);
        turn.change(
                turn.execution(execution.id()),
                ExecutionStatus.WAITING_APPROVAL,
                Subjects.Cause.of("step " + spec.id() + " waits for an approval"));
        return null;
    }

    private void timer(Execution execution, UUID id, String kind, long atMs) {
        turn.submit(
                execution,
                id,
                NewWork.of(turn.account(), Profiles.TIMERS, kind, "{}").notBefore(atMs));
    }

    private void dispatch(
            Execution execution, Wanted wanted, StepAttempt attempt, @Nullable Handler handler)
            throws SQLException {
        ObjectNode envelope = envelope(execution, wanted, attempt);
        NewWork item =
                switch (handler) {
                    case Handler.TaskHandler(var type) ->
                            NewWork.of(
                                            turn.account(),
                                            Profiles.STEPS,
                                            type,
                                            StepInputs.bounded(
                                                    envelope,
                                                    Profiles.STEPS.bounds().payload().maxBytes()))
                                    .leasedFor(leaseSeconds(wanted))
                                    .prioritised(priority(wanted));
                    case Handler.HttpHandler(var url) -> {
                        envelope.set("request", inputs.request(execution, asked(wanted), url));
                        yield NewWork.of(
                                turn.account(),
                                Profiles.BUILTIN,
                                kindOf(wanted),
                                StepInputs.bounded(
                                        envelope, Profiles.BUILTIN.bounds().payload().maxBytes()));
                    }
                    case Handler.BuiltinHandler(var name) -> {
                        envelope.put("action", name);
                        yield NewWork.of(
                                turn.account(),
                                Profiles.BUILTIN,
                                ItemKinds.ACTION,
                                StepInputs.bounded(
                                        envelope, Profiles.BUILTIN.bounds().payload().maxBytes()));
                    }
                    case null -> throw new IllegalStateException("a step without a handler");
                };
        long attemptMs =
                Math.min(wanted.spec().retryPolicy().timeoutMs(), wanted.spec().timeoutMs());
        turn.submit(
                execution,
                attempt.id(),
                item.runningAtMost(attemptMs)
                        .notBefore(wanted.retryAtMs())
                        .givingUpAt(wanted.deadlineMs()));
    }

    private static int leaseSeconds(Wanted wanted) {
        return wanted.spec().details() instanceof StepDetails.Task task
                ? task.leaseSeconds()
                : Profiles.STEPS.lease().seconds().orElse();
    }

    private static int priority(Wanted wanted) {
        return wanted.spec().details() instanceof StepDetails.Task task && task.priority() != null
                ? task.priority()
                : 0;
    }

    private static String kindOf(Wanted wanted) {
        return wanted.kind() == AttemptKind.STEP
                        && wanted.spec().details() instanceof StepDetails.Notify
                ? ItemKinds.NOTIFY
                : ItemKinds.HTTP;
    }

    /// The request that a step asks for. Guards and compensations are asked with the envelope.
    private static CallRequest asked(Wanted wanted) {
        if (wanted.kind() != AttemptKind.STEP) {
            return CallRequest.USUAL;
        }
        return switch (wanted.spec().details()) {
            case StepDetails.ExternalCall call -> call.request();
            case StepDetails.Notify notice -> notice.request();
            case StepDetails.Task _,
                    StepDetails.Decision _,
                    StepDetails.Wait _,
                    StepDetails.HumanApproval _ ->
                    CallRequest.USUAL;
        };
    }

    /// What the handler of a step is given, wherever it runs.
    private ObjectNode envelope(Execution execution, Wanted wanted, StepAttempt attempt)
            throws SQLException {
        ObjectNode envelope = JSON.createObjectNode();
        envelope.put("tenant_id", turn.account().toString());
        envelope.put("execution_id", execution.id().toString());
        envelope.put("step_id", wanted.spec().id());
        envelope.put("step_execution_id", attempt.id().toString());
        envelope.put("kind", wanted.kind().word());
        envelope.put("attempt_number", wanted.number());
        envelope.put("idempotency_key", attempt.key().value());
        envelope.put("correlation_id", execution.asked().correlationId());
        String trace = execution.asked().trace();
        if (trace != null) {
            envelope.put("traceparent", trace);
        }
        envelope.put(
                "timeout_ms",
                Math.min(wanted.spec().retryPolicy().timeoutMs(), wanted.spec().timeoutMs()));
        Long deadline = wanted.deadlineMs();
        envelope.put(
                "deadline_at", deadline == null ? null : Instant.ofEpochMilli(deadline).toString());
        envelope.set("input", inputs.input(execution, wanted.spec()));
        return envelope;
    }
}
