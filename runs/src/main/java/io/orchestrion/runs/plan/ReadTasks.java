package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Finding;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What came of reading the result of an agent's own planning.
///
/// @param findings all that is wrong; empty for a good one
/// @param round null when there are findings
public record ReadTasks(List<Finding> findings, @Nullable Round round) {
    public ReadTasks {
        findings = List.copyOf(findings);
    }

    /// What an agent does next.
    ///
    /// @param tasks none when it is done
    /// @param again whether it plans once more when the tasks have ended
    public record Round(List<TaskPlan> tasks, boolean again) {
        public Round {
            tasks = List.copyOf(tasks);
        }
    }
}
