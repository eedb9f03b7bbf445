package io.orchestrion.server.queue;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.limits.RateLimits;

import java.util.List;

/// The endpoints of the queue door: what the router, the documents and the tests are made from.
public final class QueueEndpoints {
    private QueueEndpoints() {}

    public static final String DOOR = "queue";

    static final String JOBS = "/api/queue/jobs";
    static final String DEAD_LETTERS = "/api/queue/dead-letters";
    static final String ID = "jobId";

    public static final Endpoint ENQUEUE =
            Endpoint.post("enqueueJob", JOBS)
                    .door(DOOR)
                    .summary("Enqueue a job")
                    .limit(RateLimits.QUEUE_CREATE)
                    .scopes("producer", "admin")
                    .request(QueueSpecs.ENQUEUE)
                    .maxBodyBytes(QueueSpecs.ENQUEUE_BODY_BYTES_MAX)
                    .requestHeader(Once.header())
                    .answerHeader("Location", "The path of the new job.")
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .response(201, QueueSpecs.JOB)
                    .errors("queue_idempotency_conflict", "queue_idempotency_in_flight")
                    .build();

    static final Endpoint LIST =
            Endpoint.get("listQueueJobs", JOBS)
                    .door(DOOR)
                    .summary("List jobs, newest first")
                    .limit(RateLimits.QUEUE_READ)
                    .query(oneOf("status", JobStatus.WORDS).doc("Only jobs of this status."))
                    .query(page())
                    .response(200, QueueSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            Endpoint.get("getQueueJob", JOBS + "/{jobId}")
                    .door(DOOR)
                    .summary("Get a job")
                    .limit(RateLimits.QUEUE_READ)
                    .response(200, QueueSpecs.JOB)
                    .errors("queue_job_not_found")
                    .build();

    public static final Endpoint CLAIM =
            Endpoint.post("claimQueueJob", JOBS + "/claim")
                    .door(DOOR)
                    .summary("Claim the next job that the worker's policy allows")
                    .limit(RateLimits.QUEUE_CLAIM)
                    .scopes("worker")
                    .request(QueueSpecs.CLAIM)
                    .response(200, QueueSpecs.CLAIM_ANSWER)
                    .errors("queue_wrong_worker")
                    .build();

    public static final Endpoint HEARTBEAT =
            holder(
                            "heartbeatQueueJob",
                            "heartbeat",
                            "Renew the lease and learn whether a cancel was requested")
                    .limit(RateLimits.QUEUE_HEARTBEAT)
                    .request(QueueSpecs.HEARTBEAT)
                    .build();

    public static final Endpoint COMPLETE =
            holder("completeQueueJob", "complete", "Complete the job")
                    .limit(RateLimits.QUEUE_SETTLE)
                    .request(QueueSpecs.COMPLETE)
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .build();

    public static final Endpoint FAIL =
            holder("failQueueJob", "fail", "Fail the job (retry, failed or dead letter)")
                    .limit(RateLimits.QUEUE_SETTLE)
                    .request(QueueSpecs.FAIL)
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .build();

    static final Endpoint CANCEL =
            manager("cancelQueueJob", "cancel", "Cancel a queued job, or ask its worker to stop")
                    .destructive()
                    .build();

    static final Endpoint REQUEUE =
            manager("requeueQueueJob", "requeue", "Put a dead letter back in the queue").build();

    static final Endpoint DEAD_LETTER_LIST =
            Endpoint.get("listDeadLetters", DEAD_LETTERS)
                    .door(DOOR)
                    .summary("List dead letters, newest first")
                    .limit(RateLimits.QUEUE_READ)
                    .query(page())
                    .response(200, QueueSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint DEAD_LETTER_REQUEUE =
            Endpoint.post("requeueDeadLetters", DEAD_LETTERS + "/requeue")
                    .door(DOOR)
                    .summary("Put dead letters that match a filter back in the queue")
                    .limit(RateLimits.QUEUE_MANAGE)
                    .scopes("operator", "admin")
                    .request(DeadLetterSpecs.REQUEUE)
                    .response(200, DeadLetterSpecs.REQUEUE_ANSWER)
                    .build();

    private static Field[] page() {
        return new Field[] {
            QueueSpecs.type("type").doc("Only jobs of this type."),
            integer("limit")
                    .range(1, QueueSpecs.LIST_MAX)
                    .orElse(QueueSpecs.LIST_DEFAULT)
                    .doc("Largest number of entries in the answer."),
            text("cursor").length(1, 200).doc("nextCursor of the previous page.")
        };
    }

    private static Endpoint.Builder holder(String name, String verb, String summary) {
        return Endpoint.post(name, JOBS + "/{jobId}/" + verb)
                .door(DOOR)
                .urgency(Urgency.HOLDER)
                .summary(summary)
                .scopes("worker")
                .response(200, QueueSpecs.HELD_JOB)
                .errors(
                        "queue_wrong_worker",
                        "queue_job_not_found",
                        "queue_not_the_holder",
                        "queue_lease_expired",
                        "queue_wrong_status");
    }

    private static Endpoint.Builder manager(String name, String verb, String summary) {
        return Endpoint.post(name, JOBS + "/{jobId}/" + verb)
                .door(DOOR)
                .summary(summary)
                .limit(RateLimits.QUEUE_MANAGE)
                .scopes("producer", "operator", "admin")
                .request(QueueSpecs.NOTHING)
                .response(200, QueueSpecs.JOB)
                .errors("queue_job_not_found", "queue_wrong_status");
    }

    /// Whether a worker token or a JWT opens it, within its policy.
    public static boolean forWorkers(Endpoint endpoint) {
        return endpoint.door().equals(DOOR) && endpoint.scopes().contains("worker");
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            ENQUEUE,
                            LIST,
                            GET,
                            CLAIM,
                            HEARTBEAT,
                            COMPLETE,
                            FAIL,
                            CANCEL,
                            REQUEUE,
                            JobEventEndpoints.APPEND,
                            JobEventEndpoints.LIST,
                            DEAD_LETTER_LIST,
                            DEAD_LETTER_REQUEUE));
}
