package io.orchestrion.kernel.events;

import org.jspecify.annotations.Nullable;

import java.util.UUID;
import java.util.function.Predicate;

/// Which events of an account are wanted.
///
/// @param item of this item alone, null for all
/// @param wanted null for all
public record EventQuery(
        UUID accountId, String queue, @Nullable UUID item, @Nullable Predicate<FeedEvent> wanted) {}
