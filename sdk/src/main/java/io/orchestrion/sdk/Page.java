package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// One page of a list.
///
/// ```java
/// Page<Schedule> page = client.schedules().list(50, null);
/// while (page.nextCursor() != null) {
///     page = client.schedules().list(50, page.nextCursor());
/// }
/// ```
///
/// @param nextCursor pass it to the same method for the next page; null on the last page
public record Page<T>(List<T> items, @Nullable String nextCursor) {
    public Page {
        items = List.copyOf(items);
    }
}
