package io.orchestrion.sdk.definition;

import java.time.Duration;

/// A step that a worker does; from [Step#task].
///
/// ```java
/// TaskStep summarize = Step.task("summarize", "summarize-text")
///         .input(Value.object().with("text", Value.input("text")))
///         .lease(Duration.ofMinutes(2))
///         .timeout(Duration.ofHours(1))
///         .safeToRetry();
/// ```
public final class TaskStep extends LeadingStep<TaskStep> {
    TaskStep(String id, Handler handler) {
        super("task", id);
        node.put("handler", handler.text());
    }

    @Override
    TaskStep self() {
        return this;
    }

    /// What the worker gets as `input`; the input of the execution unless set.
    public TaskStep input(Value input) {
        node.set("input", input.node());
        return this;
    }

    /// For how long a worker holds it without a heartbeat, 30 seconds to an hour; a minute unless
    /// set.
    public TaskStep lease(Duration lease) {
        node.put("lease_seconds", lease.toSeconds());
        return this;
    }

    /// 0 to 100; higher is claimed first.
    public TaskStep priority(int priority) {
        node.put("priority", priority);
        return this;
    }

    /// What a result has to fit, as a JSON Schema. A worker is refused another one, and the attempt
    /// has failed.
    public TaskStep resultSchema(String json) {
        node.set("result_schema", Value.JSON.readTree(json));
        return this;
    }
}
