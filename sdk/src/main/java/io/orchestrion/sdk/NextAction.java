package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.io.Serializable;

/// One thing to do next, as the server says it.
///
/// @param action its code, such as `complete_task` or `retry_after_wait`
/// @param available whether it works now
/// @param recommended whether it is the one to choose when in doubt
/// @param method with `endpoint`, where it is a call
/// @param retryAfterSeconds for a wait, how long
public record NextAction(
        String action,
        boolean available,
        boolean recommended,
        @Nullable String method,
        @Nullable String endpoint,
        @Nullable Long retryAfterSeconds)
        implements Serializable {}
