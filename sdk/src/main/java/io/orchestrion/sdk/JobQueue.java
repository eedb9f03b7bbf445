package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The jobs of the queue's door, `/api/queue/jobs`: submitting, reading, claiming what the
/// credential allows, and ending what this worker holds. From [OrchestrionClient#queue].
///
/// ```java
/// QueueJob job = client.queue().submit(NewJob.ofType("codex_exec"));
/// QueueJob ended =
///         client.queue().follow(job.id(), null, line -> System.out.println(line.message()));
/// ```
///
/// The client repeats reads, heartbeats, submits, which carry a key, and reports with a lease
/// token, as [OrchestrionClient] describes. Claims, log events, cancels and requeues are sent once.
public final class JobQueue {
    private static final String JOBS = "/api/queue/jobs";
    private static final String DEAD_LETTERS = "/api/queue/dead-letters";

    private final Transport transport;

    JobQueue(Transport transport) {
        this.transport = transport;
    }

    /// Puts a job into the queue. If the server has seen its key before, the answer is the job that
    /// was made then.
    public QueueJob submit(NewJob job) {
        ObjectNode body = Json.object().put("type", job.type());
        Json.putRaw(body, "payload", job.payload());
        if (job.priority() != null) {
            body.put("priority", job.priority());
        }
        if (job.maxAttempts() != null) {
            body.put("maxAttempts", job.maxAttempts());
        }
        return transport.send(Call.post(JOBS, body).withKey(job.idempotencyKey()), QueueWire::job);
    }

    /// Reads one job.
    public QueueJob get(UUID id) {
        return transport.send(Call.get(path(id, "")), QueueWire::job);
    }

    /// Reads one page of jobs.
    public JobPage list(JobQuery query) {
        return transport.send(Call.get(JOBS + parameters(query)), QueueWire::jobs);
    }

    private static Parameters parameters(JobQuery query) {
        JobStatus status = query.status();
        return new Parameters()
                .with("status", status == null ? null : status.word())
                .with("type", query.type())
                .with("limit", query.limit())
                .with("cursor", query.cursor());
    }

    /// Claims the next job that the worker may have, if there is one.
    public Optional<ClaimedJob> claim(JobClaim claim) {
        return transport.send(
                claimCall(claimBody(claim), claim), answer -> QueueWire.claimed(answer, claim));
    }

    /// Claims up to `count` jobs.
    public List<ClaimedJob> claim(JobClaim claim, int count) {
        return transport.send(
                claimCall(claimBody(claim).put("count", count), claim),
                answer -> QueueWire.allClaimed(answer, claim));
    }

    private static Call claimCall(ObjectNode body, JobClaim claim) {
        return Call.post(JOBS + "/claim", body).waiting(claim.longPoll());
    }

    private static ObjectNode claimBody(JobClaim claim) {
        ObjectNode body =
                Json.object()
                        .put("workerId", claim.workerId())
                        .put("leaseSeconds", claim.lease().toSeconds());
        putAll(body, "allowedTypes", claim.types());
        putAll(body, "workerCapabilities", claim.capabilities());
        if (claim.longPoll().toSeconds() > 0) {
            body.put("waitSeconds", claim.longPoll().toSeconds());
        }
        return body;
    }

    private static void putAll(ObjectNode into, String name, @Nullable Set<String> words) {
        if (words != null) {
            ArrayNode list = into.putArray(name);
            words.stream().sorted().forEach(list::add);
        }
    }

    /// Renews the lease for its whole length. [QueueJob#cancelRequested] of the answer says whether
    /// to stop.
    public QueueJob heartbeat(ClaimedJob claimed) {
        return transport.send(heartbeatCall(claimed).repeated(true), QueueWire::job);
    }

    /// For the worker, which decides itself when to try again.
    QueueJob heartbeatOnce(ClaimedJob claimed, Duration within) {
        return transport.once(heartbeatCall(claimed), within, QueueWire::job);
    }

    private static Call heartbeatCall(ClaimedJob claimed) {
        return Call.post(
                path(claimed.id(), "/heartbeat"),
                holder(claimed).put("leaseSeconds", claimed.lease().toSeconds()));
    }

