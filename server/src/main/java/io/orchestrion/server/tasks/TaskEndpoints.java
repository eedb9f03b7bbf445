package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.limits.RateLimits;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The endpoints of the tasks door: what the router, the documents and the tests are made from.
public final class TaskEndpoints {
    private TaskEndpoints() {}

    public static final String DOOR = "tasks";

    public static final Endpoint CREATE =
            Endpoint.post("createTask", "/v1/tasks")
                    .door(DOOR)
                    .summary("Create task")
                    .limit(RateLimits.CREATE)
                    .scopes("producer", "admin")
                    .request(TaskSpecs.CREATE)
                    .requestHeader(Once.header())
                    .requestHeader(Correlation.header())
                    .answerHeader("Location", "The path of the new task.")
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .response(201, TaskSpecs.TASK_ANSWER)
                    .response(200, TaskSpecs.EXISTING_ANSWER)
                    .errors(
                            "idempotency_conflict",
                            "idempotency_in_flight",
                            "quota_exceeded",
                            "plan_expired",
                            "unique_conflict",
                            "type_draining")
                    .build();

    static final Endpoint LIST =
            Endpoint.get("listTasks", "/v1/tasks")
                    .door(DOOR)
                    .summary("List tasks (filtered, paginated)")
                    .limit(RateLimits.LIST)
                    .query(
                            oneOf("status", TaskStatus.SHOWN).doc("Only tasks of this status."),
                            text("type")
                                    .length(1, TaskSpecs.TYPE_MAX)
                                    .pattern(TaskSpecs.TYPE_PATTERN)
                                    .doc("Only tasks of this type."),
                            integer("limit")
                                    .range(1, TaskSpecs.LIST_MAX)
                                    .orElse(TaskSpecs.LIST_DEFAULT)
                                    .doc("How many at the most."),
                            text("cursor").length(1, 200).doc("nextCursor of the page before."),
                            oneOf("include", EventSpecs.OWNED)
                                    .doc(
                                            "owned: also the steps that engines made, which are"
                                                    + " left out by default."))
                    .response(200, TaskSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            Endpoint.get("getTask", "/v1/tasks/{id}")
                    .door(DOOR)
                    .summary("Get single task")
                    .limit(RateLimits.GET)
                    .response(200, TaskSpecs.TASK_ANSWER)
                    .errors("task_not_found")
                    .build();

    public static final Endpoint CLAIM =
            Endpoint.post("claimNextTask", "/v1/tasks/claim")
                    .door(DOOR)
                    .summary("Claim next available task by type")
                    .limit(RateLimits.CLAIM)
                    .scopes("worker", "admin")
                    .request(TaskSpecs.CLAIM)
                    .response(200, TaskSpecs.CLAIM_ANSWER)
                    .answerHeader(Once.REPLAYED, "true on a claim made before.")
                    .errors("max_workers_reached", "lease_expired", "idempotency_conflict")
                    .build();

    static final Endpoint CLAIM_THIS =
            Endpoint.post("claimTask", "/v1/tasks/{id}/claim")
                    .door(DOOR)
                    .summary("Claim specific task by ID")
                    .limit(RateLimits.CLAIM_THIS)
                    .scopes("worker", "admin")
                    .request(TaskSpecs.CLAIM_THIS)
                    .response(200, TaskSpecs.CLAIM_ANSWER)
                    .answerHeader(Once.REPLAYED, "true on a claim made before.")
                    .errors(
                            "task_not_found",
                            "task_currently_claimed",
                            "not_yet_claimable",
                            "invalid_transition",
                            "max_workers_reached",
                            "concurrency_limited",
                            "start_rate_limited",
                            "type_paused",
                            "lease_expired",
                            "idempotency_conflict")
                    .build();

    public static final Endpoint COMPLETE =
            holder("completeTask", "complete", RateLimits.COMPLETE, "Complete task with result")
                    .request(TaskSpecs.COMPLETE)
                    .errors(
                            "task_not_found",
                            "invalid_transition",
                            "lease_expired",
                            "lease_revoked",
                            "result_rejected")
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .build();

    public static final Endpoint FAIL =
            holder("failTask", "fail", RateLimits.FAIL, "Fail task (retry or dead-letter)")
                    .request(TaskSpecs.FAIL)
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .build();

    public static final Endpoint HEARTBEAT =
            holder("heartbeatTask", "heartbeat", RateLimits.HEARTBEAT, "Renew lease")
                    .request(TaskSpecs.HEARTBEAT)
                    .build();

    static final Endpoint CANCEL =
            manager(
                            "cancelTask",
                            "cancel",
                            RateLimits.CANCEL,
                            "Cancel pending task",
                            "task_currently_claimed",
                            "managed_task")
                    .request(TaskSpecs.CANCEL)
                    .destructive()
                    .build();

    public static final Endpoint REQUEUE =
            manager(
                            "requeueTask",
                            "requeue",
                            RateLimits.REQUEUE,
                            "Requeue dead-lettered task",
                            "managed_task")
                    .request(TaskSpecs.NOTHING)
                    .build();

    public static final Endpoint HEALTH =
            probe("health", "/health", "Health check with lease job status")
                    .response(200, HealthSpecs.HEALTH)
                    .response(503, HealthSpecs.HEALTH)
                    .build();

    static final Endpoint READY =
            probe("ready", "/ready", "Whether this node takes traffic")
                    .response(200, HealthSpecs.READY)
                    .response(503, HealthSpecs.READY)
                    .build();

    /// Asked by machines every few seconds, most of all when a node is busy: never limited, and
    /// served from reserved capacity.
    private static Endpoint.Builder probe(String name, String path, String summary) {
        return Endpoint.get(name, path)
                .door(DOOR)
                .access(Access.PUBLIC)
                .urgency(Urgency.PROBE)
                .limit(RateLimits.NONE)
                .summary(summary);
    }

    private static Endpoint.Builder holder(String name, String verb, String limit, String summary) {
        return Endpoint.post(name, "/v1/tasks/{id}/" + verb)
                .door(DOOR)
                .urgency(Urgency.HOLDER)
                .summary(summary)
                .limit(limit)
                .scopes("worker", "admin")
                .response(200, TaskSpecs.HOLDER_ANSWER)
                .errors("task_not_found", "invalid_transition", "lease_expired", "lease_revoked");
    }

    private static Endpoint.Builder manager(
            String name, String verb, String limit, String summary, String... others) {
        return Endpoint.post(name, "/v1/tasks/{id}/" + verb)
                .door(DOOR)
                .summary(summary)
                .limit(limit)
                .scopes("producer", "operator", "admin")
                .response(200, TaskSpecs.TASK_ANSWER)
                .errors(
                        Stream.concat(
                                        Stream.of("task_not_found", "invalid_transition"),
                                        Arrays.stream(others))
                                .toArray(String[]::new));
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            CREATE,
                            LIST,
                            GET,
                            CLAIM,
                            CLAIM_THIS,
                            HEARTBEAT,
                            COMPLETE,
                            FAIL,
                            CANCEL,
                            REQUEUE,
                            HEALTH,
                            READY));
}
