package io.orchestrion.server.webhooks;

import io.orchestrion.server.webhooks.Receiver.State;
import io.orchestrion.server.webhooks.WebhookOptions.Breaker;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What a try means for its receiver: whether calls to it stop, for how long, and why. Pure.
record Verdict(
        State state,
        @Nullable String reason,
        int failures,
        @Nullable Long failingSinceMs,
        int opened,
        @Nullable Long openUntilMs,
        @Nullable Long lastSuccessMs,
        @Nullable String lastFailure) {

    private static final int REASON_MAX = 1000;

    static Verdict success(Receiver receiver, long nowMs) {
        return new Verdict(
                receiver.state(),
                receiver.reason(),
                0,
                null,
                0,
                null,
                nowMs,
                receiver.lastFailure());
    }

    /// @param gone whether the receiver said that it is no more
    static Verdict failure(
            Receiver receiver, Breaker breaker, String failure, boolean gone, long nowMs) {
        int failures = receiver.failures() + 1;
        long since = receiver.failingSinceMs() == null ? nowMs : receiver.failingSinceMs();
        int opened = receiver.opened();
        Long until = receiver.openUntilMs();
        // A try that began before the circuit opened tells nothing new.
        boolean opens =
                switch (receiver.circuit(nowMs)) {
                    case CLOSED -> failures >= breaker.failures();
                    case HALF_OPEN -> true;
                    case OPEN -> false;
                };
        if (opens) {
            opened++;
            double length = breaker.shortest().toMillis() * Math.pow(2, Math.min(opened - 1, 30));
            until = nowMs + (long) Math.min(length, breaker.longest().toMillis());
        }
        String last = failure.substring(0, Math.min(failure.length(), REASON_MAX));
        boolean tooLong = nowMs - since >= breaker.pauseAfter().toMillis();
        // A server that callbacks lead to cannot be resumed by anybody. And a failure at one of its
        // addresses does not mean the others.
        boolean pauses =
                receiver.state() == State.ACTIVE && !receiver.callback() && (gone || tooLong);
        String why =
                gone
                        ? "The receiver answered 410 Gone."
                        : "Every try has failed since "
                                + Instant.ofEpochMilli(since)
                                + "; the last: "
                                + failure;
        return new Verdict(
                pauses ? State.PAUSED : receiver.state(),
                pauses ? why.substring(0, Math.min(why.length(), REASON_MAX)) : receiver.reason(),
                failures,
                since,
                opened,
                until,
                receiver.lastSuccessMs(),
                last);
    }
}
