package io.orchestrion.sdk.plan;

import java.util.Locale;

/// Which parts of a whole may be done at a time: the tasks of an agent, or the steps of a task.
///
/// ```java
/// PlannedAgent reader = PlannedAgent.forSubtask("Read").inMode(ParallelismMode.PARALLEL);
/// ```
public enum ParallelismMode {
    /// One after the other, in the order of the plan. So it is unless said otherwise.
    SEQUENTIAL,
    /// All at a time, up to the bound of the run.
    PARALLEL,
    /// Each as soon as what it depends on has ended well.
    DAG;

    /// As the HTTP interface says it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
