package io.orchestrion.server.operations;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints for operations on many tasks at once. For operators: what a producer may do to
/// one task at a time can take away all of them here.
public final class OperationEndpoints {
    private OperationEndpoints() {}

    static final String PATH = "/v1/operations";

    static final Endpoint CREATE =
            operating(
                            Endpoint.post("createOperation", PATH),
                            "too_many_operations",
                            "idempotency_conflict",
                            "idempotency_in_flight")
                    .summary("Cancel, requeue or purge all tasks that match a filter")
                    .request(OperationSpecs.CREATE)
                    .requestHeader(
                            text(Once.KEY_HEADER)
                                    .length(1, Once.KEY_MAX)
                                    .printableAscii()
                                    .doc("As for a task. Ignored on a dry run."))
                    .answerHeader("Location", "The path of the new operation.")
                    .answerHeader(Once.REPLAYED, "true on an answer given before.")
                    .response(200, OperationSpecs.PREVIEW_ANSWER)
                    .response(202, OperationSpecs.ANSWER)
                    .destructive()
                    .build();

    static final Endpoint LIST =
            operating(Endpoint.get("listOperations", PATH))
                    .summary("List the account's operations, newest first")
                    .query(
                            integer("limit")
                                    .range(1, OperationSpecs.LIST_MAX)
                                    .orElse(OperationSpecs.LIST_DEFAULT)
                                    .doc("Largest number of entries in the answer."),
                            text("cursor").length(1, 200).doc("nextCursor of the previous page."))
                    .response(200, OperationSpecs.LIST_ANSWER)
                    .build();

    static final Endpoint GET =
            operating(Endpoint.get("getOperation", PATH + "/{id}"), "operation_not_found")
                    .summary("Get single operation with its progress")
                    .response(200, OperationSpecs.ANSWER)
                    .build();

    static final Endpoint CANCEL =
            operating(
                            Endpoint.post("cancelOperation", PATH + "/{id}/cancel"),
                            "operation_not_found",
                            "invalid_transition")
                    .summary("Stop running operation; what is done stays done")
                    .request(TaskDoorSpecs.NOTHING)
                    .response(200, OperationSpecs.ANSWER)
                    .build();

    private static Endpoint.Builder operating(Endpoint.Builder endpoint, String... errors) {
        return endpoint.door(TasksDoor.NAME)
                .limit(RateLimits.OPERATIONS)
                .scopes("operator", "admin")
                .errors(errors);
    }

    public static final Catalogue CATALOGUE = new Catalogue(List.of(CREATE, LIST, GET, CANCEL));
}
