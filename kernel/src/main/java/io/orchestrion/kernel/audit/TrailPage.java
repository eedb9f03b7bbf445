package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Some entries of the audit by time.
///
/// @param next where to go on; null when there is no more. There may be none here and more further
///     on: one look is bounded
public record TrailPage(List<TrailEntry> entries, @Nullable TrailPlace next) {}
