package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.StringNode;

import java.util.List;
import java.util.Objects;

/// A place in the data of an execution: `$.input…`, `$.steps.<id>.result…` or `$.execution.<fact>`.
///
/// @param text as the definition has it
/// @param stepId whose result it is in; null for other roots
/// @param path what follows the root: names and indexes
public record Reference(String text, Root root, @Nullable String stepId, List<Object> path) {
    enum Root {
        INPUT,
        STEP,
        EXECUTION
    }

    /// @param reference null when there is a fault
    /// @param fault such as `must begin with $.input`
    record Read(@Nullable Reference reference, @Nullable String fault) {}

    static Read read(String text) {
        return new ReferenceParser(text).read();
    }

    /// The value there. Missing where there is none.
    JsonNode find(Values values) {
        return switch (root) {
            case INPUT -> below(values.input());
            case STEP -> {
                JsonNode result = values.results().get(Objects.requireNonNull(stepId));
                yield result == null ? MissingNode.getInstance() : below(result);
            }
            case EXECUTION -> StringNode.valueOf(values.execution().fact((String) path.getFirst()));
        };
    }

    private JsonNode below(JsonNode from) {
        JsonNode node = from;
        for (Object segment : path) {
            node =
                    segment instanceof Integer index
                            ? node.path(index)
                            : node.path((String) segment);
        }
        return node;
    }
}
