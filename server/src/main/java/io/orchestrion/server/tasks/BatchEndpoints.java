package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.limits.RateLimits;

import java.util.List;
import java.util.Locale;

/// The verbs on many tasks at once. What each item comes to is in its own result.
public final class BatchEndpoints {
    private BatchEndpoints() {}

    static final String NDJSON = "application/x-ndjson";

    static final Endpoint CREATE =
            Endpoint.post("createTasks", "/v1/tasks/batch")
                    .door(TaskEndpoints.DOOR)
                    .summary("Create up to " + BatchSpecs.ITEMS_MAX + " tasks, or a stream of them")
                    .limit(RateLimits.CREATE)
                    .scopes("producer", "admin")
                    .request(BatchSpecs.CREATE)
                    .maxBodyBytes(BatchSpecs.BODY_BYTES_MAX)
                    .requestHeader(
                            text(Once.KEY_HEADER)
                                    .length(1, Once.KEY_MAX)
                                    .printableAscii()
                                    .doc("The same key with the same batch gives the same tasks."))
                    .requestHeader(Correlation.header())
                    .answerHeader(Once.REPLAYED, "true on a batch sent before.")
                    .response(200, BatchSpecs.CREATED)
                    .answers(200, NDJSON)
                    .errors("idempotency_conflict", "idempotency_in_flight")
                    .build();

    static final Endpoint CLAIM =
            Endpoint.post("claimTasks", "/v1/tasks/batch/claim")
                    .door(TaskEndpoints.DOOR)
                    .summary("Claim up to " + BatchSpecs.CLAIM_MAX + " tasks of a type")
                    .limit(RateLimits.CLAIM)
                    .scopes("worker", "admin")
                    .request(BatchSpecs.CLAIM)
                    .response(200, BatchSpecs.CLAIMED)
                    .answerHeader(Once.REPLAYED, "true on a claim made before.")
                    .errors("max_workers_reached", "lease_expired", "idempotency_conflict")
                    .build();

    static final Endpoint COMPLETE =
            holder("completeTasks", "complete", RateLimits.COMPLETE, BatchSpecs.COMPLETE_ITEM);
    static final Endpoint FAIL = holder("failTasks", "fail", RateLimits.FAIL, BatchSpecs.FAIL_ITEM);
    static final Endpoint HEARTBEAT =
            holder("heartbeatTasks", "heartbeat", RateLimits.HEARTBEAT, BatchSpecs.HEARTBEAT_ITEM);

    private static Endpoint holder(String name, String verb, String limit, ObjectSpec item) {
        return Endpoint.post(name, "/v1/tasks/batch/" + verb)
                .door(TaskEndpoints.DOOR)
                .urgency(Urgency.HOLDER)
                .summary("The verb " + verb + " on several tasks")
                .limit(limit)
                .scopes("worker", "admin")
                .request(BatchSpecs.items(item))
                .maxBodyBytes(BatchSpecs.BODY_BYTES_MAX)
                .response(200, BatchSpecs.HELD)
                .build();
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(CREATE, CLAIM, COMPLETE, FAIL, HEARTBEAT));

    /// Whether its limit is counted by items, which only the handler knows.
    static boolean countsItems(Endpoint endpoint) {
        return CATALOGUE.named(endpoint.name()).isPresent();
    }

    /// Whether the body is a stream of lines rather than one value.
    static boolean comesInLines(Call call) {
        Endpoint endpoint = call.endpoint();
        String type = call.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        return endpoint != null
                && endpoint.name().equals(CREATE.name())
                && type.split(";", 2)[0].strip().equals(NDJSON);
    }
}
