package io.orchestrion.kernel.bulk;

import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/// What a filter fits at the moment.
///
/// @param all false when there were too many to look at, so that more may fit
/// @param first the oldest few
public record BulkPreview(int matched, boolean all, List<UUID> first) {
    public static final int FIRST = 20;

    /// Of several states together. Ids are in the order of their text, as the database sorts them.
    static BulkPreview sum(List<BulkPreview> states) {
        return new BulkPreview(
                states.stream().mapToInt(BulkPreview::matched).sum(),
                states.stream().allMatch(BulkPreview::all),
                states.stream()
                        .flatMap(each -> each.first().stream())
                        .sorted(Comparator.comparing(UUID::toString))
                        .limit(FIRST)
                        .toList());
    }
}
