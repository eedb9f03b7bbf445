package io.orchestrion.server.contract;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.DoorError;

import java.util.List;

/// The published form of the agent contract and of errors that have one. The docs are the words of
/// the published contract about each field.
public final class ContractSpecs {
    private ContractSpecs() {}

    /// Adds the fields of a next action.
    ///
    /// @param codes the action codes of the door
    public static ObjectSpec action(ObjectSpec object, List<String> codes) {
        return object.required(oneOf("action", codes))
                .required(bool("available"))
                .required(bool("recommended"))
                .optional(text("method"))
                .optional(text("endpoint"))
                .optional(array("required_fields", text("field")))
                .optional(integer("retry_after_seconds").range(1, Integer.MAX_VALUE));
    }

    /// Adds the fields of the contract, for an object that may hold others too.
    ///
    /// @param action see [#action]
    public static ObjectSpec contract(ObjectSpec object, ObjectSpec action) {
        return object.required(
                        oneOf("version", AgentContract.VERSION)
                                .doc("Always \"" + AgentContract.VERSION + "\""))
                .required(
                        bool("retryable").doc("boolean — whether the same request can be retried"))
                .required(
                        objects("next_actions", action)
                                .doc(
                                        "Array of Action objects, each with action, available,"
                                                + " recommended"));
    }

    /// Adds the fields of an error.
    public static ObjectSpec error(
            ObjectSpec object, List<? extends DoorError> errors, ObjectSpec contract) {
        return object.required(oneOf("error", errors.stream().map(DoorError::code).toList()))
                .required(text("message"))
                .required(text("request_id"))
                .required(object("agent_contract", contract));
    }
}
