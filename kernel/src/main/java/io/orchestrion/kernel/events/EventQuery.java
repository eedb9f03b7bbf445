package io.orchestrion.kernel.events;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/// Which events of an account are wanted.
///
/// @param logs of profiles of items and of subjects; those of several are merged in the account's
///     order
/// @param item of this item alone, null for all
/// @param wanted null for all
public record EventQuery(
        UUID accountId,
        List<String> logs,
        @Nullable UUID item,
        @Nullable Predicate<LogEvent> wanted) {
    public EventQuery {
        logs = List.copyOf(logs);
        if (logs.isEmpty()) {
            throw new IllegalArgumentException("no log to read");
        }
    }

    /// All events of one log of items.
    public static EventQuery ofItems(UUID account, String log) {
        return new EventQuery(account, List.of(log), null, null);
    }
}
