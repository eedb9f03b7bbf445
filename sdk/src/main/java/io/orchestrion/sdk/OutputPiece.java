package io.orchestrion.sdk;

import java.time.Instant;

/// A piece of what a step wrote while it was under way; from [Runs#output].
///
/// ```java
/// client.runs().output("run_7", OutputQuery.ALL, piece -> System.out.print(piece.text()));
/// ```
///
/// @param sequence its place in the output of the run; [OutputQuery#after] takes it
/// @param channel `stdout` or `stderr`
public record OutputPiece(
        long sequence,
        String runId,
        String stepId,
        String attemptId,
        String channel,
        String text,
        Instant at) {}
