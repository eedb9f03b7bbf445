package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.events.SubjectLine;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.schema.ChecksBusy;
import io.orchestrion.orchestrations.execution.Ack;
import io.orchestrion.orchestrations.execution.Created;
import io.orchestrion.orchestrations.execution.Execution;
import io.orchestrion.orchestrations.execution.ExecutionQuery;
import io.orchestrion.orchestrations.execution.ExecutionReads;
import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.orchestrations.execution.ExecutionVerbs;
import io.orchestrion.orchestrations.execution.NewExecution;
import io.orchestrion.orchestrations.execution.Orchestrations;
import io.orchestrion.orchestrations.execution.StepAttempt;
import io.orchestrion.orchestrations.execution.StepQuery;
import io.orchestrion.orchestrations.execution.StepStatus;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.contract.Pages.Cursor;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/// The verbs on executions: read the request, call one verb of the engine, say what came of it.
public final class ExecutionHandlers {
    private final Orchestrations engine;
    private final ExecutionReads reads;
    private final ExecutionGuidance guidance;

    public ExecutionHandlers(Orchestrations engine) {
        this.engine = engine;
        reads = engine.reads();
        guidance = new ExecutionGuidance(reads);
    }

    public Router.Builder addTo(Router.Builder router) {
        ExecutionVerbs verbs = engine.executions();
        return router.handle(ExecutionEndpoints.CREATE, this::create)
                .handle(ExecutionEndpoints.LIST, this::list)
                .handle(ExecutionEndpoints.GET, this::get)
                .handle(ExecutionEndpoints.STEPS, this::steps)
                .handle(ExecutionEndpoints.TRANSITIONS, this::transitions)
                .handle(ExecutionEndpoints.GRAPH, this::graph)
                .handle(ExecutionEndpoints.CANCEL, call -> verb(call, verbs::cancel))
                .handle(ExecutionEndpoints.PAUSE, call -> verb(call, verbs::pause))
                .handle(ExecutionEndpoints.RESUME, call -> verb(call, verbs::resume))
                .handle(ExecutionEndpoints.RETRY, this::retry)
                .handle(ExecutionEndpoints.RETRY_STEP, this::retryStep);
    }

    private Answer create(Call call) {
        return switch (ExecutionCreation.read(call, call.json())) {
            case ExecutionCreation.Asked.Good(var asked) -> create(call, asked);
            case ExecutionCreation.Asked.Bad(var message, var pointer) ->
                    OrchestrationAnswers.badRequest(
                            call, message, List.of(new ErrorDetail(message, pointer, null)));
        };
    }

