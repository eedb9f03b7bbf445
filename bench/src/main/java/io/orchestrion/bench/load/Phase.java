package io.orchestrion.bench.load;

/// Where a load is.
enum Phase {
    WARM_UP,
    COUNTED,
    OVER
}