    /// Completes the job.
    ///
    /// @param resultSummary a summary of the result, or null
    public QueueJob complete(ClaimedJob claimed, @Nullable String resultSummary) {
        ObjectNode body = holder(claimed);
        putIfThere(body, "resultSummary", resultSummary);
        return settle(
                claimed,
                "/complete",
                body,
                now ->
                        now.status() == JobStatus.SUCCEEDED
                                && now.attempt() == claimed.job().attempt()
                                && Objects.equals(now.resultSummary(), resultSummary));
    }

    /// Reports a failure. The job is tried again after a wait, is dead-lettered when its attempts
    /// are used up, or has failed for good if it is not retryable. If somebody cancelled the job
    /// meanwhile, it is cancelled.
    ///
    /// @param errorMessage 1 to 4000 characters
    public QueueJob fail(ClaimedJob claimed, String errorMessage, boolean retryable) {
        ObjectNode body =
                holder(claimed).put("errorMessage", errorMessage).put("retryable", retryable);
        return settle(
                claimed,
                "/fail",
                body,
                now ->
                        now.status() != JobStatus.RUNNING
                                && now.attempt() == claimed.job().attempt()
                                && Objects.equals(now.errorMessage(), errorMessage));
    }

    private QueueJob settle(
            ClaimedJob claimed, String verb, ObjectNode body, Predicate<QueueJob> asAsked) {
        Call call = Call.post(path(claimed.id(), verb), body);
        return transport.settle(
                call.repeated(claimed.leaseToken() != null),
                QueueWire::job,
                () -> get(claimed.id()),
                asAsked);
    }

    /// Cancels a job. A queued job ends at once. The worker of a running job is asked to stop,
    /// which `cancelRequested` shows.
    public QueueJob cancel(UUID id) {
        return transport.send(Call.post(path(id, "/cancel"), Json.object()), QueueWire::job);
    }

    /// Puts a dead-lettered job back in line.
    public QueueJob requeue(UUID id) {
        return transport.send(Call.post(path(id, "/requeue"), Json.object()), QueueWire::job);
    }

    /// Lists jobs whose attempts are used up.
    ///
    /// @param query its status is ignored
    public JobPage deadLetters(JobQuery query) {
        var parameters =
                parameters(new JobQuery(null, query.type(), query.limit(), query.cursor()));
        return transport.send(Call.get(DEAD_LETTERS + parameters), QueueWire::jobs);
    }

    /// Puts many dead letters back into the queue, the oldest first.
    ///
    /// @param type only jobs of this type; null for all
    /// @param limit how many at most, 1 to 1000
    public RequeuedJobs requeueDeadLetters(@Nullable String type, int limit) {
        return requeueDeadLetters(type, limit, null);
    }

    /// @param reason for the audit log; null for none
    public RequeuedJobs requeueDeadLetters(
            @Nullable String type, int limit, @Nullable String reason) {
        ObjectNode body = Json.object().put("limit", limit);
        putIfThere(body.putObject("filter"), "type", type);
        putIfThere(body, "reason", reason);
        return transport.send(Call.post(DEAD_LETTERS + "/requeue", body), QueueWire::requeued);
    }

    /// Renews the lease of a job that another process claimed.
    ///
    /// @param leaseToken null to speak for whichever lease the worker has
    public QueueJob heartbeat(UUID id, String workerId, @Nullable UUID leaseToken, Duration lease) {
        ObjectNode body = holder(workerId, leaseToken).put("leaseSeconds", lease.toSeconds());
        return transport.send(
                Call.post(path(id, "/heartbeat"), body).repeated(true), QueueWire::job);
    }

    /// Completes a job that another process claimed. Sent once.
    ///
    /// @param leaseToken null to speak for whichever lease the worker has
    /// @param resultSummary a summary of the result, or null
    public QueueJob complete(
            UUID id, String workerId, @Nullable UUID leaseToken, @Nullable String resultSummary) {
        ObjectNode body = holder(workerId, leaseToken);
        putIfThere(body, "resultSummary", resultSummary);
        return transport.send(Call.post(path(id, "/complete"), body), QueueWire::job);
    }

