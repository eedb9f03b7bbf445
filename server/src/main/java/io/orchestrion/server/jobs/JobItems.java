package io.orchestrion.server.jobs;

import io.orchestrion.jobs.JobFailure;
import io.orchestrion.server.door.DoorItems;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Jobs in logs and metrics, in the words of their door.
public final class JobItems implements DoorItems {
    @Override
    public List<String> queues() {
        return List.of(JobsDoor.NAME);
    }

    @Override
    public String state(String word, String event, int attempt) {
        return switch (word) {
            case "waiting" -> event.equals("submit") || attempt == 0 ? "CREATED" : "QUEUED";
            case "ready" -> "QUEUED";
            case "leased" -> "ASSIGNED";
            case "running" -> "RUNNING";
            case "succeeded" -> "SUCCEEDED";
            case "cancelled" -> "CANCELED";
            default -> "FAILED";
        };
    }

    /// What is scheduled is CREATED until it is due.
    @Override
    public boolean queued(String word) {
        return word.equals("ready") || word.equals("backoff");
    }

    @Override
    public Map<String, Predicate<String>> open() {
        Map<String, Predicate<String>> states = DoorItems.super.open();
        states.put("scheduled", word -> word.equals("waiting"));
        states.put("assigned", word -> word.equals("leased"));
        return states;
    }

    @Override
    public String kindField() {
        return "scenario";
    }

    /// The code is that of the job's report.
    @Override
    public @Nullable Failure failure(@Nullable String detail) {
        JobFailure why = JobFailure.of(detail);
        return why == null ? null : new Failure(why.code(), why.text());
    }
}
