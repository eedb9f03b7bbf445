package io.orchestrion.kernel.retry;

/// What a step declares about repeating it.
public enum SafeRetry {
    /// Its effect is the same however often it is done.
    SAFE_TO_RETRY,

    /// It is never repeated by the engine, whatever its policy says.
    NOT_SAFE_TO_RETRY,

    /// It is repeated after a guard has found that the last attempt had no effect.
    SAFE_TO_RETRY_WITH_GUARD
}
