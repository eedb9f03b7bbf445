package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// What an item carries besides its state.
///
/// @param payload JSON text
/// @param result JSON text of a completed item
public record Documents(String payload, @Nullable String result, @Nullable String outputRef) {}
