package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// Which changes are events to the outside: those that a door's own states can show.
final class History {
    private History() {}

    static boolean shows(Profile profile, WorkEvent event, @Nullable WaitReason before) {
        return event != WorkEvent.PROMOTE
                || (before != null && profile.promotionsShown().contains(before));
    }
}
