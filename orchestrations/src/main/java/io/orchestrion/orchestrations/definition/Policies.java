package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.retry.RetryPolicy;

import org.jspecify.annotations.Nullable;

/// Rules of a definition as a whole. Null means: no bound, no default.
///
/// @param executionMs how long an execution may run; time in which it is paused or waits for an
///     approval does not count
/// @param retry for steps without a policy of their own
/// @param maxRunningPerTarget executions of the definition that are under way for one target object
/// @param maxRunningPerDefinition executions of the definition that are under way
public record Policies(
        @Nullable Long executionMs,
        @Nullable RetryPolicy retry,
        @Nullable Integer maxRunningPerTarget,
        @Nullable Integer maxRunningPerDefinition) {
    static final Policies NONE = new Policies(null, null, null, null);
}
