package io.orchestrion.kernel.schedule;

/// A fixed distance, counted from one moment and not from the last fire: a late fire shifts
/// nothing.
record EveryTimes(long anchorMs, long everyMs) implements FireTimes {
    @Override
    public Long after(long ms) {
        return anchorMs + (Math.floorDiv(ms - anchorMs, everyMs) + 1) * everyMs;
    }
}
