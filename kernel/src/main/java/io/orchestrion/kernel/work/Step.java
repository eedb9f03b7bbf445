package io.orchestrion.kernel.work;

/// One change of one item: a row of its history.
public record Step(WorkEvent event, WorkItem before, WorkItem after) {}
