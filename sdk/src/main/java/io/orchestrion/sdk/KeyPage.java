package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A page of keys, newest first.
///
/// @param nextCursor pass it to [Keys#list(String)]; null on the last page
public record KeyPage(List<Key> keys, @Nullable String nextCursor) {
    public KeyPage {
        keys = List.copyOf(keys);
    }
}
