package io.orchestrion.server.jobs;

import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobAck;
import io.orchestrion.jobs.JobFound;
import io.orchestrion.jobs.JobOutcome;
import io.orchestrion.jobs.JobPage;
import io.orchestrion.jobs.JobQuery;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.JobSubmitted;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.ReportFound;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.door.PageCursor;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.http.TraceContext;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/// What clients do with jobs: read the request, call one verb of the engine, write its outcome.
public final class JobsHandlers {
    private static final int QUEUE_FULL_WAIT_SECONDS = 5;
    private static final long FARTHEST_DAYS = Profiles.JOBS.bounds().schedule().ahead().toDays();

    private final Jobs jobs;
    private final JobDrafts drafts;

    /// @param egress knows the addresses that jobs call back
    public JobsHandlers(Jobs jobs, Egress egress) {
        this.jobs = jobs;
        this.drafts = new JobDrafts(jobs.options(), egress);
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(JobsEndpoints.SUBMIT, this::submit)
                .handle(JobsEndpoints.LIST, this::list)
                .handle(JobsEndpoints.CATALOGUE_OF_WORK, this::catalogue)
                .handle(JobsEndpoints.GET, this::get)
                .handle(JobsEndpoints.REPORT, this::report)
                .handle(
                        JobsEndpoints.CANCEL,
                        call -> changed(call, jobs::cancel, job -> canceled(job)))
                .handle(
                        JobsEndpoints.RETRY,
                        call -> changed(call, jobs::retry, job -> retried(job)))
                .handle(JobsEndpoints.DELETE, this::delete);
    }

    private Answer submit(Call call) {
        Values body = call.json(JobsSpecs.SUBMIT_READ);
        String header = call.header(Once.KEY_HEADER).orElse(null);
        if (header != null && !Once.keyAllowed(header)) {
            return ClientHandlers.badKey(call);
        }
        String own = body.textOrNull("idempotency_key");
        return switch (drafts.of(
                Callers.account(call),
                body,
                own == null ? header : own,
                TraceContext.traceparent())) {
            case JobDrafts.Draft.Ready(var job) -> answer(call, jobs.submit(job));
            case JobDrafts.Draft.Faulty(var error, var faults) ->
                    JobsProblems.faulty(call, error, faults);
        };
    }

    private static Answer answer(Call call, JobSubmitted submitted) {
        return switch (submitted) {
            case JobSubmitted.Accepted(var job, var replayed) -> {
                call.about(job.id());
                Answer answer =
                        Answer.json(
                                        202,
                                        JsonWriter.object(
                                                out ->
                                                        out.text("job_id", job.id().toString())
                                                                .text("state", job.state().name())
                                                                .instant(
                                                                        "created_at",
                                                                        job.createdMs())))
                                .with("Location", JobsEndpoints.JOBS + "/" + job.id());
                yield replayed ? answer.with(Once.REPLAYED, "true") : answer;
            }
            case JobSubmitted.KeyConflict() -> ClientHandlers.otherRequest(call);
            case JobSubmitted.KeyInFlight() -> ClientHandlers.inFlight(call);
            case JobSubmitted.QueueFull(var waiting, var max) -> queueFull(call, waiting, max);
            case JobSubmitted.NoRunners() -> noRunners(call);
            case JobSubmitted.ScheduleRefused(var nowMs) ->
                    JobsProblems.invalid(
                            call,
                            "execution_at",
                            "within " + FARTHEST_DAYS + " days",
                            "execution_at must lie ahead of the server's time, which is "
                                    + Instant.ofEpochMilli(nowMs)
                                    + ", by at most "
                                    + FARTHEST_DAYS
                                    + " days");
        };
    }

    static Answer noRunners(Call call) {
        return JobsProblems.error(
                call, JobsError.EXEC_WORKER_UNAVAILABLE, "No runner is there to do jobs.");
    }

    private static Answer queueFull(Call call, long waiting, long max) {
        return JobsProblems.later(
                call,
                JobsError.EXEC_QUEUE_FULL,
                QUEUE_FULL_WAIT_SECONDS,
                waiting + " jobs wait, and at most " + max + " may; nothing was done.");
    }

    private Answer list(Call call) {
        Values query = call.queryValues();
        String cursor = query.textOrNull("cursor");
        UUID after = cursor == null ? null : PageCursor.read(cursor);
        if (cursor != null && after == null) {
            return JobsProblems.malformed(
                    call, "cursor", null, "cursor must be the next_cursor of an earlier answer");
        }
        String state = query.textOrNull("state");
        String outcome = query.textOrNull("outcome");
        JobPage page =
                jobs.list(
                        new JobQuery(
                                Callers.account(call),
                                state == null ? null : JobState.valueOf(state),
                                outcome == null ? null : JobOutcome.valueOf(outcome),
                                query.int32("limit"),
                                after));
        UUID next = page.next();
        return json(
                out ->
                        out.objects("jobs", page.jobs(), JobsJson::write)
                                .text("next_cursor", next == null ? null : PageCursor.of(next)));
    }

