package io.orchestrion.kernel.limit;

/// A wish to take from a window.
///
/// @param amount 0 only looks
/// @param max what the window holds for this caller
public record Ask(Window window, int amount, int max) {}