    private Answer create(Call call, NewExecution asked) {
        Created created;
        try {
            created = engine.create(asked);
        } catch (ChecksBusy e) {
            return OrchestrationAnswers.error(
                    call, OrchestrationError.OVERLOADED, String.valueOf(e.getMessage()));
        }
        return switch (created) {
            case Created.Made(var execution, boolean replayed) ->
                    made(call, execution, replayed, asked.idempotencyKey() != null);
            case Created.BadInput(var faults) ->
                    OrchestrationAnswers.badRequest(
                            call,
                            faults.getFirst() + ".",
                            faults.stream().map(ErrorDetail::of).toList());
            case Created.NoDefinition() -> error(call, OrchestrationError.DEFINITION_NOT_FOUND);
            case Created.NotPublished(), Created.Outdated() ->
                    error(call, OrchestrationError.DEFINITION_NOT_PUBLISHED);
            case Created.Deprecated() -> error(call, OrchestrationError.DEFINITION_DEPRECATED);
            case Created.KeyConflict() -> error(call, OrchestrationError.IDEMPOTENCY_CONFLICT);
            case Created.KeyInFlight() -> error(call, OrchestrationError.IDEMPOTENCY_IN_FLIGHT);
            case Created.TooMany(var limit, int most) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.CONCURRENCY_LIMIT,
                            OrchestrationAnswers.tooMany(limit, most));
        };
    }

    private static Answer error(Call call, OrchestrationError error) {
        return OrchestrationAnswers.error(call, error, error.meaning());
    }

    private Answer made(Call call, Execution execution, boolean replayed, boolean keyed) {
        call.about("execution_id", execution.id());
        Answer answer =
                Pages.json(
                                replayed ? 200 : 201,
                                out -> ExecutionJson.whole(out, execution),
                                guidance.of(execution, keyed))
                        .with("Location", ExecutionGuidance.path(execution))
                        .with(Correlation.HEADER, execution.asked().correlationId());
        return replayed ? answer.with(Once.REPLAYED, "true") : answer;
    }

    private static @Nullable UUID id(Call call) {
        return Callers.id(call, "execution_id");
    }

    private static Answer notFound(Call call) {
        return error(call, OrchestrationError.EXECUTION_NOT_FOUND);
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        int limit = query.int32("limit");
        String status = query.textOrNull("status");
        String definition = query.textOrNull("definition_id");
        List<Execution> found =
                reads.list(
                        new ExecutionQuery(
                                Callers.account(call),
                                status == null ? null : ExecutionStatus.named(status).orElseThrow(),
                                definition == null ? null : UUID.fromString(definition),
                                query.textOrNull("target_object_type"),
                                query.textOrNull("target_object_id"),
                                query.textOrNull("correlation_id"),
                                cursor.place(),
                                limit + 1));
        return Pages.page(
                found, limit, Execution::id, ExecutionJson::listed, ExecutionGuidance.listed());
    }

    private Answer get(Call call) {
        int limit = call.queryValues().int32("limit");
        UUID id = id(call);
        ExecutionReads.Seen seen =
                id == null ? null : reads.get(Callers.account(call), id, limit + 1);
        if (seen == null) {
            return notFound(call);
        }
        Execution execution = seen.execution();
        Map<String, String> names = names(execution);
        return Pages.json(
                200,
                out -> {
                    ExecutionJson.whole(out, execution);
                    out.objects("blocked_on", seen.blockedOn(), ExecutionJson::blocked)
                            .objects(
                                    "steps",
                                    Pages.first(seen.steps(), limit),
                                    (each, step) ->
                                            ExecutionJson.step(each, step, name(names, step)))
                            .text(
                                    "steps_next_cursor",
                                    Pages.next(seen.steps(), limit, StepAttempt::id))
                            .objects(
                                    "transitions",
                                    Pages.first(seen.transitions(), limit),
                                    ExecutionJson::transition)
                            .text(
                                    "transitions_next_cursor",
                                    Pages.next(
                                            seen.transitions(), limit, ExecutionHandlers::place));
                },
                guidance.of(execution, seen.blockedOn()));
    }

    private Map<String, String> names(Execution execution) {
        return reads.stepNames(execution.account(), execution.definition());
    }

    private static String name(Map<String, String> names, StepAttempt step) {
        return names.getOrDefault(step.place().stepId(), step.place().stepId());
    }

    private static UUID place(SubjectLine line) {
        return Pages.numberPlace(line.seq());
    }

    private Answer steps(Call call) {
        Values query = call.queryValues();
        Cursor cursor = Cursor.of(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        Execution execution = find(call);
        if (execution == null) {
            return notFound(call);
        }
        int limit = query.int32("limit");
        String status = query.textOrNull("status");
        List<StepAttempt> found =
                reads.steps(
                        new StepQuery(
                                execution.account(),
                                execution.id(),
                                query.textOrNull("step_id"),
                                status == null ? null : StepStatus.named(status).orElseThrow(),
                                cursor.place(),
                                limit + 1));
        if (found == null) {
            return notFound(call);
        }
        Map<String, String> names = names(execution);
        return Pages.page(
                found,
                limit,
                StepAttempt::id,
                (out, step) -> ExecutionJson.step(out, step, name(names, step)),
                guidance.of(execution, true));
    }

    private @Nullable Execution find(Call call) {
        UUID id = id(call);
        return id == null ? null : reads.find(Callers.account(call), id);
    }

    private Answer transitions(Call call) {
        Cursor cursor = Cursor.ofNumber(call);
        if (cursor.wrong()) {
            return OrchestrationAnswers.badCursor(call);
        }
        Execution execution = find(call);
        if (execution == null) {
            return notFound(call);
        }
        int limit = call.queryValues().int32("limit");
        Integer after = cursor.number();
        return Pages.page(
                reads.transitions(
                        execution.account(), execution.id(), after == null ? 0 : after, limit + 1),
                limit,
                ExecutionHandlers::place,
                ExecutionJson::transition,
                guidance.of(execution, true));
    }

    private Answer graph(Call call) {
        UUID id = id(call);
        ExecutionReads.Drawn drawn = id == null ? null : reads.graph(Callers.account(call), id);
        return drawn == null
                ? notFound(call)
                : GraphAnswers.of(
                        call,
                        drawn.execution(),
                        drawn.graph(),
                        drawn.newest(),
                        guidance.of(drawn.execution(), true));
    }

    private Answer verb(Call call, Function<ExecutionVerbs.Request, Ack> verb) {
        String reason = call.json().textOrNull("reason");
        UUID id = id(call);
        Ack ack = id == null ? new Ack.NotFound() : verb.apply(request(call, id, reason));
        return ack instanceof Ack.Done done
                ? Pages.json(
                        200,
                        out -> ExecutionJson.whole(out, done.execution()),
                        guidance.of(done.execution(), true))
                : refused(call, ack);
    }

    private static ExecutionVerbs.Request request(Call call, UUID id, @Nullable String reason) {
        return new ExecutionVerbs.Request(
                Callers.account(call), id, OrchestrationAnswers.person(call), reason);
    }

    private Answer retry(Call call) {
        Values body = call.json();
        UUID id = id(call);
        Ack ack = id == null ? new Ack.NotFound() : retry(call, body, id, null);
        if (!(ack instanceof Ack.Done done)) {
            return refused(call, ack);
        }
        StepAttempt step = done.step();
        Map<String, String> names = names(done.execution());
        return Pages.json(
                200,
                out -> {
                    ExecutionJson.whole(out, done.execution());
                    if (step == null) {
                        out.nil("step_execution");
                    } else {
                        out.object(
                                "step_execution",
                                each -> ExecutionJson.step(each, step, name(names, step)));
                    }
                },
                guidance.of(done.execution(), false));
    }

    private Ack retry(Call call, Values body, UUID id, @Nullable String stepId) {
        return engine.executions()
                .retry(
                        request(call, id, body.text("reason")),
                        stepId,
                        Boolean.TRUE.equals(body.boolOrNull("confirm_unsafe")));
    }

    private Answer retryStep(Call call) {
        Values body = call.json();
        Execution execution = find(call);
        if (execution == null) {
            return notFound(call);
        }
        String stepId = call.pathParameter("step_id");
        Map<String, String> names = names(execution);
        if (!names.containsKey(stepId)) {
            return error(call, OrchestrationError.STEP_NOT_FOUND);
        }
        Ack ack = retry(call, body, execution.id(), stepId);
        if (!(ack instanceof Ack.Done done)) {
            return refused(call, ack);
        }
        StepAttempt step = done.step();
        if (step == null) {
            throw new IllegalStateException("a retry of step " + stepId + " began no attempt");
        }
        return Pages.json(
                200,
                out -> {
                    ExecutionJson.step(out, step, name(names, step));
                    out.text("execution_status", done.execution().status().word());
                },
                guidance.of(done.execution(), false));
    }

    private Answer refused(Call call, Ack ack) {
        return switch (ack) {
            case Ack.Done _ -> throw new IllegalStateException("nothing was refused");
            case Ack.NotFound() -> notFound(call);
            case Ack.WrongStatus(var execution) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.INVALID_TRANSITION,
                            "The execution is "
                                    + execution.status().word()
                                    + ", which does not allow this.",
                            guidance.of(execution, false));
            case Ack.Unsafe(var execution, var stepId) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.UNSAFE_RETRY,
                            "Step "
                                    + stepId
                                    + " is not safe to repeat; send confirm_unsafe as true to"
                                    + " repeat it all the same.",
                            guidance.unsafe(execution, call.method(), call.path()));
            case Ack.TooMany(var _, var limit, int most) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.CONCURRENCY_LIMIT,
                            OrchestrationAnswers.tooMany(limit, most));
            case Ack.NotFailed(var execution, var stepId) ->
                    OrchestrationAnswers.error(
                            call,
                            OrchestrationError.STEP_NOT_FAILED,
                            "Step " + stepId + " has no failed attempt that could be repeated.",
                            guidance.of(execution, false));
        };
    }
}
