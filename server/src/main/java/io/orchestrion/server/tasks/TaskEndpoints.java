package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// The endpoints of the tasks door: what the router, the documents and the tests are made from.
public final class TaskEndpoints {
    private TaskEndpoints() {}

    public static final Endpoint CREATE =
            Endpoint.post("createTask", "/v1/tasks")
                    .door(TasksDoor.NAME)
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
                    .door(TasksDoor.NAME)
                    .summary("List tasks (filtered, paginated)")
                    .limit(RateLimits.LIST)
                    .query(
                            oneOf("status", TaskStatus.SHOWN).doc("Only tasks of this status."),
                            text("type")
                                    .length(1, TaskDoorSpecs.TYPE_MAX)
                                    .pattern(TaskDoorSpecs.TYPE_PATTERN)
                                    .doc("Only tasks of this type."),
                            integer("limit")
                                    .range(1, TaskDoorSpecs.LIST_MAX)
                                    .orElse(TaskDoorSpecs.LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor").length(1, 200).doc("nextCursor of the previous page."),
                            oneOf("include", TaskSpecs.OWNED)
                                    .doc(
                                            "owned adds the tasks that engines created for their"
                                                    + " steps. By default they are left out."))
                    .response(200, TaskSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            Endpoint.get("getTask", "/v1/tasks/{id}")
                    .door(TasksDoor.NAME)
                    .summary("Get single task")
                    .limit(RateLimits.GET)
                    .response(200, TaskSpecs.TASK_ANSWER)
                    .errors("task_not_found")
                    .build();

    public static final Endpoint CLAIM =
            Endpoint.post("claimNextTask", "/v1/tasks/claim")
                    .door(TasksDoor.NAME)
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
                    .door(TasksDoor.NAME)
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
                    .request(TaskDoorSpecs.NOTHING)
                    .build();

    private static Endpoint.Builder holder(String name, String verb, String limit, String summary) {
        return Endpoint.post(name, "/v1/tasks/{id}/" + verb)
                .door(TasksDoor.NAME)
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
                .door(TasksDoor.NAME)
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
                            REQUEUE));
}
