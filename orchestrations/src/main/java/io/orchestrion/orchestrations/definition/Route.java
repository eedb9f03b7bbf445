package io.orchestrion.orchestrations.definition;

/// Where an execution goes on after a step.
public sealed interface Route {
    /// The word for the end in a definition. No step may be called so.
    String TERMINAL_WORD = "terminal";

    Route TERMINAL = new Terminal();

    /// Nowhere: the execution ends, succeeded after a success and failed after anything else.
    record Terminal() implements Route {}

    record Next(String stepId) implements Route {}

    static Route to(String target) {
        return target.equals(TERMINAL_WORD) ? TERMINAL : new Next(target);
    }
}
