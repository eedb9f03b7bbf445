package io.orchestrion.server.queue;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.itemlog.LogEntry;
import io.orchestrion.kernel.itemlog.LogLevel;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.EventFollow;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;

import java.util.Arrays;
import java.util.List;

/// The log of a job: the lines of its worker, and the changes of the job.
final class JobEventEndpoints {
    private JobEventEndpoints() {}

    static final int PAGE_MAX = 1000;
    static final int PAGE_DEFAULT = 200;
    static final int WAIT_SECONDS_MAX = 30;
    static final int STREAM_SECONDS_MAX = 3600;

    private static final String PATH = QueueEndpoints.JOBS + "/{jobId}/events";
    private static final List<String> LEVELS =
            Arrays.stream(LogLevel.values()).map(LogLevel::word).toList();

    static final ObjectSpec NEW_EVENT =
            ObjectSpec.named("QueueJobEventCreate")
                    .example(
                            "{\"workerId\":\"executor-01\",\"level\":\"info\","
                                    + "\"message\":\"Starting codex execution\","
                                    + "\"payload\":{\"phase\":\"execute\"}}")
                    .required(text("workerId").length(1, QueueSpecs.WORKER_MAX))
                    .required(oneOf("level", LEVELS))
                    .required(text("message").length(1, LogEntry.MESSAGE_CHARS_MAX))
                    .optional(object("payload").maxBytes(LogEntry.PAYLOAD_BYTES_MAX))
                    .optional(QueueSpecs.leaseToken());

    static final ObjectSpec EVENT =
            ObjectSpec.answer("QueueJobEvent")
                    .required(text("id").pattern(QueueSpecs.UUID_PATTERN))
                    .required(text("jobId").pattern(QueueSpecs.UUID_PATTERN))
                    .required(oneOf("level", LEVELS))
                    .required(text("message"))
                    .required(object("payload").nullable())
                    .required(
                            instant("createdAt")
                                    .doc("Later than that of every earlier event of the job."))
                    .required(text("workerId").nullable().doc("Worker that held the job."))
                    .required(
                            oneOf("event", JobHappening.WORDS)
                                    .nullable()
                                    .doc(
                                            "What happened. Null for an event that the worker"
                                                    + " reported."));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("QueueJobEventList")
                    .required(objects("items", EVENT))
                    .required(
                            text("nextCursor")
                                    .doc(
                                            "Cursor for the next request, also when there was no"
                                                    + " event."))
                    .required(bool("hasMore").doc("Whether there are more events."));

    static final Endpoint APPEND =
            Endpoint.post("appendQueueJobEvent", PATH)
                    .door(QueueEndpoints.DOOR)
                    .summary("Append an event to the log of a job that the worker holds")
                    .limit(RateLimits.QUEUE_EVENTS)
                    .scopes("worker")
                    .request(NEW_EVENT)
                    .response(201, EVENT)
                    .errors(
                            "queue_wrong_worker",
                            "queue_job_not_found",
                            "queue_not_the_holder",
                            "queue_wrong_status",
                            "queue_event_log_full",
                            "queue_too_many_events")
                    .build();

    static final Endpoint LIST =
            Endpoint.get("listQueueJobEvents", PATH)
                    .door(QueueEndpoints.DOOR)
                    .summary(
                            "List the events of a job, oldest first, or with Accept:"
                                    + " text/event-stream follow them")
                    .limit(RateLimits.QUEUE_READ)
                    .query(
                            text("after")
                                    .length(1, 100)
                                    .doc(
                                            "Only events later than this: a createdAt, or an"
                                                    + " earlier nextCursor. From the first one by"
                                                    + " default."),
                            integer("limit")
                                    .range(1, PAGE_MAX)
                                    .orElse(PAGE_DEFAULT)
                                    .doc(
                                            "Largest number of events in the answer. It does not"
                                                    + " end a stream."),
                            integer("waitSeconds")
                                    .range(0, WAIT_SECONDS_MAX)
                                    .orElse(0)
                                    .doc("How long to wait for an event when there is none."),
                            integer("seconds")
                                    .range(0, STREAM_SECONDS_MAX)
                                    .orElse(STREAM_SECONDS_MAX)
                                    .doc(
                                            "Time after which a stream ends. 0 sends the existing"
                                                    + " events and ends."))
                    .requestHeader(
                            text(EventFollow.LAST_ID)
                                    .length(1, 100)
                                    .doc("The last id received. It takes precedence over after."))
                    .response(200, LIST_ANSWER)
                    .answers(200, EventFollow.MEDIA_TYPE)
                    .errors("queue_job_not_found")
                    .build();
}
