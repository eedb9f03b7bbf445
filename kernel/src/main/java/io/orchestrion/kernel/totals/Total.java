package io.orchestrion.kernel.totals;

/// How often one thing happened since the beginning. States are the kernel's words, and `backoff`
/// for a wait after a failure.
///
/// @param kind what was to be done, for queues that are counted by it; else empty
/// @param from the state that ended, empty for what was handed in
/// @param again whether on another attempt than the first
/// @param bucket how long that state had lasted, as a place between [Totals#BOUNDS_MS]; -1 for
///     what was handed in
/// @param millis how long they lasted together; of events that move an amount, the sum of the
/// amounts
public record Total(
        String queue,
        String kind,
        String event,
        String from,
        String to,
        boolean again,
        int bucket,
        long count,
        long millis) {}
