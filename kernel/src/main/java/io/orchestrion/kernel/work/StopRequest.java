package io.orchestrion.kernel.work;

/// What the holder of an item is asked to do. It learns of it from the answer to its next
/// heartbeat.
public enum StopRequest {
    NONE,
    /// To come to a halt; its lease stays good, and what it reports counts.
    PAUSE,
    /// To stop for good: unless it then reports success, the item ends as cancelled.
    CANCEL
}
