package io.orchestrion.sdk;

import java.util.Optional;

/// What came of asking for work: a [ClaimedTask], or [NothingToClaim].
public sealed interface Claim permits ClaimedTask, NothingToClaim {
    /// The task, if there was one.
    default Optional<ClaimedTask> taken() {
        return this instanceof ClaimedTask claimed ? Optional.of(claimed) : Optional.empty();
    }
}
