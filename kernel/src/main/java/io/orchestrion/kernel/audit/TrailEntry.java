package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

/// One entry of the audit by time.
///
/// @param actorName what the key was called at the time; null where that was not written down
/// @param detail JSON text
public record TrailEntry(
        TrailPlace place,
        String event,
        Actor actor,
        @Nullable String actorName,
        Subject subject,
        String detail) {}
