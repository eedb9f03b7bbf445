package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Executes one task.
///
/// ```java
/// TaskHandler counts =
///         task -> "{\"length\":" + task.payloadJson().path("text").asString().length() + "}";
/// ```
///
/// The handler runs on its own virtual thread. The thread is interrupted when the lease is lost or
/// [Worker#stop] is called. A handler may run again for the same task, so make its side effects
/// repeatable.
///
/// A handler that should notice a request to pause, or report what it used, is a [ContextHandler].
@FunctionalInterface
public interface TaskHandler {
    /// @return the result, JSON text of an object, or null for none
    /// @throws TaskFailure to fail the task with a wait before its next attempt, or with an error
    ///     for programs
    /// @throws Exception to fail the task with the exception's message
    @Nullable String handle(Task task) throws Exception;
}
