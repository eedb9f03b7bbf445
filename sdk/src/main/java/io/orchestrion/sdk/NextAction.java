package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.io.Serializable;

/// One thing that can be done next; from [AgentContract#nextActions] or
/// [OrchestrionException#nextActions].
///
/// @param action its code, such as `complete_task` or `retry_after_wait`
/// @param available whether it works now
/// @param recommended whether it is the one to choose when in doubt
/// @param method the HTTP method, together with `endpoint`, if the action is a call
/// @param retryAfterSeconds how long to wait, if the action is a wait
public record NextAction(
        String action,
        boolean available,
        boolean recommended,
        @Nullable String method,
        @Nullable String endpoint,
        @Nullable Long retryAfterSeconds)
        implements Serializable {}
