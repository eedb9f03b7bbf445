package io.orchestrion.runs.output;

import java.util.List;
import java.util.UUID;

/// A piece of what a step wrote.
///
/// @param seq its number among all pieces of the run
/// @param attempt of the step
/// @param channel one of [#CHANNELS]
public record Piece(
        UUID run, long seq, UUID step, UUID attempt, String channel, String content, long atMs) {
    public static final List<String> CHANNELS = List.of("stdout", "stderr");
}
