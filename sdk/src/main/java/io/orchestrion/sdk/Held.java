package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// A claimed piece of work, task or job, with what [Running] needs to do with it.
///
/// @param <W> the work as its door shows it
interface Held<W> {
    UUID id();

    /// The work as it was claimed.
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

    /// Reports that the handler has ended after somebody cancelled the work.
    ///
    /// @param cause what the handler threw
    W cancelled(Throwable cause, String reason);

    /// The error for programs that [#fail] sends for the same cause; null if it sends none.
    default TaskReport.@Nullable ReportedError error(@Nullable Throwable cause, String reason) {
        return null;
    }

    /// The longest reason that the door accepts.
    int reasonMax();

    /// The lease is lost: nothing more may be reported about the work.
    default void lost() {}
}
