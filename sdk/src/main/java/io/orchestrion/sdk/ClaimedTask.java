package io.orchestrion.sdk;

import java.time.Duration;
import java.util.UUID;

/// A task under a lease of ours.
///
/// @param leaseToken tells this lease from any other; heartbeats and the outcome carry it, so that
///     a late worker cannot speak for a new one
/// @param heartbeatInterval how often the server wants to hear from us
public record ClaimedTask(Task task, UUID leaseToken, Duration heartbeatInterval) implements Claim {
    public UUID id() {
        return task.id();
    }

    /// The token is left out: whoever has it can end the task.
    @Override
    public String toString() {
        return "ClaimedTask[" + task + "]";
    }
}
