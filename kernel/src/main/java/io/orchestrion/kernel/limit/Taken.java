package io.orchestrion.kernel.limit;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The outcome of the asks of one request: all are granted or none.
///
/// @param used of each window afterwards, in the order of the asks
/// @param refusedBy the ask whose window is full, null when none is
/// @param waitMs how long until that window has room again
public record Taken(List<Integer> used, @Nullable Ask refusedBy, long waitMs) {
    /// Not decided, because another session holds one of the windows. Callers never see it.
    static final Taken HELD = new Taken(List.of(), null, 0);

    public boolean granted() {
        return refusedBy == null;
    }
}
