package io.orchestrion.server.discovery;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

/// What the documents look like, as far as that is promised: their sections are there, and what is
/// in a section may grow.
final class DiscoverySpecs {
    private DiscoverySpecs() {}

    private static final ObjectSpec AUTHENTICATION =
            ObjectSpec.answer("Authentication")
                    .required(text("scheme"))
                    .required(text("header"))
                    .required(text("key_format"))
                    .required(text("registration_endpoint"))
                    .required(array("notes", text("note")));

    private static final ObjectSpec CONTRACT_DESCRIBED =
            TaskDoorSpecs.withContract(
                            ObjectSpec.answer("AgentContractDescribed")
                                    .required(text("description")))
                    .required(object("structure").doc("Meaning of each field of a contract."))
                    .required(array("action_codes", text("code")))
                    .required(object("stability_guarantee"));

    static final ObjectSpec CAPABILITIES =
            ObjectSpec.answer("Capabilities")
                    .required(text("service"))
                    .required(oneOf("version", AgentContract.VERSION))
                    .required(text("description"))
                    .required(object("authentication", AUTHENTICATION))
                    .required(object("task_lifecycle"))
                    .required(object("lease"))
                    .required(object("retry"))
                    .required(object("idempotency"))
                    .required(object("task_fields"))
                    .required(object("claim_ordering"))
                    .required(object("billing"))
                    .required(object("rate_limits"))
                    .required(object("endpoints"))
                    .required(object("error_model"))
                    .required(object("agent_contract", CONTRACT_DESCRIBED))
                    .required(array("limitations", text("limitation")));

    private static final ObjectSpec TOOL =
            ObjectSpec.answer("Tool")
                    .required(text("name"))
                    .required(text("title"))
                    .required(text("description"))
                    .required(object("inputSchema"))
                    .required(
                            object(
                                    "annotations",
                                    ObjectSpec.answer("ToolAnnotations")
                                            .required(text("title"))
                                            .required(bool("readOnlyHint"))
                                            .required(bool("destructiveHint"))
                                            .required(bool("idempotentHint"))
                                            .required(bool("openWorldHint"))))
                    .required(object("_meta"));

    static final ObjectSpec TOOLS =
            ObjectSpec.answer("ToolManifest")
                    .required(text("name"))
                    .required(text("version"))
                    .required(text("description"))
                    .required(text("calling"))
                    .required(object("authentication", AUTHENTICATION))
                    .required(objects("tools", TOOL))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec OPENAPI =
            ObjectSpec.answer("OpenApi")
                    .doc("This document.")
                    .unknown(ObjectSpec.Unknown.IGNORE)
                    .required(text("openapi").pattern("^3\\.1\\.[0-9]+$").example("3.1.1"))
                    .required(object("info"))
                    .required(object("paths"))
                    .required(object("components"))
                    .required(object("x-agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec AGENT =
            ObjectSpec.answer("AgentManifest")
                    .required(text("name"))
                    .required(text("title"))
                    .required(text("description"))
                    .required(text("version"))
                    .required(text("product_version"))
                    .required(object("authentication", AUTHENTICATION))
                    .required(
                            objects(
                                    "links",
                                    ObjectSpec.answer("AgentLink")
                                            .required(text("rel"))
                                            .required(text("method"))
                                            .required(text("href"))
                                            .required(text("purpose"))))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec AGENT_CARD =
            ObjectSpec.answer("AgentCard")
                    .doc("The card of the Agent2Agent protocol, version 1.0.")
                    .required(text("name"))
                    .required(text("description"))
                    .required(
                            array("supportedInterfaces", object("interface"))
                                    .doc(
                                            "Empty, because the server does not implement the A2A"
                                                    + " protocol."))
                    .required(text("version"))
                    .required(object("capabilities"))
                    .required(object("securitySchemes"))
                    .required(array("securityRequirements", object("requirement")))
                    .required(array("defaultInputModes", text("mode")))
                    .required(array("defaultOutputModes", text("mode")))
                    .required(
                            objects(
                                    "skills",
                                    ObjectSpec.answer("AgentSkill")
                                            .required(text("id"))
                                            .required(text("name"))
                                            .required(text("description"))
                                            .required(array("tags", text("tag")))))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
