package io.orchestrion.sdk;

import static io.orchestrion.sdk.QueueWire.each;
import static io.orchestrion.sdk.Wire.idOrNull;
import static io.orchestrion.sdk.Wire.instant;
import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.jsonOrNull;
import static io.orchestrion.sdk.Wire.number;
import static io.orchestrion.sdk.Wire.numberOrNull;
import static io.orchestrion.sdk.Wire.text;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/// Reads answers of `/v1/jobs`, `/v1/clients` and `/v1/webhooks` into records, as [Wire] does for
/// the others.
final class JobsWire {
    private JobsWire() {}

    static SubmittedJob submitted(JsonNode answer) {
        return new SubmittedJob(
                id(answer, "job_id"),
                JobState.of(text(answer, "state")),
                instant(answer, "created_at"));
    }

    static Job job(JsonNode job) {
        JsonNode definition = job.path("definition");
        return new Job(
                id(job, "job_id"),
                text(job, "type"),
                JobState.of(text(job, "state")),
                textOrNull(job, "outcome"),
                instant(job, "created_at"),
                instantOrNull(job, "execution_at"),
                instant(job, "updated_at"),
                (int) number(job, "attempt"),
                textOrNull(job, "callback"),
                definition.isObject() ? definition(definition) : null,
                failure(job.path("failure")));
    }

    private static Job.@Nullable Failure failure(JsonNode failure) {
        return failure.isObject()
                ? new Job.Failure(
                        text(failure, "code"),
                        textOrNull(failure, "message"),
                        failure.path("retryable").booleanValue(false))
                : null;
    }

    private static Job.Definition definition(JsonNode definition) {
        return new Job.Definition(
                text(definition, "work_kind"),
                number(definition, "duration_ms"),
                definition.path("should_fail").booleanValue(false),
                number(definition, "payload_size"));
    }

    static Jobs.Page jobs(JsonNode answer) {
        return new Jobs.Page(
                each(answer, "jobs", JobsWire::job), textOrNull(answer, "next_cursor"));
    }

    static JobAnswer answer(JsonNode answer) {
        Long attempt = numberOrNull(answer, "attempt");
        return new JobAnswer(
                id(answer, "job_id"),
                JobState.of(text(answer, "state")),
                instant(answer, "updated_at"),
                attempt == null ? null : attempt.intValue());
    }

    static JobReport report(JsonNode report) {
        return new JobReport(
                id(report, "job_id"),
                text(report, "outcome"),
                each(report, "events", JobsWire::event),
                instant(report, "started_at"),
                instant(report, "finished_at"),
                number(report, "duration_ms"),
                textOrNull(report, "reason"));
    }

    private static JobReport.Event event(JsonNode event) {
        return new JobReport.Event(
                id(event, "event_id"),
                id(event, "job_id"),
                text(event, "event_name"),
                textOrNull(event, "prev_state"),
                text(event, "next_state"),
                instant(event, "timestamp"),
                jsonOrNull(event, "payload"));
    }

    static List<WorkKind> catalogue(JsonNode answer) {
        return each(
                answer,
                "work_kinds",
                kind ->
                        new WorkKind(
                                text(kind, "name"),
                                number(kind, "duration_ms"),
                                kind.path("should_fail").booleanValue(false),
                                number(kind, "payload_size"),
                                text(kind, "expected"),
                                text(kind, "needs")));
    }

    static ClientKey clientKey(JsonNode answer) {
        return new ClientKey(
                textOrNull(answer, "api_key"),
                id(answer, "key_id"),
                instant(answer, "created_at"),
                instantOrNull(answer, "expires_at"));
    }

    static Webhook webhook(JsonNode webhook) {
        return new Webhook(
                id(webhook, "webhook_id"),
                text(webhook, "url"),
                each(webhook, "events", name -> name.stringValue("")),
                text(webhook, "state"),
                textOrNull(webhook, "reason"),
                textOrNull(webhook, "description"),
                instant(webhook, "created_at"));
    }

    static Webhooks.WebhookPage webhookPage(JsonNode answer) {
        return new Webhooks.WebhookPage(
                each(answer, "webhooks", JobsWire::webhook), textOrNull(answer, "next_cursor"));
    }

    static WebhookSecret webhookSecret(JsonNode answer) {
        return new WebhookSecret(
                id(answer, "webhook_id"),
                instantOrNull(answer, "created_at"),
                textOrNull(answer, "secret"));
    }

    static WebhookPing ping(JsonNode answer) {
        Long status = numberOrNull(answer, "status");
        return new WebhookPing(
                answer.path("delivered").booleanValue(false),
                status == null ? null : status.intValue(),
                textOrNull(answer, "error"),
                number(answer, "duration_ms"));
    }

    static Delivery delivery(JsonNode delivery) {
        List<Delivery.Attempt> attempts =
                delivery.path("attempts").isArray()
                        ? each(delivery, "attempts", JobsWire::attempt)
                        : List.of();
        Long count = numberOrNull(delivery, "attempt_count");
        return new Delivery(
                id(delivery, "delivery_id"),
                idOrNull(delivery, "webhook_id"),
                idOrNull(delivery, "job_id"),
                id(delivery, "event_id"),
                text(delivery, "event_name"),
                textOrNull(delivery, "url"),
                text(delivery, "state"),
                instantOrNull(delivery, "created_at"),
                instantOrNull(delivery, "next_attempt_at"),
                count == null ? attempts.size() : count.intValue(),
                attempts);
    }

    private static Delivery.Attempt attempt(JsonNode attempt) {
        Long status = numberOrNull(attempt, "status");
        return new Delivery.Attempt(
                instant(attempt, "at"),
                status == null ? null : status.intValue(),
                textOrNull(attempt, "error"),
                numberOrNull(attempt, "duration_ms"));
    }

    static Webhooks.DeliveryPage deliveryPage(JsonNode answer) {
        return new Webhooks.DeliveryPage(
                each(answer, "deliveries", JobsWire::delivery), textOrNull(answer, "next_cursor"));
    }

    private static UUID id(JsonNode from, String name) {
        return UUID.fromString(text(from, name));
    }
}
