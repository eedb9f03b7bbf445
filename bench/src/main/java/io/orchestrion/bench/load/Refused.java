package io.orchestrion.bench.load;

/// An answer that the load cannot go on with; the run it is part of counts for nothing.
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String what, int status, String body) {
        super(what + " was answered with " + status + ": " + body);
    }
}
