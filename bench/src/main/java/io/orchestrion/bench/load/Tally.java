package io.orchestrion.bench.load;

/// What one thread of a load has counted.
final class Tally {
    private final Latencies latencies = new Latencies();
    private long done;

    void answered(String verb, long sinceNanos) {
        latencies.record(verb, sinceNanos);
    }

    void ended(int count) {
        done += count;
    }

    void forget() {
        latencies.forget();
        done = 0;
    }

    long done() {
        return done;
    }

    Latencies latencies() {
        return latencies;
    }
}
