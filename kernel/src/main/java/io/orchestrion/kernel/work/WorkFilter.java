package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.UUID;

/// Which items of one profile to list, newest first.
///
/// @param kind null means any
/// @param before only items created before this one: the cursor
public record WorkFilter(
        UUID accountId,
        Profile profile,
        Set<WorkState> states,
        @Nullable String kind,
        @Nullable UUID before,
        int most) {}
