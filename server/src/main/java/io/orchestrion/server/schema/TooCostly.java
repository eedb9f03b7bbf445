package io.orchestrion.server.schema;

/// A check was given up because it would take too long.
final class TooCostly extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooCostly(String what) {
        super(what, null, false, false);
    }
}
