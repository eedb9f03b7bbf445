package io.orchestrion.simulator.play;

import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobAnswer;
import io.orchestrion.sdk.JobReport;
import io.orchestrion.sdk.JobSubmission;
import io.orchestrion.sdk.SubmittedJob;
import io.orchestrion.simulator.history.Story;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// A job's story while it happens; told by one thread, read when it is over.
final class Tale {
    final JobSubmission submission;
    final SubmittedJob submitted;
    private final String scenario;
    private final int client;
    private final List<UUID> ids = new ArrayList<>();
    private final List<Story.Act> acts = new ArrayList<>();
    private final List<JobReport> reports = new ArrayList<>();
    private final @Nullable String receiver;
    private List<Delivery> deliveries = List.of();
    private @Nullable Job end;
    private boolean deleted;

    Tale(
            String scenario,
            int client,
            JobSubmission submission,
            SubmittedJob submitted,
            @Nullable String receiver) {
        this.scenario = scenario;
        this.client = client;
        this.submission = submission;
        this.submitted = submitted;
        this.receiver = receiver;
        ids.add(submitted.id());
    }

    UUID id() {
        return submitted.id();
    }

    int client() {
        return client;
    }

    @Nullable String receiver() {
        return receiver;
    }

    @Nullable Job end() {
        return end;
    }

    List<JobReport.Event> events() {
        return reports.isEmpty() ? List.of() : reports.getLast().events();
    }

    synchronized void answered(UUID id) {
        ids.add(id);
    }

    synchronized void acted(String verb, JobAnswer answer) {
        acts.add(new Story.Act(verb, answer.state().name(), answer.updatedAt(), answer.attempt()));
    }

    void read(JobReport report) {
        reports.add(report);
    }

    void ended(Job job) {
        end = job;
    }

    void deleted() {
        deleted = true;
    }

    void sent(List<Delivery> log) {
        deliveries = log;
    }

    synchronized Story story() {
        return new Story(
                scenario,
                client,
                submission.type().name(),
                submission.workKind(),
                submission.executionAt(),
                submission.idempotencyKey(),
                ids,
                submitted.createdAt(),
                submitted.state().name(),
                submission.autoRetry(),
                acts,
                end,
                reports,
                deleted,
                receiver,
                deliveries);
    }
}
