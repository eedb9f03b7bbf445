package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.jsonOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.numberOrNull;
import static io.orchestrion.sdk.Wire.text;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/// Reads answers of the queue's door into records, as [Wire] does for the others.
final class QueueWire {
    private static final String REQUEST = "urn:orchestrion:request:";

    private QueueWire() {}

    /// From an answer that is a job, or has one as `job`.
    static QueueJob job(JsonNode answer) {
        JsonNode job = answer.has("job") ? answer.path("job") : answer;
        Long priority = numberOrNull(job, "priority");
        return new QueueJob(
                UUID.fromString(text(job, "id")),
                text(job, "type"),
                JobStatus.of(text(job, "status")),
                priority == null ? 0 : priority.intValue(),
                (int) number(job, "attempt"),
                (int) number(job, "maxAttempts"),
                instantOrNull(job, "nextAttemptAt"),
                jsonOrNull(job, "payload"),
                textOrNull(job, "workerId"),
                instantOrNull(job, "leaseExpiresAt"),
                job.path("cancelRequested").booleanValue(false),
                textOrNull(job, "errorMessage"),
                textOrNull(job, "resultSummary"),
                instant(job, "createdAt"),
                instant(job, "updatedAt"),
                instantOrNull(job, "startedAt"),
                instantOrNull(job, "finishedAt"));
    }

    static Optional<ClaimedJob> claimed(JsonNode answer, JobClaim claim) {
        if (!answer.has("job")) {
            throw new IllegalArgumentException("an answer to a claim has a job");
        }
        JsonNode job = answer.path("job");
        return job.isNull() ? Optional.empty() : Optional.of(claimedItself(job, claim));
    }

    static List<ClaimedJob> allClaimed(JsonNode answer, JobClaim claim) {
        return each(answer, "jobs", job -> claimedItself(job, claim));
    }

    private static ClaimedJob claimedItself(JsonNode job, JobClaim claim) {
        String token = textOrNull(job, "leaseToken");
        return new ClaimedJob(
                job(job),
                claim.workerId(),
                token == null ? null : UUID.fromString(token),
                claim.lease());
    }

    static JobPage jobs(JsonNode answer) {
        return new JobPage(each(answer, "items", QueueWire::job), textOrNull(answer, "nextCursor"));
    }

    static JobEvent event(JsonNode event) {
        return new JobEvent(
                UUID.fromString(text(event, "id")),
                UUID.fromString(text(event, "jobId")),
                JobEventLevel.of(text(event, "level")),
                text(event, "message"),
                jsonOrNull(event, "payload"),
                instant(event, "createdAt"),
                textOrNull(event, "workerId"),
                textOrNull(event, "event"));
    }

    static JobEventPage events(JsonNode answer) {
        return new JobEventPage(
                each(answer, "items", QueueWire::event), textOrNull(answer, "nextCursor"));
    }

    static RequeuedJobs requeued(JsonNode answer) {
        return new RequeuedJobs(
                each(answer, "jobIds", id -> UUID.fromString(id.stringValue(""))),
                answer.path("hasMore").booleanValue(false));
    }

    static WorkerToken token(JsonNode token) {
        return new WorkerToken(
                UUID.fromString(text(token, "id")),
                text(token, "workerId"),
                textOrNull(token, "description"),
                textsOrNull(token, "allowedRepositories"),
                textsOrNull(token, "allowedJobTypes"),
                textsOrNull(token, "capabilities"),
                token.path("isActive").booleanValue(false),
                textOrNull(token, "status"),
                instantOrNull(token, "expiresAt"),
                instantOrNull(token, "lastUsedAt"),
                textOrNull(token, "lastUsedFrom"),
                instantOrNull(token, "createdAt"));
    }

    static CreatedWorkerToken createdToken(JsonNode answer) {
        return new CreatedWorkerToken(text(answer, "token"), token(answer));
    }

    static WorkerTokenPage tokens(JsonNode answer) {
        return new WorkerTokenPage(
                each(answer, "items", QueueWire::token), textOrNull(answer, "nextCursor"));
    }

    /// An error as a problem document.
    static OrchestrionException problem(int status, JsonNode answer, @Nullable Long retryAfter) {
        String instance = textOrNull(answer, "instance");
        boolean retryable = answer.path("retryable").booleanValue(status == 429 || status >= 500);
        return new OrchestrionException(
                text(answer, "code"),
                status,
                text(answer, "detail"),
                instance == null ? null : instance.replaceFirst("^" + REQUEST, ""),
                retryable,
                retryAfter == null
                        ? List.of()
                        : List.of(
                                new NextAction(
                                        "retry_after_wait", true, true, null, null, retryAfter)),
                null);
    }

    static <T> List<T> each(JsonNode answer, String name, Function<JsonNode, T> reader) {
        if (!answer.path(name).isArray()) {
            throw new IllegalArgumentException("the answer lacks the list " + name);
        }
        var list = new ArrayList<T>();
        for (JsonNode item : answer.path(name).values()) {
            list.add(reader.apply(item));
        }
        return list;
    }

    private static @Nullable List<String> textsOrNull(JsonNode from, String name) {
        JsonNode list = from.path(name);
        if (!list.isArray()) {
            return null;
        }
        var texts = new ArrayList<String>();
        for (JsonNode text : list.values()) {
            texts.add(text.stringValue(""));
        }
        return List.copyOf(texts);
    }
}
