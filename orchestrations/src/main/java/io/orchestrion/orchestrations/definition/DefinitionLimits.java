package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.DocumentBounds;
import io.orchestrion.orchestrations.expression.ExpressionLimits;

/// How much a definition may say. What expressions may do is in [ExpressionLimits].
public final class DefinitionLimits {
    /// Bytes of the document as UTF-8.
    public static final int DOCUMENT_BYTES = 1_048_576;

    static final DocumentBounds BOUNDS =
            new DocumentBounds(DOCUMENT_BYTES, "Split it into several definitions, or shorten it.");

    public static final int STEPS = 500;
    public static final int STEP_ID_CHARACTERS = 100;
    public static final int NAME_CHARACTERS = 200;
    public static final int DESCRIPTION_CHARACTERS = 5_000;
    public static final int NOTE_CHARACTERS = 5_000;
    public static final int BRANCHES = 50;

    /// A year: the longest time that anything waits, runs or may take.
    public static final long DURATION_MS = 31_536_000_000L;

    /// A week: the longest time between two attempts.
    public static final long DELAY_MS = 604_800_000L;

    public static final int ATTEMPTS = 100;

    public static final int LEASE_SECONDS_MIN = 30;
    public static final int LEASE_SECONDS_MAX = 3_600;
    public static final int LEASE_SECONDS = 60;

    /// As tasks have it.
    public static final int PRIORITY_MAX = 100;

    /// Executions that may be under way at once, where a definition bounds them.
    public static final int RUNNING = 1_000_000;

    /// Characters of the type of a task.
    public static final int TASK_TYPE_CHARACTERS = 100;

    public static final int BUILTIN_CHARACTERS = 100;
    public static final int URL_CHARACTERS = 2_048;
    public static final int HEADERS = 50;
    public static final int HEADER_NAME_CHARACTERS = 100;
    public static final int HEADER_VALUE_CHARACTERS = 4_096;

    public static final int OVERRIDES = 200;
    public static final int ERROR_CODE_CHARACTERS = 100;

    /// Expressions of CEL: compiling one takes milliseconds.
    public static final int CEL_EXPRESSIONS = 100;

    private DefinitionLimits() {}
}
