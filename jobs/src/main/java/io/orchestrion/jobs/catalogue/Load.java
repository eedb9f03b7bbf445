package io.orchestrion.jobs.catalogue;

/// What a simulated job does while it lasts.
public enum Load {
    WAIT,
    CPU,
    MEMORY,
    DISK,
    SMALL_PIECES
}
