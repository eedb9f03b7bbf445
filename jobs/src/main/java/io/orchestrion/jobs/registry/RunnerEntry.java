package io.orchestrion.jobs.registry;

import java.util.UUID;

/// A runner that was heard of. Times are the database's, in epoch milliseconds.
public record RunnerEntry(
        UUID id, String name, long startedMs, long seenMs, int capacity, int busy) {}
