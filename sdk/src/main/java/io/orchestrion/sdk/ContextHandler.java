package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Does one task, as a [TaskHandler] does, and sees while it works what its worker is told: see
/// [TaskContext].
///
/// ```java
/// Worker.builder(client)
///         .type("summarize")
///         .handler((task, context) -> {
///             Answer answer = model.ask(task.payloadJson().path("text").asString());
///             context.usage("{\"tokens\":" + answer.tokens() + "}");
///             return answer.json();
///         })
///         .start();
/// ```
///
/// It runs on a virtual thread of its own. That thread is interrupted when the task is cancelled,
/// its lease is lost or the worker is told to stop at once. A handler that catches the interrupt
/// should end soon: another worker may get the task.
@FunctionalInterface
public interface ContextHandler {
    /// @return the result, JSON text of an object, or null for none
    /// @throws TaskFailure to fail the task in a way that programs can go by
    /// @throws Exception to fail the task with the exception's message
    @Nullable String handle(Task task, TaskContext context) throws Exception;
}
