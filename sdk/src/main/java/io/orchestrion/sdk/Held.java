package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// One piece of work under a lease of ours, as its door has it: what a [Running] does with it.
///
/// @param <W> the work as the door shows it
interface Held<W> {
    UUID id();

    /// As it was claimed.
    W work();

    /// How long the lease lasts from its grant or its last renewal.
    Duration lease();

    Duration heartbeatInterval();

    /// Renews the lease, asking once.
    ///
    /// @return what the holder is asked to do
    Directives heartbeat(Duration within);

    /// Runs the handler.
    @Nullable String handled() throws Exception;

    W complete(@Nullable String result);

    /// @param cause what the handler threw; null when the worker gives the work back
    W fail(@Nullable Throwable cause, String reason);

    /// The handler has given up what somebody cancelled.
    ///
    /// @param cause what the handler threw
    W cancelled(Throwable cause, String reason);

    /// What [#fail] says for programs of the same cause; null where that is nothing.
    default TaskReport.@Nullable ReportedError error(@Nullable Throwable cause, String reason) {
        return null;
    }

    /// The longest reason that the door takes.
    int reasonMax();

    /// The lease is gone: nothing more may be said about the work.
    default void lost() {}
}
