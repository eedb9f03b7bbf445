package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What the holder of a task is asked to do, as the answer to its heartbeat says.
///
/// ```java
/// Renewal renewal = client.renew(claimed.id(), claimed.leaseToken());
/// if (renewal.directives().pauseRequested()) {
///     client.complete(claimed, whatIsDoneSoFar());
/// }
/// ```
///
/// A handler of a [Worker] finds them in its [TaskContext].
///
/// @param pauseRequested to come to a halt; the lease stays good, and what is reported counts
/// @param cancelRequested to stop for good
/// @param deadlineAt when the attempt ends however often its lease is renewed, or null
public record Directives(
        boolean pauseRequested, boolean cancelRequested, @Nullable Instant deadlineAt) {
    /// To go on.
    public static final Directives NONE = new Directives(false, false, null);

    /// For a log: `stop`, `pause` or `go on`.
    String words() {
        return cancelRequested ? "stop" : pauseRequested ? "pause" : "go on";
    }
}
