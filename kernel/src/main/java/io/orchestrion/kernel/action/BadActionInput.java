package io.orchestrion.kernel.action;

/// The input of a step says something else than its function takes. The message is for whoever
/// wrote the step.
public final class BadActionInput extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadActionInput(String message) {
        super(message);
    }
}
