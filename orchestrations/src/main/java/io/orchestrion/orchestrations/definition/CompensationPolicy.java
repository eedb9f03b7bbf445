package io.orchestrion.orchestrations.definition;

/// Who decides that a step is compensated.
public enum CompensationPolicy {
    /// The engine, at once.
    AUTO,

    /// A person, who is asked.
    MANUAL
}
