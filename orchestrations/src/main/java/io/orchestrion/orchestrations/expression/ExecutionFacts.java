package io.orchestrion.orchestrations.expression;

import java.util.List;

/// What expressions may know of the execution that they are evaluated in.
public record ExecutionFacts(
        String id, String correlationId, String targetObjectType, String targetObjectId) {
    /// The names under `$.execution`.
    static final List<String> NAMES =
            List.of("id", "correlation_id", "target_object_type", "target_object_id");

    /// @param name one of [#NAMES]
    String fact(String name) {
        return switch (name) {
            case "id" -> id;
            case "correlation_id" -> correlationId;
            case "target_object_type" -> targetObjectType;
            case "target_object_id" -> targetObjectId;
            default -> throw new IllegalArgumentException(name);
        };
    }
}
