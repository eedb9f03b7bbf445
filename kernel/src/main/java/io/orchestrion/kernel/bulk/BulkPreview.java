package io.orchestrion.kernel.bulk;

import java.util.List;
import java.util.UUID;

/// What a filter fits at the moment.
///
/// @param all false when there were too many to look at, so that more may fit
/// @param first the oldest few
public record BulkPreview(int matched, boolean all, List<UUID> first) {}
