package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.work.WorkItem;

import org.jspecify.annotations.Nullable;

/// One item that a handler works on.
///
/// @param payload JSON text
/// @param traceparent of the span that the handler's work is in
public record Charge(WorkItem item, String payload, @Nullable String traceparent) {}
