package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.function.Consumer;

/// One attempt at a task, for the handler that makes it: what the handler is asked to do while it
/// works, and what it has to say beside its result.
///
/// A handler that works in pieces looks between them whether it is to pause:
///
/// ```java
/// .handler((task, context) -> {
///     for (Page page : pages(task)) {
///         if (context.pauseRequested()) {
///             return progress.json(); // The lease is still good, and this result counts.
///         }
///         progress.add(read(page));
///         context.usage("{\"pages\":" + progress.count() + "}");
///     }
///     return progress.json();
/// })
/// ```
///
/// Heartbeats go on by themselves, whatever the handler and its listeners do. Every method may be
/// called from any thread.
public interface TaskContext {
    /// The lease that this attempt has: the task as it was claimed, the token that tells this lease
    /// from any other, and how often the server hears from the worker.
    ClaimedTask claimed();

    /// Which attempt at the task this is; the first is 1.
    int attempt();

    /// What the task is a part of, for logs and for calls of other services; null for nothing.
    @Nullable String correlationId();

    /// Until when the lease lasts by the server's clock, as the last answered heartbeat said.
    @Nullable Instant leaseExpiresAt();

    /// What the holder of the task is asked to do, as the last answered heartbeat said. The server
    /// is asked every [ClaimedTask#heartbeatInterval].
    Directives directives();

    /// Whether the handler is asked to come to a halt. Its lease stays good: it may end early with
    /// what it has, or wait until this is false again.
    default boolean pauseRequested() {
        return directives().pauseRequested();
    }

    /// Calls the listener whenever the directives change, and at once if something is asked for
    /// already, so that nothing is missed by listening late:
    ///
    /// ```java
    /// context.onDirectives(now -> { if (now.pauseRequested()) { stream.halt(); } });
    /// ```
    ///
    /// The calls are made one after the other on a thread of their own, so a listener that takes
    /// its time delays no heartbeat. None is begun once the handler has ended. What a listener
    /// throws is logged.
    ///
    /// A task that is cancelled needs no listener: its handler is interrupted.
    void onDirectives(Consumer<Directives> listener);

    /// Says what the attempt has used up so far. It is sent with the outcome, whether the handler
    /// returns or throws; a later call replaces it, and the usage of a [TaskFailure] comes before
    /// it.
    ///
    /// @param json JSON text of an object, such as `{"tokens":1200}`; at most 4096 bytes, 4 levels
    /// @throws IllegalArgumentException for what the server would not take
    /// @throws IllegalStateException once the handler has ended
    void usage(String json);

    /// Says where the logs of the attempt are kept. It is sent with the outcome, as the usage is.
    ///
    /// @param where 1 to 500 characters
    /// @throws IllegalArgumentException for what the server would not take
    /// @throws IllegalStateException once the handler has ended
    void logsRef(String where);
}