    private static Answer json(Consumer<JsonWriter> fields) {
        return Answer.json(200, JsonWriter.object(fields));
    }

    private Answer catalogue(Call call) {
        long maxRuntimeMs = jobs.options().maxRuntime().toMillis();
        return json(
                out ->
                        out.objects(
                                "work_kinds",
                                List.of(WorkKind.values()),
                                (each, kind) ->
                                        each.text("name", kind.name())
                                                .integer(
                                                        "duration_ms",
                                                        kind.durationMs(maxRuntimeMs))
                                                .bool("should_fail", kind.shouldFail())
                                                .integer("payload_size", kind.payloadSizeBytes())
                                                .text("expected", kind.expected().end().name())
                                                .text("needs", kind.expected().need().name())
                                                .text("scenario", kind.expected().name())));
    }

    private Answer get(Call call) {
        UUID id = Callers.id(call, JobsEndpoints.ID);
        JobFound found = id == null ? new JobFound.NotFound() : jobs.get(Callers.account(call), id);
        return switch (found) {
            case JobFound.Found(var job) -> json(out -> JobsJson.write(out, job));
            case JobFound.NotFound() -> JobsProblems.noSuchJob(call);
            case JobFound.Foreign() -> JobsProblems.othersOwn(call);
        };
    }

    private Answer report(Call call) {
        UUID id = Callers.id(call, JobsEndpoints.ID);
        ReportFound found =
                id == null ? new ReportFound.NotFound() : jobs.report(Callers.account(call), id);
        return switch (found) {
            case ReportFound.Found(_, var report) -> json(out -> JobsJson.write(out, report));
            case ReportFound.NotFinal(var job) ->
                    noReport(call, "The job is " + job.state() + "; it has a report once it ends.");
            case ReportFound.Missing _ -> noReport(call, "The job's report is gone.");
            case ReportFound.NotFound() -> JobsProblems.noSuchJob(call);
            case ReportFound.Foreign() -> JobsProblems.othersOwn(call);
        };
    }

    private static Answer noReport(Call call, String detail) {
        return JobsProblems.error(call, JobsError.REPORT_NOT_FOUND, detail);
    }

    private static Answer canceled(Job job) {
        return json(
                out ->
                        out.text("job_id", job.id().toString())
                                .text("state", job.state().name())
                                .instant("updated_at", job.updatedMs()));
    }

    private static Answer retried(Job job) {
        return json(
                out ->
                        out.text("job_id", job.id().toString())
                                .text("state", job.state().name())
                                .instant("updated_at", job.updatedMs())
                                .integer("attempt", job.attempt()));
    }

    private Answer delete(Call call) {
        return asked(call, jobs::delete, _ -> json(out -> out.bool("deleted", true)));
    }

    private static Answer changed(
            Call call, BiFunction<UUID, UUID, JobAck> verb, Function<Job, Answer> done) {
        call.json();
        return asked(call, verb, done);
    }

    private static Answer asked(
            Call call, BiFunction<UUID, UUID, JobAck> verb, Function<Job, Answer> done) {
        UUID id = Callers.id(call, JobsEndpoints.ID);
        JobAck ack = id == null ? new JobAck.NotFound() : verb.apply(Callers.account(call), id);
        return switch (ack) {
            case JobAck.Done(var job) -> done.apply(job);
            case JobAck.Unchanged(var job) -> done.apply(job);
            case JobAck.NotFound() -> JobsProblems.noSuchJob(call);
            case JobAck.Foreign() -> JobsProblems.othersOwn(call);
            case JobAck.RetriesUsedUp(var job) ->
                    conflict(
                            call,
                            "The job failed in attempt "
                                    + job.attempt()
                                    + " of "
                                    + job.maxAttempts()
                                    + ": no retry is left.");
            case JobAck.QueueFull(var waiting, var max) -> queueFull(call, waiting, max);
            case JobAck.NotFinal(var job) ->
                    conflict(call, "The job is " + job.state() + "; cancel it first.");
            case JobAck.Raced() ->
                    conflict(call, "The job was changed by others at the same moment.");
        };
    }

    private static Answer conflict(Call call, String detail) {
        return JobsProblems.error(call, JobsError.JOB_CONFLICT, detail);
    }
}
