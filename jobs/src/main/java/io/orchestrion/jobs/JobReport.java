package io.orchestrion.jobs;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// The report of one attempt. Written once, when the attempt ends.
///
/// @param startedMs the end, where the attempt never began
/// @param events the job's whole history up to this end
/// @param outputBytes null without output
/// @param result what a real handler gave, JSON text
public record JobReport(
        UUID jobId,
        int attempt,
        JobOutcome outcome,
        List<JobEvent> events,
        long startedMs,
        long finishedMs,
        long durationMs,
        @Nullable JobFailure failure,
        @Nullable Long outputBytes,
        @Nullable String outputSha256,
        @Nullable String result) {

    JobReport telling(List<JobEvent> others) {
        return new JobReport(
                jobId,
                attempt,
                outcome,
                others,
                startedMs,
                finishedMs,
                durationMs,
                failure,
                outputBytes,
                outputSha256,
                result);
    }
}
