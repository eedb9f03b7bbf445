package io.orchestrion.kernel.plan;

/// A stretch of time for which a plan was paid; `untilMs` is the first moment without it.
public record Period(String planId, long fromMs, long untilMs) {

    boolean covers(long nowMs) {
        return fromMs <= nowMs && nowMs < untilMs;
    }
}