    /// Fails a job that another process claimed. Sent once.
    ///
    /// @param leaseToken null to speak for whichever lease the worker has
    /// @param errorMessage 1 to 4000 characters
    public QueueJob fail(
            UUID id,
            String workerId,
            @Nullable UUID leaseToken,
            String errorMessage,
            boolean retryable) {
        ObjectNode body =
                holder(workerId, leaseToken)
                        .put("errorMessage", errorMessage)
                        .put("retryable", retryable);
        return transport.send(Call.post(path(id, "/fail"), body), QueueWire::job);
    }

    /// Writes to the log of a job that another process claimed. Sent once.
    ///
    /// @param leaseToken null to speak for whichever lease the worker has
    /// @param payload JSON text of an object, or null
    public JobEvent append(
            UUID id,
            String workerId,
            @Nullable UUID leaseToken,
            JobEventLevel level,
            String message,
            @Nullable String payload) {
        return transport.send(
                appendCall(id, holder(workerId, leaseToken), level, message, payload),
                QueueWire::event);
    }

    /// Writes to the log of a job that this worker holds.
    ///
    /// @param message 1 to 4000 characters
    /// @param payload JSON text of an object of at most 64 KB, or null
    public JobEvent append(
            ClaimedJob claimed, JobEventLevel level, String message, @Nullable String payload) {
        return transport.send(appendCall(claimed, level, message, payload), QueueWire::event);
    }

    /// For [JobLog], which decides itself when to try again.
    JobEvent appendOnce(
            ClaimedJob claimed,
            JobEventLevel level,
            String message,
            @Nullable String payload,
            Duration within) {
        return transport.once(
                appendCall(claimed, level, message, payload), within, QueueWire::event);
    }

    private static Call appendCall(
            ClaimedJob claimed, JobEventLevel level, String message, @Nullable String payload) {
        return appendCall(claimed.id(), holder(claimed), level, message, payload);
    }

    private static Call appendCall(
            UUID id,
            ObjectNode holder,
            JobEventLevel level,
            String message,
            @Nullable String payload) {
        ObjectNode body = holder.put("level", level.word()).put("message", message);
        if (payload != null) {
            Json.putRaw(body, "payload", payload);
        }
        return Call.post(path(id, "/events"), body);
    }

    /// Reads a page of a job's log, oldest first.
    ///
    /// @param after the time of an event or an earlier [JobEventPage#nextCursor]; null for the
    ///     beginning
    /// @param limit 1 to 1000; null for the server's default of 200
    public JobEventPage events(UUID id, @Nullable String after, @Nullable Integer limit) {
        return events(id, after, limit, Duration.ZERO);
    }

    /// @param wait how long the server may wait for an event, in whole seconds, at most 30
    public JobEventPage events(
            UUID id, @Nullable String after, @Nullable Integer limit, Duration wait) {
        var parameters =
                new Parameters()
                        .with("after", after)
                        .with("limit", limit)
                        .with("waitSeconds", wait.isZero() ? null : wait.toSeconds());
        Call call = Call.get(path(id, "/events" + parameters)).waiting(wait);
        return transport.send(call, QueueWire::events);
    }

    /// Passes the lines of a job's log to the consumer as they are written, until the job has
    /// ended.
    ///
    /// @param after as in [#events]
    /// @return the job at its end
    public QueueJob follow(UUID id, @Nullable String after, Consumer<JobEvent> each) {
        return new JobFollower(this, id, each).from(after);
    }

    private static ObjectNode holder(ClaimedJob claimed) {
        return holder(claimed.workerId(), claimed.leaseToken());
    }

    private static ObjectNode holder(String workerId, @Nullable UUID token) {
        ObjectNode body = Json.object().put("workerId", workerId);
        putIfThere(body, "leaseToken", token == null ? null : token.toString());
        return body;
    }

    private static String path(UUID id, String rest) {
        return JOBS + "/" + id + rest;
    }
}
