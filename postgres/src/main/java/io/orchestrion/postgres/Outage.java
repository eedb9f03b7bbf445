package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import java.time.Duration;

/// The server is down and is being brought up again, for as long as that takes.
///
/// @param cause what stands in the way; `FAILED` while no start has been tried
/// @param words what happened, for people who may see paths and the server's own lines
/// @param tries how many starts have failed
/// @param lasted how long nobody could connect
public record Outage(Reason cause, String words, int tries, Duration lasted) {}
