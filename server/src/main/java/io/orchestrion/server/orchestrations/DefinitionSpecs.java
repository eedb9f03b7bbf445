package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.document.DocumentBounds;
import io.orchestrion.kernel.document.DocumentCode;
import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.orchestrations.definition.DefinitionCode;
import io.orchestrion.orchestrations.definition.DefinitionGraph.EdgeKind;
import io.orchestrion.orchestrations.definition.DefinitionLimits;
import io.orchestrion.orchestrations.definition.StepType;
import io.orchestrion.orchestrations.execution.DefinitionVersion;
import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.orchestrations.execution.StepStatus;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The bodies of the endpoints of definitions, in and out.
final class DefinitionSpecs {
    private DefinitionSpecs() {}

    private static final String EXAMPLE =
            """
            {"name":"refund","input_schema":{"type":"object"},"policies":{"retry":{"max_attempts":3,\
            "backoff_strategy":"exponential","initial_delay_ms":1000,"max_delay_ms":60000,\
            "timeout_ms":30000,"retry_on_classes":["TRANSIENT","RATE_LIMITED"]}},"steps":[\
            {"step_id":"pay_back","name":"Pay back","type":"task","handler":"task:pay_back",\
            "timeout_ms":600000,"idempotency_strategy":"SAFE_TO_RETRY"}]}\
            """;

    /// The whole document. Its own reader finds what is wrong with it; this describes it.
    static final ObjectSpec DOCUMENT = document("OrchestrationDefinition", true);

    /// The same, or no body at all.
    static final ObjectSpec NEXT_DOCUMENT = document("OrchestrationNextDefinition", false);

    private static ObjectSpec document(String name, boolean required) {
        ObjectSpec spec =
                ObjectSpec.named(name)
                        .doc(
                                "GET /v1/orchestrations/definition-schema has the whole JSON"
                                        + " Schema.")
                        .unknown(ObjectSpec.Unknown.IGNORE)
                        .example(EXAMPLE);
        List<Field> fields =
                List.of(
                        text("name").length(1, DefinitionLimits.NAME_CHARACTERS),
                        array("steps", object("step")).items(1, DefinitionLimits.STEPS),
                        any("input_schema")
                                .maxBytes(DocumentBounds.SCHEMA_BYTES)
                                .doc("JSON Schema of the input of executions."));
        fields.forEach(field -> declare(spec, field, required));
        return spec.optional(text("description").length(0, DefinitionLimits.DESCRIPTION_CHARACTERS))
                .optional(
                        text("start_step_id")
                                .length(1, DefinitionLimits.STEP_ID_CHARACTERS)
                                .doc("Id of the first step. Default: the first step of the list."))
                .optional(object("policies").doc("Defaults of retries, time-outs and limits."))
                .optional(
                        any("output_schema")
                                .maxBytes(DocumentBounds.SCHEMA_BYTES)
                                .doc("JSON Schema of the output of executions."))
                .optional(any("output").doc("Mapping that builds the output."))
                .optional(
                        object("error_overrides")
                                .doc(
                                        "Error classes of codes for which the retry matrix does not"
                                                + " apply."));
    }

    private static void declare(ObjectSpec spec, Field field, boolean required) {
        if (required) {
            spec.required(field);
        } else {
            spec.optional(field);
        }
    }

    static final ObjectSpec FINDING =
            ObjectSpec.answer("OrchestrationFinding")
                    .required(text("message"))
                    .required(text("pointer").doc("Where, as a JSON Pointer (RFC 6901)."))
                    .required(oneOf("code", codes()))
                    .required(oneOf("severity", words(Finding.Severity.values())))
                    .required(
                            oneOf("level", words(Finding.Level.values()))
                                    .doc(
                                            "With level document, an error refuses the document."
                                                    + " With level publish, it only refuses"
                                                    + " publishing."))
                    .required(text("hint"));

    private static List<String> codes() {
        return Stream.concat(
                        words(DocumentCode.values()).stream(),
                        words(DefinitionCode.values()).stream())
                .toList();
    }

    private static List<String> words(Enum<?>[] values) {
        return Arrays.stream(values).map(each -> each.name().toLowerCase(Locale.ROOT)).toList();
    }

    /// Without its document, as lists have it.
    private static ObjectSpec version(String name) {
        return ObjectSpec.answer(name)
                .required(OrchestrationSpecs.id("orchestration_definition_id"))
                .required(integer("version").range(1, Integer.MAX_VALUE))
                .required(OrchestrationSpecs.id("tenant_id").doc("The account."))
                .required(oneOf("status", DefinitionVersion.Status.words()))
                .required(text("name"))
                .required(
                        text("checksum")
                                .doc("SHA-256 of the document's content, in lower-case hex."))
                .required(instant("created_at"))
                .required(instant("updated_at"))
                .required(instant("published_at").nullable())
                .required(instant("deprecated_at").nullable());
    }

    static final ObjectSpec LISTED = version("OrchestrationDefinitionListed");

    static final ObjectSpec ANSWER =
            OrchestrationSpecs.answer(
                    version("OrchestrationDefinitionVersion")
                            .required(
                                    object("document")
                                            .doc("The document as it was sent, as compact JSON.")));

    static final ObjectSpec CHANGED =
            OrchestrationSpecs.answer(
                    version("OrchestrationDefinitionChanged")
                            .required(
                                    object("document")
                                            .doc("The document as it was sent, as compact JSON."))
                            .required(
                                    objects("findings", FINDING).doc("Warnings for the author.")));

    static final ObjectSpec PAGE = OrchestrationSpecs.page("OrchestrationDefinitionPage", LISTED);

    static final ObjectSpec VALIDATED =
            OrchestrationSpecs.answer(
                    ObjectSpec.answer("OrchestrationDefinitionValidated")
                            .required(bool("valid").doc("Whether it could be published."))
                            .required(objects("findings", FINDING))
                            .required(
                                    text("checksum")
                                            .nullable()
                                            .doc("Null where the document is refused.")));

    private static final ObjectSpec NODE =
            ObjectSpec.answer("OrchestrationGraphNode")
                    .required(text("id"))
                    .required(text("name"))
                    .required(oneOf("type", StepType.words()))
                    .optional(
                            oneOf("status", StepStatus.words())
                                    .nullable()
                                    .doc("For an execution: null before the step has started."))
                    .optional(OrchestrationSpecs.id("step_execution_id").nullable())
                    .optional(integer("attempt_number").range(1, Integer.MAX_VALUE).nullable());

    private static final ObjectSpec EDGE =
            ObjectSpec.answer("OrchestrationGraphEdge")
                    .required(text("from"))
                    .required(
                            text("to")
                                    .nullable()
                                    .doc(
                                            "Id of a step. Null where the transition leads to an"
                                                    + " end."))
                    .required(oneOf("end", "succeeded", "failed").nullable())
                    .required(oneOf("kind", words(EdgeKind.values())))
                    .required(text("branch").nullable());

    static final ObjectSpec GRAPH =
            OrchestrationSpecs.answer(
                    ObjectSpec.answer("OrchestrationGraph")
                            .optional(OrchestrationSpecs.id("execution_id"))
                            .optional(oneOf("execution_status", ExecutionStatus.words()))
                            .required(text("start_step_id"))
                            .required(objects("nodes", NODE))
                            .required(objects("edges", EDGE)));

    static Field format() {
        return oneOf("format", "json", "mermaid")
                .doc(
                        "json, or mermaid for a flow chart in Mermaid's language. Without it, an"
                                + " Accept of "
                                + GraphAnswers.MERMAID
                                + " or text/plain asks for the chart.");
    }
}
