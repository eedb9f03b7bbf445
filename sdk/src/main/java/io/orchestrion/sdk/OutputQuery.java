package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Which output of a run to read, oldest first. Each method returns a changed copy.
///
/// ```java
/// OutputQuery rest = OutputQuery.ALL.ofStep("step_9").after(41);
/// ```
///
/// @param stepId of this step only; null for all
/// @param after only pieces after this one; 0 for all
public record OutputQuery(@Nullable String stepId, long after) {
    /// All output, from the first piece on.
    public static final OutputQuery ALL = new OutputQuery(null, 0);

    public OutputQuery ofStep(@Nullable String id) {
        return new OutputQuery(id, after);
    }

    /// @param sequence that of the last piece that is not wanted again
    public OutputQuery after(long sequence) {
        return new OutputQuery(stepId, sequence);
    }
}
