package io.orchestrion.server.schema;

import com.networknt.schema.Error;
import com.networknt.schema.OutputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.path.NodePath;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// A schema that is ready to run.
///
/// @param steps after how many a run is given up
record CompiledSchema(Schema schema, int steps) {
    private static final Logger log = LoggerFactory.getLogger(CompiledSchema.class);

    /// The smallest values, 32 thousand of them in 64 KB, each against six keywords.
    static final int STEPS = 200_000;

    /// More faults than these are of no more help.
    private static final int SHOWN_MAX = 5;

    List<SchemaFault> check(JsonNode document) {
        try {
            return run(document).stream().limit(SHOWN_MAX).map(CompiledSchema::fault).toList();
        } catch (TooCostly e) {
            return List.of(tooCostly(String.valueOf(e.getMessage())));
        } catch (StackOverflowError e) {
            return List.of(tooCostly("goes too deep"));
        } catch (RuntimeException e) {
            log.warn("a document could not be checked against its schema", e);
            return List.of(new SchemaFault("", "cannot be checked against its schema"));
        }
    }

    /// The fault that lies in the schema and not in the document; null when there is none.
    @Nullable SchemaFault costOf(JsonNode document) {
        try {
            run(document);
            return null;
        } catch (TooCostly e) {
            return new SchemaFault("", "is too costly: even an empty object " + e.getMessage());
        } catch (StackOverflowError e) {
            return new SchemaFault("", "is too costly: even an empty object goes too deep");
        }
    }

    private List<Error> run(JsonNode document) {
        return ScopedValue.where(BoundedRegex.LOOKS, new int[1])
                .call(
                        () ->
                                List.copyOf(
                                        schema.validate(
                                                new BoundedRun(steps),
                                                document,
                                                OutputFormat.DEFAULT)));
    }

    private static SchemaFault tooCostly(String how) {
        return new SchemaFault("", "is too costly to check against its schema: it " + how);
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
