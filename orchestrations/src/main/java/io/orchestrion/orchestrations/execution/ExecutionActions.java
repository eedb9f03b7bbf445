package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.action.ActionCall;
import io.orchestrion.kernel.action.ActionInput;
import io.orchestrion.kernel.action.Actions;
import io.orchestrion.kernel.action.BadActionInput;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.execution.Execution.Parent;
import io.orchestrion.orchestrations.execution.Execution.Target;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/// The functions by which steps start, pause, resume and cancel executions of the same account. An
/// attempt that is made again changes nothing more.
final class ExecutionActions {
    private static final JsonMapper JSON = JsonMapper.shared();

    /// A process that starts itself ends here.
    static final int DEPTH_MAX = 8;

    private final ExecutionReads reads;
    private final Function<NewExecution, Created> create;

    ExecutionActions(ExecutionReads reads, Function<NewExecution, Created> create) {
        this.reads = reads;
        this.create = create;
    }

    void addTo(Actions actions, ExecutionVerbs verbs) {
        actions.add("execution.start", call -> started(create.apply(asked(call))));
        add(actions, "execution.pause", verbs::pause);
        add(actions, "execution.resume", verbs::resume);
        add(actions, "execution.cancel", verbs::cancel);
    }

    private static void add(
            Actions actions, String name, Function<ExecutionVerbs.Request, Ack> verb) {
        actions.add(
                name,
                call -> {
                    UUID execution = call.input().id("execution_id");
                    var request =
                            new ExecutionVerbs.Request(
                                    call.account(),
                                    execution,
                                    new Requester.Step(call.caller(), call.stepId()),
                                    call.input().optional("reason"));
                    return changed(name, execution, verb.apply(request));
                });
    }

    private static Outcome changed(String name, UUID id, Ack ack) {
        return switch (ack) {
            case Ack.Done(var execution, boolean changed, var _) -> done(execution, changed);
            case Ack.NotFound() -> failed("not_found", "there is no execution " + id);
            case Ack.WrongStatus(var execution) -> wrongStatus(name, execution);
            case Ack.Unsafe(var execution, var _) -> wrongStatus(name, execution);
            case Ack.NotFailed(var execution, var _) -> wrongStatus(name, execution);
            case Ack.TooMany(var execution, var _, int _) -> wrongStatus(name, execution);
        };
    }

    private static Outcome wrongStatus(String name, Execution execution) {
        return failed(
                "invalid_transition",
                name
                        + " does not fit execution "
                        + execution.id()
                        + ", which is "
                        + execution.status().word());
    }

    private NewExecution asked(ActionCall call) {
        ActionInput input = call.input();
        UUID definition = input.id("definition_id");
        Integer wanted = input.wholeNumber("definition_version");
        Target target =
                new Target(
                        input.required("target_object_type"), input.required("target_object_id"));
        String own = Objects.requireNonNullElse(input.document("input"), "{}");
        String digest = String.join("\n", "" + definition, "" + wanted, "" + target, own);
        return new NewExecution(
                call.account(),
                definition,
                wanted,
                target,
                own,
                // Equal for all attempts of the step, so that it starts one execution.
                "step:" + call.key(),
                call.correlationId(),
                call.traceparent(),
                UUID.nameUUIDFromBytes(digest.getBytes(StandardCharsets.UTF_8)),
                parent(call.account(), call.caller()));
    }

    private Parent parent(UUID account, UUID id) {
        Execution execution = reads.find(account, id);
        Parent above = execution == null ? null : execution.asked().parent();
        int depth = above == null ? 0 : above.depth() + 1;
        if (depth >= DEPTH_MAX) {
            throw new BadActionInput(
                    "executions start each other at most " + DEPTH_MAX + " deep, and this is one");
        }
        return new Parent(id, depth);
    }

    private static Outcome started(Created created) {
        return switch (created) {
            case Created.Made(var execution, boolean replayed) -> done(execution, !replayed);
            case Created.NoDefinition() -> failed("not_found", "there is no such definition");
            case Created.NotPublished() ->
                    failed("definition_not_published", "no such version is published");
            case Created.Deprecated() ->
                    failed("definition_deprecated", "the version is deprecated");
            case Created.BadInput(var faults) ->
                    failed("validation_failed", "the input does not fit: " + faults);
            case Created.KeyConflict() ->
                    failed("idempotency_conflict", "the step has started another execution before");
            case Created.TooMany(var limit, int most) ->
                    failed("concurrency_limit", limit + " is " + most);
            // Another attempt of this step is at it: the next one finds what it has made.
            case Created.KeyInFlight(), Created.Outdated() ->
                    failed(Codes.UNAVAILABLE, "the same start is still under way");
        };
    }

    private static Outcome done(Execution execution, boolean changed) {
        ObjectNode result = JSON.createObjectNode();
        result.put("execution_id", execution.id().toString());
        result.put("status", execution.status().word());
        result.put("changed", changed);
        return new Outcome.Completed(result.toString());
    }

    private static Outcome failed(String code, String message) {
        return new Outcome.Failed(
                WorkError.of(
                        code,
                        message.substring(0, Math.min(message.length(), WorkError.MESSAGE_MAX))));
    }
}
