package io.orchestrion.kernel.sweep;

import java.time.Duration;

/// One background duty. Every node runs it; batches with SKIP LOCKED and guarded writes see to it
/// that each change happens once.
public interface Sweeper {
    String name();

    /// One pass; returns how many things it changed, and the batch size or more when there may be
    /// more to do at once.
    int runOnce();

    /// How long it rests between two passes, given how long the others do.
    default Duration pace(Duration usual) {
        return usual;
    }

    /// Given a way to have a pass begin at once instead of after the rest; before the first one.
    default void wakeBy(Runnable ring) {}

    /// From how many changes on another pass follows without a pause.
    int fullPass();
}
