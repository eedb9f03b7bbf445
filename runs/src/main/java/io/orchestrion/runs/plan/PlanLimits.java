package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.DocumentBounds;

/// How much a plan may say. What a server or a run may narrow is a component; the rest is the same
/// everywhere.
///
/// @param documentBytes bytes of the document as UTF-8
/// @param agents of the plan
/// @param tasks of each agent
/// @param steps of each task
/// @param allSteps of the whole plan
/// @param inputBytes bytes of one step's input as UTF-8
/// @param attempts that a step may ask for
/// @param timeoutMs that a step may ask for
/// @param tokens that a step may ask for
public record PlanLimits(
        int documentBytes,
        int agents,
        int tasks,
        int steps,
        int allSteps,
        int inputBytes,
        int attempts,
        long timeoutMs,
        long tokens) {
    /// Characters of a subtask.
    public static final int SUBTASK_CHARACTERS = 10_000;

    /// Characters of the name of a task or step.
    public static final int NAME_CHARACTERS = 200;

    /// Characters of the name of a tool, which is the type of its items.
    public static final int TOOL_CHARACTERS = 100;

    /// Dependencies of one task or step.
    public static final int DEPENDENCIES = 100;

    /// Days would be a mistake: a run as a whole has one.
    private static final long HOUR_MS = 3_600_000L;

    private static final long TOKENS = 1_000_000_000L;

    /// As a server has them that was not told otherwise.
    public static final PlanLimits USUAL =
            new PlanLimits(4_194_304, 10, 1_000, 1_000, 10_000, 131_072, 20, 6 * HOUR_MS, TOKENS);

    public PlanLimits withAgents(int most) {
        return new PlanLimits(
                documentBytes,
                most,
                tasks,
                steps,
                allSteps,
                inputBytes,
                attempts,
                timeoutMs,
                tokens);
    }

    DocumentBounds bounds() {
        return new DocumentBounds(documentBytes, "Plan less at once, or shorten the inputs.");
    }
}
