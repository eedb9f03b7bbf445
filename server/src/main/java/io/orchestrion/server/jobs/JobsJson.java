package io.orchestrion.server.jobs;

import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobEvent;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobReport;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.kernel.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// Writes jobs, their events and reports in the words of the wire.
public final class JobsJson {
    private JobsJson() {}

    static void write(JsonWriter out, Job job) {
        out.text("job_id", job.id().toString())
                .text("type", job.type().name())
                .text("state", job.state().name())
                .text("outcome", name(job.outcome()))
                .instant("created_at", job.createdMs())
                .instant("execution_at", moment(job.executionMs()))
                .instant("updated_at", job.updatedMs())
                .integer("attempt", job.attempt())
                .text("callback", job.callback());
        JobDefinition definition = job.definition();
        if (definition == null) {
            out.nil("definition");
        } else {
            out.object("definition", each -> write(each, definition));
        }
        out.integer("max_attempts", job.maxAttempts())
                .bool("auto_retry", job.autoRetry())
                .text("handler", job.handler())
                .instant("started_at", moment(job.startedMs()))
                .instant("finished_at", moment(job.finishedMs()))
                .instant("not_before", moment(job.notBeforeMs()));
        failure(out, job.failure());
    }

    private static void write(JsonWriter out, JobDefinition definition) {
        out.text("work_kind", definition.workKind())
                .integer("duration_ms", definition.durationMs())
                .bool("should_fail", definition.shouldFail())
                .integer("payload_size", definition.payloadSizeBytes());
    }

    private static void failure(JsonWriter out, @Nullable JobFailure failure) {
        if (failure == null) {
            out.nil("failure");
        } else {
            out.object(
                    "failure",
                    each ->
                            each.text("code", failure.code())
                                    .text("message", failure.text())
                                    .bool("retryable", failure.retryable()));
        }
    }

    /// One event, as reports and deliveries show it.
    public static void write(JsonWriter out, JobEvent event) {
        JobState prev = event.prev();
        out.text("event_id", event.eventId().toString())
                .text("job_id", event.jobId().toString())
                .text("event_name", event.name())
                .text("prev_state", name(prev))
                .text("next_state", event.next().name())
                .instant("timestamp", event.atMs())
                .object(
                        "payload",
                        each ->
                                each.text("scenario", event.scenario())
                                        .integer("attempt", event.attempt())
                                        .bool("final", event.isFinal())
                                        .text("reason", event.reason()));
    }

    static void write(JsonWriter out, JobReport report) {
        JobFailure failure = report.failure();
        out.text("job_id", report.jobId().toString())
                .text("outcome", report.outcome().name())
                .integer("attempt", report.attempt())
                .objects("events", report.events(), JobsJson::write)
                .instant("started_at", report.startedMs())
                .instant("finished_at", report.finishedMs())
                .integer("duration_ms", report.durationMs())
                .text("reason", failure == null ? null : failure.code());
        failure(out, failure);
        Long bytes = report.outputBytes();
        if (bytes == null) {
            out.nil("output");
        } else {
            out.object(
                    "output",
                    each ->
                            each.integer("size_bytes", bytes)
                                    .text("sha256", report.outputSha256())
                                    .raw("result", report.result()));
        }
    }

    private static @Nullable String name(@Nullable Enum<?> word) {
        return word == null ? null : word.name();
    }

    private static @Nullable Instant moment(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}
