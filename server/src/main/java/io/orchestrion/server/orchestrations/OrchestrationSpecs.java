package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ContractSpecs;
import io.orchestrion.server.http.Endpoint;

/// What the bodies of several subjects of the orchestrations door share: the agent contract, the
/// error, pages, and the bounds of common fields.
final class OrchestrationSpecs {
    private OrchestrationSpecs() {}

    static final int LIST_MAX = 100;
    static final int LIST_DEFAULT = 50;
    static final int CURSOR_MAX = 200;
    static final int REASON_MAX = 500;
    static final int NOTE_MAX = 1000;

    static final String UUID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    /// A text of one line.
    static final String LINE = "^[^\\u0000-\\u001f\\u007f]*$";

    static final ObjectSpec NOTHING = ObjectSpec.named("OrchestrationNothing");

    static final ObjectSpec ACTION =
            ContractSpecs.action(
                    ObjectSpec.answer("OrchestrationNextAction"), OrchestrationAction.words());

    static final ObjectSpec CONTRACT =
            ContractSpecs.contract(ObjectSpec.answer("OrchestrationAgentContract"), ACTION)
                    .example(
                            JsonWriter.objectText(
                                    AgentContract.of(
                                                    true,
                                                    OrchestrationActions.listExecutions().best())
                                            ::write));

    static final ObjectSpec ERROR_ANSWER =
            ContractSpecs.error(
                            ObjectSpec.answer("OrchestrationError"),
                            OrchestrationErrors.ALL.all(),
                            CONTRACT)
                    .optional(
                            objects("details", ErrorDetail.SPEC)
                                    .doc("All that is wrong, where more than one thing can be."));

    static TextField id(String name) {
        return text(name).pattern(UUID_PATTERN);
    }

    /// Why somebody does something, for the audit log.
    static TextField reason() {
        return text("reason").length(1, REASON_MAX).doc("Why, for the audit log.");
    }

    /// What somebody has to say about what he does. Every event that carries it must hold it.
    static TextField note() {
        return text("note").length(1, NOTE_MAX).doc("Shown with it, and in the audit log.");
    }

    /// Adds the contract as the last field.
    static ObjectSpec answer(ObjectSpec object) {
        return object.required(object("agent_contract", CONTRACT));
    }

    /// A page of a list.
    static ObjectSpec page(String name, ObjectSpec item) {
        return answer(
                ObjectSpec.answer(name)
                        .required(objects("items", item))
                        .required(text("next_cursor").nullable().doc("Null on the last page.")));
    }

    static Field limit() {
        return integer("limit")
                .range(1, LIST_MAX)
                .orElse(LIST_DEFAULT)
                .doc("Largest number of entries in the answer.");
    }

    static Field cursor() {
        return text("cursor").length(1, CURSOR_MAX).doc("next_cursor of the previous page.");
    }

    static Endpoint.Builder paged(Endpoint.Builder endpoint) {
        return endpoint.query(limit(), cursor());
    }

    static Endpoint.Builder reading(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(OrchestrationsDoor.NAME)
                .limit(OrchestrationLimits.READ)
                .errors(errors);
    }

    /// For whoever makes definitions and starts executions.
    static Endpoint.Builder writing(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(OrchestrationsDoor.NAME)
                .limit(OrchestrationLimits.WRITE)
                .scopes("orchestration:write", "producer", "admin")
                .errors(errors);
    }

    /// For whoever says whether a step may go on.
    static Endpoint.Builder approving(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(OrchestrationsDoor.NAME)
                .scopes("orchestration:approve", "operator", "admin")
                .errors(errors);
    }

    /// For whoever looks after what has failed.
    static Endpoint.Builder reviewing(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(OrchestrationsDoor.NAME)
                .scopes("orchestration:review", "operator", "admin")
                .errors(errors);
    }

    /// For whoever looks after executions.
    static Endpoint.Builder operating(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(OrchestrationsDoor.NAME)
                .limit(OrchestrationLimits.WRITE)
                .scopes("orchestration:operate", "operator", "admin")
                .errors(errors);
    }
}
