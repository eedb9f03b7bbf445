package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/// A type of tasks that the account has registered.
///
/// @param paused whether nothing of it is claimed
/// @param draining whether nothing of it is taken in
/// @param json all that the server says of it: schemas, defaults and limits; a list leaves the
///     schemas out
public record TaskType(
        String type,
        @Nullable String description,
        boolean paused,
        boolean draining,
        JsonNode json) {}
