package io.orchestrion.simulator.history;

import io.orchestrion.sdk.Delivery;
import io.orchestrion.sdk.Job;
import io.orchestrion.sdk.JobReport;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// One job as its client saw it, from the submit on.
///
/// @param workKind that was asked for; null where the server chose
/// @param key under which it was submitted, or null
/// @param ids the job id of each answer to a submit with that key
/// @param acts what the client did to it
/// @param end how it stood when the client looked at it last; null when it had not ended by then
/// @param reports each that was read, in order: one for each attempt's end and the last one again
/// @param receiver of its callback, or null
/// @param deliveries of its callback, as the server lists them; empty where nobody asked
public record Story(
        String scenario,
        int client,
        String type,
        @Nullable String workKind,
        @Nullable Instant executionAt,
        @Nullable String key,
        List<UUID> ids,
        Instant createdAt,
        String stateAtSubmit,
        boolean autoRetry,
        List<Act> acts,
        @Nullable Job end,
        List<JobReport> reports,
        boolean deleted,
        @Nullable String receiver,
        List<Delivery> deliveries) {
    public Story {
        ids = List.copyOf(ids);
        acts = List.copyOf(acts);
        reports = List.copyOf(reports);
        deliveries = List.copyOf(deliveries);
    }

    /// A cancel or a retry, and the answer.
    ///
    /// @param verb `cancel` or `retry`
    /// @param state that the job then had
    /// @param attempt in the answer to a retry
    public record Act(String verb, String state, Instant updatedAt, @Nullable Integer attempt) {}

    public UUID id() {
        return ids.getFirst();
    }

    /// The newest, with all that happened to the job.
    public List<JobReport.Event> events() {
        return reports.isEmpty() ? List.of() : reports.getLast().events();
    }

    /// Whether its time had come when its submit reached the server.
    boolean dueAtSubmit() {
        return executionAt == null || !createdAt.isBefore(executionAt);
    }

    boolean cancelled() {
        return acts.stream()
                .anyMatch(act -> act.verb().equals("cancel") && act.state().equals("CANCELED"));
    }
}
