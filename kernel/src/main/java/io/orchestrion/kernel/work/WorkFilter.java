package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Which items of a queue to list, newest first.
///
/// @param profiles of that queue
/// @param kind null means any
/// @param before only items created before this one: the cursor
public record WorkFilter(
        UUID accountId,
        List<Profile> profiles,
        Set<WorkState> states,
        @Nullable String kind,
        @Nullable UUID before,
        int most) {

    public String queue() {
        return profiles.getFirst().queue();
    }
}
