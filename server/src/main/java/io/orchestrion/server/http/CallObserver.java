package io.orchestrion.server.http;

import io.orchestrion.kernel.signals.Tracing;

import org.jspecify.annotations.Nullable;

/// An observer of every call. It runs on the call's own thread, so nothing here may block or fail.
public interface CallObserver {
    CallObserver NONE = new CallObserver() {};

    /// A call has come in.
    ///
    /// @param parent the traceparent that it was sent with; null for none that can be read
    /// @return the span of the call; null where none is kept
    default Tracing.@Nullable Span begun(Call call, @Nullable String parent) {
        return null;
    }

    /// It is answered; the answer is about to be sent.
    default void answered(Call call, int status, long tookNanos, Tracing.@Nullable Span span) {}
}
