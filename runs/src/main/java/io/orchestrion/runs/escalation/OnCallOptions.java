package io.orchestrion.runs.escalation;

import io.orchestrion.kernel.retry.BackoffStrategy;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.RetryPolicy;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// Where whoever is on call is told of tickets.
///
/// @param url that the operator has set
/// @param token sent as a bearer token; null for none
/// @param retries how often and how soon it is tried again
public record OnCallOptions(String url, @Nullable String token, RetryPolicy retries) {
    private static final int ATTEMPTS = 12;
    private static final long FIRST_DELAY_MS = 1_000;
    private static final long LONGEST_DELAY_MS = 600_000;
    private static final long TIMEOUT_MS = 20_000;

    /// For more than half an hour.
    public static final RetryPolicy RETRIES =
            new RetryPolicy(
                    ATTEMPTS,
                    BackoffStrategy.JITTERED,
                    FIRST_DELAY_MS,
                    LONGEST_DELAY_MS,
                    TIMEOUT_MS,
                    Set.of(ErrorClass.TRANSIENT));

    public static OnCallOptions of(String url, @Nullable String token) {
        return new OnCallOptions(url, token, RETRIES);
    }

    /// Neither the token nor the address, which is a secret with many receivers.
    @Override
    public String toString() {
        return "OnCallOptions[hidden]";
    }
}
