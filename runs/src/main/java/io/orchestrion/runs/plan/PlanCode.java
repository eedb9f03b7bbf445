package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Finding.Level;
import io.orchestrion.kernel.document.Finding.Severity;
import io.orchestrion.kernel.document.FindingCode;

import java.util.Locale;

/// What may be wrong with a plan beside its shape ([io.orchestrion.kernel.document.DocumentCode]).
/// Each refuses it. A code is never removed or renamed.
public enum PlanCode implements FindingCode {
    /// Agents do not depend on each other.
    AGENT_DEPENDENCY,
    /// Two tasks of an agent, or two steps of a task, have one name.
    DUPLICATE_NAME,
    UNKNOWN_DEPENDENCY,
    /// Something comes first that depends on what follows, although they go one after the other.
    LATER_DEPENDENCY,
    CYCLE,
    TOO_MANY_STEPS,
    /// A type that has a meaning of its own.
    RESERVED_TOOL,
    /// Another round of planning is asked for, and nothing to do before it.
    EMPTY_ROUND;

    private final String word = name().toLowerCase(Locale.ROOT);

    @Override
    public String word() {
        return word;
    }

    @Override
    public Severity severity() {
        return Severity.ERROR;
    }

    @Override
    public Level level() {
        return Level.DOCUMENT;
    }
}
