package io.orchestrion.bench.load;

import java.util.function.Supplier;

/// What one thread of a load has counted in the window.
final class Tally {
    private final Supplier<Phase> phase;
    private final Latencies latencies = new Latencies();
    private long done;
    private boolean counting;

    Tally(Supplier<Phase> phase) {
        this.phase = phase;
    }

    /// Looked at again and again, it also notices the beginning of the window.
    boolean over() {
        Phase now = phase.get();
        if (!counting && now == Phase.COUNTED) {
            latencies.forget();
            done = 0;
            counting = true;
        }
        return now == Phase.OVER;
    }

    /// What comes after the window is no part of it.
    void answered(String verb, long sinceNanos) {
        if (!over()) {
            latencies.record(verb, sinceNanos);
        }
    }

    void ended(int count) {
        if (!over()) {
            done += count;
        }
    }

    long done() {
        return counting ? done : 0;
    }

    Latencies latencies() {
        return latencies;
    }
}
