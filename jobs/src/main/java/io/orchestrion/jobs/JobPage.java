package io.orchestrion.jobs;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// @param next where the next page begins; null when there is none
public record JobPage(List<Job> jobs, @Nullable UUID next) {}
