package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Finding;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What came of reading a plan.
///
/// @param findings all that is wrong; empty for a good one
/// @param plan null when there are findings
public record ReadPlan(List<Finding> findings, @Nullable Plan plan) {
    public ReadPlan {
        findings = List.copyOf(findings);
    }
}
