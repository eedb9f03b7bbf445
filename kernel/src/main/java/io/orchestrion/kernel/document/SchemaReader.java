package io.orchestrion.kernel.document;

import com.networknt.schema.SchemaException;

import io.orchestrion.kernel.schema.CheckBudget;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.kernel.schema.SchemaFault;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;

/// Reads JSON Schemas that a document has in it.
public final class SchemaReader {
    private final Function<String, @Nullable SchemaFault> check;

    /// @param check what is wrong with a schema; null when nothing is
    public SchemaReader(Function<String, @Nullable SchemaFault> check) {
        this.check = check;
    }

    /// Reads schemas with the checks that accounts get: nothing is fetched, and all schemas of one
    /// document share a budget.
    public static SchemaReader checking(JsonSchemas schemas, UUID account, CheckBudget budget) {
        return new SchemaReader(
                schema -> {
                    try {
                        return schemas.fault(account, schema, budget);
                    } catch (SchemaException e) {
                        return new SchemaFault("", "is too costly: " + e.getMessage());
                    }
                });
    }

    /// As JSON text; null after a finding, or without the field.
    public @Nullable String read(Fields fields, String name) {
        JsonNode schema = fields.get(name);
        if (schema == null) {
            return null;
        }
        if (!schema.isObject() && !schema.isBoolean()) {
            fields.wrongType(name, "a JSON Schema");
            return null;
        }
        String text = schema.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > DocumentBounds.SCHEMA_BYTES) {
            fields.bounds(
                    name,
                    "has more than " + DocumentBounds.SCHEMA_BYTES + " bytes",
                    "Shorten the schema.");
            return null;
        }
        SchemaFault fault = check.apply(text);
        if (fault != null) {
            fields.findings()
                    .add(
                            DocumentCode.INVALID_SCHEMA,
                            fields.at(name),
                            fault.of(name) + ".",
                            "Write a JSON Schema of draft 2020-12 whose references stay within"
                                    + " it.");
            return null;
        }
        return text;
    }
}
