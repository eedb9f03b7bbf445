package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.action.Action;
import io.orchestrion.kernel.action.ActionCall;
import io.orchestrion.kernel.action.ActionInput;
import io.orchestrion.kernel.action.Actions;
import io.orchestrion.kernel.action.BadActionInput;
import io.orchestrion.kernel.pool.Charge;
import io.orchestrion.kernel.pool.Handler;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.work.WorkError;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.UUID;

/// Does what `builtin:` handlers say, by the functions that the engines of this server have.
final class ActionSteps implements Handler {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Actions actions;

    ActionSteps(Actions actions) {
        this.actions = actions;
    }

    @Override
    public Outcome run(Charge charge) {
        JsonNode envelope = JSON.readTree(charge.payload());
        String name = envelope.get("action").asString();
        Action action = actions.named(name);
        if (action == null) {
            // A node of another version may have it, so another attempt may find it.
            return new Outcome.Failed(
                    WorkError.of(Codes.UNAVAILABLE, "this server has no function " + name));
        }
        try {
            return action.run(
                    new ActionCall(
                            charge.item().accountId(),
                            UUID.fromString(envelope.get("execution_id").asString()),
                            envelope.get("step_id").asString(),
                            new ActionInput(envelope.get("input")),
                            envelope.get("idempotency_key").asString(),
                            envelope.get("correlation_id").asString(),
                            charge.traceparent()));
        } catch (BadActionInput e) {
            return new Outcome.Failed(
                    WorkError.of("validation_failed", String.valueOf(e.getMessage())));
        }
    }
}
