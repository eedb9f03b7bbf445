package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.function.Consumer;

/// One attempt at a task, for its handler: what the server asks of the handler, and what the
/// handler reports beside its result.
///
/// A handler that works in pieces checks between them whether it should pause:
///
/// ```java
/// ContextHandler pages = (task, run) -> {
///     int page = 0;
///     while (page < task.payloadJson().path("pages").asInt() && !run.pauseRequested()) {
///         page++;
///         run.usage("{\"pages\":" + page + "}");
///     }
///     return "{\"pages\":" + page + "}"; // After a pause the lease is still valid: this counts.
/// };
/// ```
///
/// The worker sends heartbeats whatever the handler and its listeners do. Every method may be
/// called from any thread.
public interface TaskContext {
    /// The claim of this attempt: the task as it was claimed, the token of the lease, and the
    /// heartbeat interval.
    ClaimedTask claimed();

    /// The number of this attempt; the first is 1.
    int attempt();

    /// The id of the larger whole that the task belongs to, for logs and for calls of other
    /// services; null for none.
    @Nullable String correlationId();

    /// When the lease ends by the server's clock, as the last answered heartbeat said.
    @Nullable Instant leaseExpiresAt();

    /// What the server asks of the holder, as the last answered heartbeat said. A heartbeat is sent
    /// every [ClaimedTask#heartbeatInterval].
    Directives directives();

    /// Whether the handler is asked to pause. The lease stays valid: the handler may end early with
    /// what it has, or wait until this is false again.
    default boolean pauseRequested() {
        return directives().pauseRequested();
    }

    /// Calls the listener whenever the directives change. If something is asked for already, it is
    /// called at once, so that a late listener misses nothing.
    ///
    /// ```java
    /// context.onDirectives(now -> {
    ///     if (now.pauseRequested()) {
    ///         System.out.println("pausing");
    ///     }
    /// });
    /// ```
    ///
    /// The calls are made one after the other on their own thread, so a slow listener delays no
    /// heartbeat. No call begins after the handler has ended. What a listener throws is logged.
    ///
    /// The handler of a cancelled task needs no listener: it is interrupted.
    void onDirectives(Consumer<Directives> listener);

    /// Reports what the attempt has used so far. It is sent with the outcome, whether the handler
    /// returns or throws. A later call replaces it, and the usage of a [TaskFailure] takes
    /// precedence.
    ///
    /// @param json JSON text of an object, such as `{"tokens":1200}`; at most 4096 bytes, 4 levels
    /// @throws IllegalArgumentException if the server would refuse it
    /// @throws IllegalStateException once the handler has ended
    void usage(String json);

    /// Reports where the logs of the attempt are kept. It is sent with the outcome, as the usage
    /// is.
    ///
    /// @param where 1 to 500 characters
    /// @throws IllegalArgumentException if the server would refuse it
    /// @throws IllegalStateException once the handler has ended
    void logsRef(String where);
}
