package io.orchestrion.kernel.work;

/// What the holder of an item is asked to do. It learns of it when it shows its next sign of life.
public enum StopRequest {
    NONE,
    /// To come to a halt; its lease stays good, and what it reports counts.
    PAUSE,
    /// To stop for good: whatever it then says but success ends the item as cancelled.
    CANCEL
}
