package io.orchestrion.runs.model;

/// Something is not as the model says.
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
        super(message);
    }
}
