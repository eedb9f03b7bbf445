package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Which items an operation is about: those that fit all that is given.
///
/// @param createdFromMs created then or later
/// @param createdBeforeMs created earlier
/// @param finishedBeforeMs ended earlier
/// @param failureContains a part of the newest failure's text, letter by letter
/// @param ids empty for any
public record BulkFilter(
        Set<WorkState> states,
        @Nullable String kind,
        @Nullable Long createdFromMs,
        @Nullable Long createdBeforeMs,
        @Nullable Long finishedBeforeMs,
        @Nullable String failureContains,
        List<UUID> ids) {

    public BulkFilter {
        if (states.isEmpty()) {
            throw new IllegalArgumentException("no state would fit nothing");
        }
        states = Set.copyOf(states);
        ids = List.copyOf(ids);
    }

    /// Below every id that the filter can fit: ids begin with the time of creation.
    UUID firstId() {
        return createdFromMs == null ? new UUID(0, 0) : new UUID(createdFromMs << 16, 0);
    }

    /// At or above every id of an item that was there at the time.
    UUID lastId(long madeMs) {
        long newest = createdBeforeMs == null ? madeMs : Math.min(madeMs, createdBeforeMs);
        return new UUID((newest << 16) | 0xffff, -1);
    }
}
