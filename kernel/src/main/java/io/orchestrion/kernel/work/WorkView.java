package io.orchestrion.kernel.work;

/// An item with its documents, and the time at which it was read.
public record WorkView(WorkItem item, Documents documents, long nowMs) {}
