package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskError;
import io.orchestrion.server.tasks.TaskSpecs;
import io.orchestrion.server.tasks.TermsSpecs;

import java.util.List;

/// The sections of the capabilities document about tasks themselves.
final class TaskSections {
    private static final Profile PROFILE = TaskSpecs.PROFILE;

    private final Facts facts;

    TaskSections(Facts facts) {
        this.facts = facts;
    }

    void lease(JsonWriter out) {
        Profile.Bounds seconds = PROFILE.lease().seconds();
        out.integer("default_duration_seconds", seconds.orElse())
                .integer("min_duration_seconds", seconds.min())
                .integer("max_duration_seconds", seconds.max())
                .text("heartbeat_endpoint", TaskEndpoints.HEARTBEAT.colonPath())
                .text(
                        "recommended_heartbeat_interval",
                        "lease_duration_seconds / " + TaskSpecs.HEARTBEATS_PER_LEASE)
                .integer("expiry_detection_interval_seconds", TaskSpecs.EXPIRY_SEEN_WITHIN_SECONDS)
                .integer(
                        "max_expiry_detection_latency_seconds",
                        TaskSpecs.EXPIRY_SEEN_WITHIN_SECONDS)
                .texts(
                        "notes",
                        List.of(
                                "Lease duration is set by the producer at task creation and is"
                                        + " immutable.",
                                "Heartbeat extends lease_expires_at by lease_duration_seconds.",
                                "Lease authority requires same account + claimed status +"
                                        + " non-expired lease.",
                                "claimed_by is observational metadata only — not used for"
                                        + " authorization.",
                                "A leaseToken from the claim, when sent, must be that of the"
                                        + " current lease."));
    }

    void retry(JsonWriter out) {
        Profile.Bounds attempts = PROFILE.attempts();
        out.integer("default_max_attempts", attempts.orElse())
                .integer("min_max_attempts", attempts.min())
                .integer("max_max_attempts", attempts.max())
                .text("attempt_count_incremented_on", "claim")
                .bool("retry_delay_support", true)
                .text("retry_delay_field", "retry_after_seconds")
                .integer("retry_delay_min", TaskSpecs.RETRY_DELAY_MIN)
                .integer("retry_delay_max", TaskSpecs.RETRY_DELAY_MAX)
                .text(
                        "dead_letter_condition",
                        "attempt_count >= max_attempts on fail or lease expiry")
                .text("requeue_endpoint", TaskEndpoints.REQUEUE.colonPath())
                .bool("requeue_resets_attempt_count", true);
    }

    void idempotency(JsonWriter out) {
        out.texts("supported_on", takingKeys())
                .text("key_header", Once.KEY_HEADER)
                .integer("key_max_length", Once.KEY_MAX)
                .text("key_format", "Printable ASCII (0x20-0x7E)")
                .text("scope", "Per API key + key value")
                .integer("ttl_days", Once.ANSWER_KEPT.toDays())
                .integer("stale_placeholder_recovery_seconds", Once.PLACEHOLDER_STALE.toSeconds())
                .object(
                        "behaviors",
                        behaviors ->
                                behaviors
                                        .text(
                                                "same_key_same_payload",
                                                "Returns cached 201 response")
                                        .text(
                                                "same_key_different_payload",
                                                shown(TaskError.IDEMPOTENCY_CONFLICT))
                                        .text(
                                                "in_flight",
                                                shown(TaskError.IDEMPOTENCY_IN_FLIGHT)
                                                        + " with retry_after_seconds: "
                                                        + TaskSpecs.IN_FLIGHT_WAIT_SECONDS));
    }

    private List<String> takingKeys() {
        return facts.endpoints().stream()
                .filter(
                        endpoint ->
                                endpoint.notes().requestHeaders().stream()
                                        .anyMatch(header -> header.name().equals(Once.KEY_HEADER)))
                .map((Endpoint endpoint) -> endpoint.method() + " " + endpoint.colonPath())
                .toList();
    }

    private static String shown(TaskError error) {
        return error.status() + " " + error.code();
    }

    void fields(JsonWriter out) {
        out.object("required_at_creation", TaskSections::required)
                .object("optional_at_creation", TaskSections::optional)
                .texts("system_managed", TaskSpecs.SYSTEM_MANAGED)
                .object("worker_written", TaskSections::workerWritten);
    }

    private static void required(JsonWriter out) {
        out.object(
                        "type",
                        field ->
                                field.text("type", "string")
                                        .integer("max_length", TaskSpecs.TYPE_MAX)
                                        .text("pattern", "alphanumeric, hyphens, underscores"))
                .object(
                        "payload",
                        field ->
                                field.text("type", "object (JSONB)")
                                        .integer("max_size_bytes", PROFILE.payload().maxBytes())
                                        .integer("max_depth", PROFILE.payload().maxDepth()));
    }

