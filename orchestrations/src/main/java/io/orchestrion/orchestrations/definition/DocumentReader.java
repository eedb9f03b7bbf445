package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Findings;
import io.orchestrion.kernel.document.Pointers;
import io.orchestrion.kernel.document.SchemaReader;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Reads the shape of a document.
final class DocumentReader {
    static final Set<String> FIELDS =
            Set.of(
                    "name",
                    "description",
                    "start_step_id",
                    "steps",
                    "policies",
                    "input_schema",
                    "output_schema",
                    "output",
                    "error_overrides");
    static final Pattern ERROR_CODE =
            Pattern.compile("[A-Za-z0-9_.:-]{1," + DefinitionLimits.ERROR_CODE_CHARACTERS + "}");

    private final HandlerReader handlers;
    private final SchemaReader schemas;

    DocumentReader(HandlerReader handlers, SchemaReader schemas) {
        this.handlers = handlers;
        this.schemas = schemas;
    }

    /// Null when findings refuse the document.
    @Nullable Definition read(JsonNode document, Findings findings) {
        var fields = new Fields(document, "", findings);
        fields.only(FIELDS);
        String name = fields.requiredLine("name", DefinitionLimits.NAME_CHARACTERS);
        String description = fields.text("description", DefinitionLimits.DESCRIPTION_CHARACTERS);
        Policies policies = policies(fields.object("policies"));
        List<StepSpec> steps = steps(fields, policies.retry());
        String start = RouteReader.stepId(fields, "start_step_id");
        if (!fields.has("input_schema")) {
            fields.missing("input_schema", "Add a JSON Schema; true takes any input.");
        }
        String inputSchema = schemas.read(fields, "input_schema");
        String outputSchema = schemas.read(fields, "output_schema");
        JsonNode output = fields.get("output");
        Mapping mapping =
                output == null
                        ? null
                        : Mapping.read(
                                output, fields.at("output"), ExpressionFindings.to(findings));
        Map<String, ErrorClass> overrides = overrides(fields);
        if (findings.refusesDocument() || inputSchema == null) {
            return null;
        }
        var parts =
                new Definition.Parts(
                        name,
                        description,
                        start == null ? steps.getFirst().id() : start,
                        steps,
                        policies,
                        inputSchema,
                        outputSchema,
                        mapping,
                        overrides);
        return new Definition(parts, new StoredDocument(document));
    }

    private List<StepSpec> steps(Fields fields, @Nullable RetryPolicy usual) {
        var reader = new StepReader(handlers, schemas, usual);
        var steps = new ArrayList<StepSpec>();
        JsonNode list = fields.list("steps", 1, DefinitionLimits.STEPS);
        for (int i = 0; i < list.size(); i++) {
            StepSpec step =
                    reader.read(
                            new Fields(
                                    list.get(i),
                                    Pointers.child(fields.at("steps"), i),
                                    fields.findings()));
            if (step != null) {
                steps.add(step);
            }
        }
        return List.copyOf(steps);
    }

    private static Policies policies(@Nullable Fields fields) {
        if (fields == null) {
            return Policies.NONE;
        }
        fields.only(Set.of("timeouts", "retry", "concurrency"));
        Fields timeouts = fields.object("timeouts");
        Fields retry = fields.object("retry");
        Fields concurrency = fields.object("concurrency");
        if (timeouts != null) {
            timeouts.only(Set.of("execution_ms"));
        }
        if (concurrency != null) {
            concurrency.only(Set.of("max_running_per_target", "max_running_per_definition"));
        }
        return new Policies(
                timeouts == null
                        ? null
                        : timeouts.whole("execution_ms", 1, DefinitionLimits.DURATION_MS),
                retry == null ? null : RetryReader.read(retry),
                running(concurrency, "max_running_per_target"),
                running(concurrency, "max_running_per_definition"));
    }

    private static @Nullable Integer running(@Nullable Fields fields, String name) {
        return fields == null ? null : fields.wholeInt(name, 1, DefinitionLimits.RUNNING);
    }

    private static Map<String, ErrorClass> overrides(Fields fields) {
        Fields codes = fields.object("error_overrides");
        if (codes == null) {
            return Map.of();
        }
        if (codes.names().size() > DefinitionLimits.OVERRIDES) {
            fields.bounds(
                    "error_overrides",
                    "has more than " + DefinitionLimits.OVERRIDES + " codes",
                    "Name fewer codes.");
            return Map.of();
        }
        var overrides = new TreeMap<String, ErrorClass>();
        for (String code : codes.names()) {
            if (!ERROR_CODE.matcher(code).matches()) {
                codes.invalid(
                        code,
                        "is no code of an error",
                        "Use 1 to "
                                + DefinitionLimits.ERROR_CODE_CHARACTERS
                                + " letters, digits, _, ., : or -.");
                continue;
            }
            String word = codes.word(code, RetryReader.CLASSES);
            if (word != null) {
                overrides.put(code, ErrorClass.valueOf(word));
            }
        }
        return Collections.unmodifiableMap(overrides);
    }
}
