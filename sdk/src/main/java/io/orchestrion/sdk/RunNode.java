package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;

/// One agent, task or step in the tree of a run; from [Runs#tree] and [Runs#nodes].
///
/// ```java
/// for (RunNode node : client.runs().nodes("run_0195f2b4-0000-7000-8000-000000000001")) {
///     System.out.println(node.level() + " " + node.name() + " " + node.status());
/// }
/// ```
///
/// @param level `agent`, `task` or `step`
/// @param parentId of the run for an agent
/// @param sequenceNumber its place among those of its parent, from 0
/// @param name of an agent, its subtask
/// @param attempts how often it was begun
/// @param json everything that the server says of it
public record RunNode(
        String level,
        String id,
        String parentId,
        int sequenceNumber,
        String name,
        String status,
        int attempts,
        JsonNode json) {
    /// What workers claim it as; null for what is no step.
    public @Nullable String tool() {
        return textOrNull(json, "tool");
    }

    /// What its workers said that they used so far.
    public long tokens() {
        return Wire.number(json, "tokens");
    }

    /// What it has cost so far, with all that belongs to it.
    public BigDecimal creditsCharged() {
        return RunWire.credits(json, "credits_charged");
    }

    public @Nullable Instant startedAt() {
        return instantOrNull(json, "started_at");
    }

    public @Nullable Instant endedAt() {
        return instantOrNull(json, "ended_at");
    }

    public @Nullable String error() {
        return textOrNull(json, "error");
    }

    /// What it waits for; null for nothing.
    public @Nullable RunWaitsFor waitsFor() {
        return RunWire.waitsFor(json);
    }
}
