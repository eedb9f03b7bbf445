package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What the server asks the holder of a task to do. It is part of the answer to a heartbeat.
///
/// ```java
/// Renewal renewal = client.renew(claimed.id(), claimed.leaseToken());
/// if (renewal.directives().pauseRequested()) {
///     client.complete(claimed, "{\"done\":\"a part\"}");
/// }
/// ```
///
/// A handler of a [Worker] finds them in its [TaskContext].
///
/// @param pauseRequested to pause; the lease stays valid, and a report counts
/// @param cancelRequested to stop for good
/// @param deadlineAt when the attempt ends, however often its lease is renewed; or null
public record Directives(
        boolean pauseRequested, boolean cancelRequested, @Nullable Instant deadlineAt) {
    /// Nothing is asked for.
    public static final Directives NONE = new Directives(false, false, null);

    /// For a log: `stop`, `pause` or `go on`.
    String words() {
        return cancelRequested ? "stop" : pauseRequested ? "pause" : "go on";
    }
}
