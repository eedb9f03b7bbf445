package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One page of a list.
///
/// @param nextCursor what to ask the next page with; null on the last one
public record Page<T>(List<T> items, @Nullable String nextCursor) {
    public Page {
        items = List.copyOf(items);
    }
}
