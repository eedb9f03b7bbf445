package io.orchestrion.testkit;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Validates JSON against JSON Schema, with an independent validator.
public final class SchemaCheck {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    private static final Map<String, Schema> COMPILED = new ConcurrentHashMap<>();

    private SchemaCheck() {}

    public static void valid(String schema, JsonNode body, String what) {
        List<Error> errors = COMPILED.computeIfAbsent(schema, REGISTRY::getSchema).validate(body);
        if (!errors.isEmpty()) {
            throw new AssertionError(what + " is not as published: " + errors + "\n" + body);
        }
    }
}
