package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Does one task. It runs on a virtual thread of its own and is interrupted when the lease is lost
/// or the worker is told to stop at once; it may be run again for the same task, so what it does to
/// the world should bear that.
///
/// ```java
/// TaskHandler counts =
///         task -> "{\"length\":" + task.payloadJson().path("text").asString().length() + "}";
/// ```
///
/// One that is to see whether it should pause, or to report what it used up, is a [ContextHandler].
@FunctionalInterface
public interface TaskHandler {
    /// @return the result, JSON text of an object, or null for none
    /// @throws TaskFailure to fail the task with a wait before its next attempt, or in a way that
    ///     programs can go by
    /// @throws Exception to fail the task with the exception's message
    @Nullable String handle(Task task) throws Exception;
}
