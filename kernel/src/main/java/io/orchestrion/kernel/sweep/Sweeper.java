package io.orchestrion.kernel.sweep;

import java.time.Duration;

/// One background duty. Every node runs it. Batches with SKIP LOCKED and guarded writes make each
/// change happen once.
public interface Sweeper {
    String name();

    /// Makes one pass. Returns how many changes it made: at least [#fullPass] when there may be
    /// more to do at once.
    int runOnce();

    /// How long it rests between two passes, given how long the others do.
    default Duration pace(Duration usual) {
        return usual;
    }

    /// Given a way to have a pass begin at once instead of after the rest; before the first one.
    default void wakeBy(Runnable ring) {}

    /// With so many changes or more, the next pass follows without a pause.
    int fullPass();
}
