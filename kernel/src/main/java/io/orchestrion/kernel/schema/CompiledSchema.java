package io.orchestrion.kernel.schema;

import com.networknt.schema.Error;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.path.NodePath;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Objects;

/// A schema that is ready to run.
///
/// @param schema null when it cannot be used
/// @param fault why it cannot be used
record CompiledSchema(@Nullable Schema schema, @Nullable SchemaFault fault) {
    private static final Logger log = LoggerFactory.getLogger(CompiledSchema.class);

    /// More faults than these are of no more help.
    private static final int SHOWN_MAX = 5;

    static CompiledSchema usable(Schema schema) {
        return new CompiledSchema(schema, null);
    }

    /// For a schema that was accepted when more was allowed than today.
    static CompiledSchema unusable(SchemaFault fault) {
        return new CompiledSchema(null, fault);
    }

    List<SchemaFault> check(JsonNode document, CheckBudget budget) {
        if (schema == null) {
            return List.of(
                    new SchemaFault(
                            "",
                            "cannot be checked, as the registered schema is not one that is taken"
                                    + " today: "
                                    + Objects.requireNonNull(fault).of("schema")
                                    + "; register the type anew"));
        }
        try {
            return run(schema, document, budget).stream()
                    .limit(SHOWN_MAX)
                    .map(CompiledSchema::fault)
                    .toList();
        } catch (NotInline e) {
            throw e;
        } catch (TooCostly e) {
            return List.of(tooCostly(e));
        } catch (StackOverflowError e) {
            return List.of(tooCostly("it goes too deep"));
        } catch (RuntimeException e) {
            log.warn("a document could not be checked against its schema", e);
            return List.of(new SchemaFault("", "cannot be checked against its schema"));
        }
    }

    /// The fault that lies in the schema and not in the document; null when there is none.
    @Nullable SchemaFault costOf(JsonNode document, CheckBudget budget) {
        if (schema == null) {
            return fault;
        }
        try {
            run(schema, document, budget);
            return null;
        } catch (TooCostly e) {
            return new SchemaFault("", "is too costly even for an empty object: " + e.getMessage());
        } catch (StackOverflowError e) {
            return new SchemaFault("", "is too costly even for an empty object: it goes too deep");
        }
    }

    private static List<Error> run(Schema schema, JsonNode document, CheckBudget budget) {
        return ScopedValue.where(CheckBudget.CURRENT, budget)
                .call(
                        () ->
                                List.copyOf(
                                        schema.validate(
                                                new BoundedRun(budget),
                                                document,
                                                OutputFormat.DEFAULT)));
    }

    static SchemaFault tooCostly(TooCostly e) {
        return tooCostly(String.valueOf(e.getMessage()));
    }

    private static SchemaFault tooCostly(String how) {
        return new SchemaFault("", "is too costly to check against its schema: " + how);
    }

    private static SchemaFault fault(Error error) {
        String path = path(error.getInstanceLocation());
        String property = error.getProperty();
        if (property != null) {
            switch (error.getKeyword()) {
                case "required" -> {
                    return new SchemaFault(path + SchemaFault.child(property), "is required");
                }
                case "additionalProperties", "unevaluatedProperties" -> {
                    return new SchemaFault(path + SchemaFault.child(property), "is not allowed");
                }
                default -> {}
            }
        }
        return new SchemaFault(path, String.valueOf(error.getMessage()));
    }

    private static String path(NodePath place) {
        var path = new StringBuilder();
        for (int i = 0; i < place.getNameCount(); i++) {
            path.append(
                    place.getElement(i) instanceof Integer index
                            ? SchemaFault.child(index)
                            : SchemaFault.child(place.getName(i)));
        }
        return path.toString();
    }
}
