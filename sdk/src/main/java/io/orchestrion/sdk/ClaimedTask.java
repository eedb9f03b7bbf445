package io.orchestrion.sdk;

import java.time.Duration;
import java.util.UUID;

/// A task that this worker holds under a lease; from [OrchestrionClient#claim].
///
/// @param task the task as it was claimed
/// @param leaseToken identifies this lease. Heartbeats and reports carry it, so that a worker whose
///     lease has run out cannot speak for the next holder
/// @param heartbeatInterval how often the server wants a heartbeat
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
