package io.orchestrion.kernel.json;

import java.util.List;

/// A body or query string that does not fit its declaration. It carries every fault found, in the
/// order of the declaration, so that a door can show the first or all of them.
public final class InvalidBody extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // never serialized: thrown and caught inside one request
    private final List<BodyFault> faults;

    InvalidBody(List<BodyFault> faults) {
        // Bad input is an everyday answer, so no stack trace is collected.
        super(faults.getFirst().message(), null, false, false);
        this.faults = List.copyOf(faults);
    }

    static InvalidBody whole(String message) {
        return new InvalidBody(List.of(new BodyFault("", message, null)));
    }

    static InvalidBody whole(String message, String bound) {
        return new InvalidBody(List.of(new BodyFault("", message, bound)));
    }

    /// Every fault, never empty.
    public List<BodyFault> faults() {
        return faults;
    }

    public BodyFault first() {
        return faults.getFirst();
    }
}
