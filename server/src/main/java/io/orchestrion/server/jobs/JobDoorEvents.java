package io.orchestrion.server.jobs;

import io.orchestrion.jobs.JobEvent;
import io.orchestrion.jobs.JobEvents;
import io.orchestrion.jobs.JobFacts;
import io.orchestrion.jobs.JobFound;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/// How events of jobs are told to receivers: the same events, with the same ids, as in a job's
/// report.
public final class JobDoorEvents implements DoorEvents {
    @Override
    public String queue() {
        return Profiles.JOBS.log();
    }

    @Override
    public List<String> names() {
        return JobEvents.NAMES;
    }

    @Override
    public Set<String> meant(String asked) {
        return JobEvents.NAMES.stream()
                .filter(name -> JobEvents.subscribes(asked, name))
                .collect(Collectors.toSet());
    }

    @Override
    public boolean callsBack() {
        return true;
    }

    @Override
    public List<Told> told(Tx tx, UUID account, List<LogEvent> told) throws SQLException {
        List<FeedEvent> events = LogEvent.items(told);
        Set<UUID> ids = events.stream().map(FeedEvent::workId).collect(Collectors.toSet());
        Map<UUID, JobFacts> facts = Jobs.facts(tx, account, ids);
        var all = new ArrayList<Told>();
        for (FeedEvent event : events) {
            JobFacts job = facts.get(event.workId());
            if (job != null) {
                JobEvent each = JobEvents.of(event.workId(), job, event.entry());
                all.add(new Told(event, each.eventId(), each.name(), body(each), job.callback()));
            }
        }
        return all;
    }

    private static String body(JobEvent event) {
        return JsonWriter.objectText(
                out ->
                        out.text("event_id", event.eventId().toString())
                                .text("event_name", event.name())
                                .instant("timestamp", event.atMs())
                                .text("job_id", event.jobId().toString())
                                .text("prev_state", name(event.prev()))
                                .text("next_state", name(event.next()))
                                .text("scenario", event.scenario())
                                .integer("attempt", event.attempt())
                                .bool("final", event.isFinal())
                                .text("reason", event.reason()));
    }

    private static @Nullable String name(@Nullable Enum<?> state) {
        return state == null ? null : state.name();
    }

    /// Why a caller may not see what belongs to a job.
    public static JobLook look(Jobs jobs) {
        return (call, account, job) ->
                switch (jobs.get(account, job)) {
                    case JobFound.Found _ -> null;
                    case JobFound.NotFound() -> JobsProblems.noSuchJob(call);
                    case JobFound.Foreign() -> JobsProblems.othersOwn(call);
                };
    }

    /// Whether the caller's account has a job.
    @FunctionalInterface
    public interface JobLook {
        /// Null when it has; else what to answer.
        @Nullable Answer refusal(Call call, UUID account, UUID job);
    }
}
