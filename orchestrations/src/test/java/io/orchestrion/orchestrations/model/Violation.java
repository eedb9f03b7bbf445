package io.orchestrion.orchestrations.model;

/// An execution is not what the model allows.
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1;

    Violation(String message) {
        super(message);
    }
}
