package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Executes one task, as a [TaskHandler] does, and has a [TaskContext] for requests of the server
/// and for reports beside the result.
///
/// ```java
/// Worker.builder(client)
///         .type("summarize")
///         .handler((task, run) -> {
///             String text = task.payloadJson().path("text").asString();
///             run.usage("{\"characters\":" + text.length() + "}");
///             return "{\"summary\":\"" + text.length() + " characters\"}";
///         })
///         .start();
/// ```
///
/// The handler runs on its own virtual thread. The thread is interrupted when the task is
/// cancelled, its lease is lost or [Worker#stop] is called. A handler that catches the interrupt
/// should end soon: another worker may get the task.
@FunctionalInterface
public interface ContextHandler {
    /// @return the result, JSON text of an object, or null for none
    /// @throws TaskFailure to fail the task with an error for programs
    /// @throws Exception to fail the task with the exception's message
    @Nullable String handle(Task task, TaskContext context) throws Exception;
}
