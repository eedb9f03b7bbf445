package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.orchestrations.execution.Execution.Parent;
import io.orchestrion.orchestrations.execution.Execution.Target;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;

/// Does what `builtin:` handlers say: starts, pauses, resumes and cancels executions of the same
/// account. Each goes through the verb that a person's call goes through, so that the same rules
/// hold, and an attempt that is made again changes nothing more.
final class ActionSteps implements Handler {
    private static final JsonMapper JSON = JsonMapper.shared();

    /// A process that starts itself ends here.
    static final int DEPTH_MAX = 8;

    private static final int WORD_MAX = 200;

    private final ExecutionVerbs verbs;
    private final ExecutionReads reads;
    private final Function<NewExecution, Created> create;

    ActionSteps(
            ExecutionVerbs verbs, ExecutionReads reads, Function<NewExecution, Created> create) {
        this.verbs = verbs;
        this.reads = reads;
        this.create = create;
    }

    /// The input of a step says something else than its function takes.
    private static final class BadInput extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadInput(String message) {
            super(message);
        }
    }

    @Override
    public Outcome run(Charge charge) {
        JsonNode envelope = JSON.readTree(charge.payload());
        UUID account = charge.item().accountId();
        try {
            Action action = Action.of(envelope.get("action").asString());
            return action == Action.START
                    ? started(create.apply(asked(account, envelope, charge.traceparent())))
                    : changed(action, request(account, envelope));
        } catch (BadInput e) {
            return failed("validation_failed", String.valueOf(e.getMessage()));
        }
    }

    private ExecutionVerbs.Request request(UUID account, JsonNode envelope) {
        JsonNode input = envelope.get("input");
        return new ExecutionVerbs.Request(
                account,
                id(input, "execution_id"),
                new Requester.Step(
                        UUID.fromString(envelope.get("execution_id").asString()),
                        envelope.get("step_id").asString()),
                text(input, "reason", false));
    }

    private Outcome changed(Action action, ExecutionVerbs.Request request) {
        Ack ack =
                switch (action) {
                    case PAUSE -> verbs.pause(request);
                    case RESUME -> verbs.resume(request);
                    case CANCEL -> verbs.cancel(request);
                    case START -> throw new IllegalArgumentException("a start is no change");
                };
        return switch (ack) {
            case Ack.Done(var execution, boolean changed, var _) -> done(execution, changed);
            case Ack.NotFound() ->
                    failed("not_found", "there is no execution " + request.execution());
            case Ack.WrongStatus(var execution) -> wrongStatus(action, execution);
            case Ack.Unsafe(var execution, var _) -> wrongStatus(action, execution);
            case Ack.NotFailed(var execution, var _) -> wrongStatus(action, execution);
            case Ack.TooMany(var execution, var _, int _) -> wrongStatus(action, execution);
        };
    }

    private static Outcome wrongStatus(Action action, Execution execution) {
        return failed(
                "invalid_transition",
                action.word()
                        + " does not fit execution "
                        + execution.id()
                        + ", which is "
                        + execution.status().word());
    }

    private NewExecution asked(UUID account, JsonNode envelope, @Nullable String trace) {
        JsonNode input = envelope.get("input");
        UUID definition = id(input, "definition_id");
        JsonNode version = input.get("definition_version");
        if (version != null && !version.isNull() && !version.isInt()) {
            throw new BadInput("definition_version must be a whole number");
        }
        Integer wanted = version == null || version.isNull() ? null : version.asInt();
        Target target =
                new Target(
                        required(input, "target_object_type"), required(input, "target_object_id"));
        JsonNode given = input.get("input");
        String own = given == null ? "{}" : given.toString();
        String digest = String.join("\n", "" + definition, "" + wanted, "" + target, own);
        return new NewExecution(
                account,
                definition,
                wanted,
                target,
                own,
                // Equal for all attempts of the step, so that it starts one execution.
                "step:" + envelope.get("idempotency_key").asString(),
                envelope.get("correlation_id").asString(),
                trace,
                UUID.nameUUIDFromBytes(digest.getBytes(StandardCharsets.UTF_8)),
                parent(account, UUID.fromString(envelope.get("execution_id").asString())));
    }

    private Parent parent(UUID account, UUID id) {
        Execution execution = reads.find(account, id);
        Parent above = execution == null ? null : execution.asked().parent();
        int depth = above == null ? 0 : above.depth() + 1;
        if (depth >= DEPTH_MAX) {
            throw new BadInput(
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
                    failed("unavailable", "the same start is still under way");
        };
    }

    private static Outcome done(Execution execution, boolean changed) {
        ObjectNode result = JSON.createObjectNode();
        result.put("execution_id", execution.id().toString());
        result.put("status", execution.status().word());
        result.put("changed", changed);
        return new Outcome.Completed(result.toString());
    }

    private static UUID id(JsonNode input, String name) {
        try {
            return UUID.fromString(required(input, name));
        } catch (IllegalArgumentException e) {
            throw new BadInput(name + " must be an id");
        }
    }

    private static String required(JsonNode input, String name) {
        String text = text(input, name, true);
        if (text == null || text.isBlank()) {
            throw new BadInput(name + " must not be empty");
        }
        return text;
    }

    private static @Nullable String text(JsonNode input, String name, boolean required) {
        JsonNode value = input.get(name);
        boolean missing = value == null || value.isNull();
        if (missing && !required) {
            return null;
        }
        if (missing || !value.isString() || value.asString().length() > WORD_MAX) {
            throw new BadInput(name + " must be text of at most " + WORD_MAX + " characters");
        }
        return value.asString();
    }

    private static Outcome failed(String code, String message) {
        return new Outcome.Failed(
                new WorkError(
                        code,
                        null,
                        message.substring(0, Math.min(message.length(), WorkError.MESSAGE_MAX)),
                        null,
                        null));
    }
}