    private static void optional(JsonWriter out) {
        out.object("priority", field -> whole(field, 0, 0, TaskSpecs.PRIORITY_MAX))
                .object("maxAttempts", field -> whole(field, PROFILE.attempts()))
                .object("leaseDurationSeconds", field -> whole(field, PROFILE.lease().seconds()))
                .object(
                        "scheduledAt",
                        field ->
                                field.text("type", "ISO 8601 timestamp")
                                        .text("min", "now()")
                                        .text(
                                                "max",
                                                "now() + "
                                                        + PROFILE.schedule().ahead().toDays()
                                                        + " days"))
                .object(
                        "idempotencyKey",
                        field ->
                                field.text("type", "string")
                                        .integer("max_length", Once.KEY_MAX)
                                        .text("scope", "request-only, not stored on task"))
                .object("concurrencyKey", TaskSections::flowKey)
                .object("rateKey", TaskSections::flowKey)
                .object(
                        "correlationId",
                        field ->
                                field.text("type", "string")
                                        .integer("max_length", Correlation.MAX)
                                        .text("default", "header " + Correlation.HEADER))
                .object(
                        "giveUpAfterSeconds",
                        field ->
                                field.text("type", "integer")
                                        .integer("min", 1)
                                        .integer("max", TaskSpecs.GIVE_UP_MAX.toSeconds()));
        terms(out);
    }

    private static void terms(JsonWriter out) {
        out.object(
                        "dependsOn",
                        field ->
                                field.text("type", "array of task ids")
                                        .integer("max_items", TermsSpecs.PARENTS_MAX)
                                        .text("scope", "tasks of the same account"))
                .object(
                        "onDependencyFailure",
                        field ->
                                field.text("type", "string")
                                        .texts("values", TermsSpecs.RULES)
                                        .text("default", TermsSpecs.RULES.getFirst()))
                .object(
                        "unique",
                        field ->
                                field.text("type", "object: key, states, periodSeconds, onConflict")
                                        .integer("key_max_length", TermsSpecs.UNIQUE_KEY_MAX)
                                        .texts("default_states", TermsSpecs.UNIQUE_STATES)
                                        .integer(
                                                "max_period_seconds",
                                                TermsSpecs.PERIOD_MAX.toSeconds())
                                        .texts("on_conflict", TermsSpecs.CONFLICT_RULES)
                                        .text("scope", "account and type"));
    }

    private static void flowKey(JsonWriter out) {
        out.text("type", "string").integer("max_length", TaskSpecs.FLOW_KEY_MAX);
    }

    private static void whole(JsonWriter out, Profile.Bounds bounds) {
        whole(out, bounds.orElse(), bounds.min(), bounds.max());
    }

    private static void whole(JsonWriter out, int orElse, int min, int max) {
        out.text("type", "integer")
                .integer("default", orElse)
                .integer("min", min)
                .integer("max", max);
    }

    private static void workerWritten(JsonWriter out) {
        out.object(
                        "result",
                        field ->
                                field.text("type", "object (JSONB)")
                                        .integer("max_size_bytes", PROFILE.payload().maxBytes())
                                        .text("set_on", "/complete"))
                .object(
                        "outputId",
                        field ->
                                field.text("type", "string")
                                        .integer("max_length", TaskSpecs.OUTPUT_ID_MAX)
                                        .text("set_on", "/complete")
                                        .text("notes", "OutputLayer artifact reference"))
                .object(
                        "lastFailureReason",
                        field ->
                                field.text("type", "string")
                                        .integer("max_length", TaskSpecs.REASON_MAX)
                                        .text("set_on", "/fail"));
    }

    private record OrderField(String field, String direction, String notes) {}

    private static final OrderField PRIORITY =
            new OrderField("priority", "DESC", "Higher priority claimed first");
    private static final OrderField SCHEDULE =
            new OrderField("scheduled_at", "ASC NULLS FIRST", "NULL (immediate) before future");
    private static final OrderField CREATION =
            new OrderField("created_at", "ASC", "FIFO tiebreaker");

    void claimOrdering(JsonWriter out) {
        List<OrderField> order =
                switch (PROFILE.order()) {
                    case PRIORITY_SCHEDULE_CREATION -> List.of(PRIORITY, SCHEDULE, CREATION);
                    case PRIORITY_CREATION -> List.of(PRIORITY, CREATION);
                    case CREATION -> List.of(CREATION);
                };
        out.text("method", "SELECT ... FOR UPDATE SKIP LOCKED")
                .objects(
                        "order",
                        order,
                        (row, field) ->
                                row.text("field", field.field())
                                        .text("direction", field.direction())
                                        .text("notes", field.notes()))
                .text("scheduled_task_filter", "scheduled_at IS NULL OR scheduled_at <= now()");
    }
}
