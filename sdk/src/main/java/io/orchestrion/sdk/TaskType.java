package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/// A registered type of tasks; from [TaskTypes#get].
///
/// @param paused whether its tasks cannot be claimed
/// @param draining whether new tasks of it are refused
/// @param json everything that the server says of it: schemas, defaults and limits; a list leaves
///     the schemas out
public record TaskType(
        String type,
        @Nullable String description,
        boolean paused,
        boolean draining,
        JsonNode json) {}
