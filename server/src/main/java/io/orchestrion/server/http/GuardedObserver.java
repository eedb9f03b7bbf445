package io.orchestrion.server.http;

import io.orchestrion.kernel.signals.Tracing;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps an observer from changing the answer of a call: its failures are logged, and the call goes
/// on.
final class GuardedObserver implements CallObserver {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedObserver.class);

    private final CallObserver inner;

    GuardedObserver(CallObserver inner) {
        this.inner = inner;
    }

    @Override
    public Tracing.@Nullable Span begun(Call call, @Nullable String parent) {
        try {
            return inner.begun(call, parent);
        } catch (RuntimeException e) {
            LOG.error("The start of request {} could not be observed", call.requestId(), e);
            return null;
        }
    }

    @Override
    public void answered(Call call, int status, long tookNanos, Tracing.@Nullable Span span) {
        try {
            inner.answered(call, status, tookNanos, span);
        } catch (RuntimeException e) {
            LOG.error("The answer to request {} could not be observed", call.requestId(), e);
        }
    }
}
