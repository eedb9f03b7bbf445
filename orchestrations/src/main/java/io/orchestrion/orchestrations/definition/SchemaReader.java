package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.schema.SchemaFault;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/// Reads JSON Schemas that a document has in it.
final class SchemaReader {
    private final Function<String, @Nullable SchemaFault> check;

    /// @param check what is wrong with a schema; null when nothing is
    SchemaReader(Function<String, @Nullable SchemaFault> check) {
        this.check = check;
    }

    /// As JSON text; null after a finding, or without the field.
    @Nullable String read(Fields fields, String name) {
        JsonNode schema = fields.get(name);
        if (schema == null) {
            return null;
        }
        if (!schema.isObject() && !schema.isBoolean()) {
            fields.wrongType(name, "a JSON Schema");
            return null;
        }
        String text = schema.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > DefinitionLimits.SCHEMA_BYTES) {
            fields.bounds(
                    name,
                    "has more than " + DefinitionLimits.SCHEMA_BYTES + " bytes",
                    "Shorten the schema.");
            return null;
        }
        SchemaFault fault = check.apply(text);
        if (fault != null) {
            fields.findings()
                    .add(
                            FindingCode.INVALID_SCHEMA,
                            fields.at(name),
                            fault.of(name) + ".",
                            "Write a JSON Schema of draft 2020-12 whose references stay within"
                                    + " it.");
            return null;
        }
        return text;
    }
}
