package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.webhooks.Delivery;

import java.util.Arrays;
import java.util.List;

/// Webhooks of all doors, in the words of the jobs door.
public final class WebhookEndpoints {
    private WebhookEndpoints() {}

    private static final String ROOT = "/v1/webhooks";
    private static final String ONE = ROOT + "/{webhook_id}";
    private static final String DELIVERY_PATH = ROOT + "/deliveries/{delivery_id}";

    static final Endpoint CREATE =
            managing(
                            Endpoint.post("createWebhook", ROOT),
                            JobsError.JOB_VALIDATION_FAILED,
                            JobsError.WEBHOOK_NOT_FOUND,
                            JobsError.WEBHOOK_CONFLICT,
                            JobsError.EXEC_IDEMPOTENCY_CONFLICT,
                            JobsError.EXEC_IDEMPOTENCY_IN_FLIGHT)
                    .summary("Register a webhook for events of jobs, tasks or the queue")
                    .requestHeader(Once.header())
                    .request(WebhookSpecs.CREATE)
                    .response(201, WebhookSpecs.MADE)
                    .answerHeader(Once.REPLAYED, "true when the request was sent before")
                    .build();

    static final Endpoint LIST =
            managing(Endpoint.get("listWebhooks", ROOT), JobsError.JOB_VALIDATION_FAILED)
                    .summary("List webhooks, newest first")
                    .query(limit(), cursor())
                    .response(200, WebhookSpecs.LIST)
                    .build();

    static final Endpoint GET =
            managing(Endpoint.get("getWebhook", ONE), JobsError.WEBHOOK_NOT_FOUND)
                    .summary("Get a webhook with its state and recent failures")
                    .response(200, WebhookSpecs.WEBHOOK)
                    .build();

    static final Endpoint CHANGE =
            managing(
                            Endpoint.patch("changeWebhook", ONE),
                            JobsError.JOB_VALIDATION_FAILED,
                            JobsError.WEBHOOK_NOT_FOUND,
                            JobsError.WEBHOOK_CONFLICT)
                    .summary("Pause or resume a webhook, or change its events")
                    .request(WebhookSpecs.CHANGE)
                    .response(200, WebhookSpecs.WEBHOOK)
                    .build();

    static final Endpoint DELETE =
            managing(Endpoint.delete("deleteWebhook", ONE), JobsError.WEBHOOK_NOT_FOUND)
                    .summary("Delete a webhook; its waiting deliveries are dropped")
                    .response(200, WebhookSpecs.DELETED)
                    .destructive()
                    .build();

    static final Endpoint ROTATE =
            managing(
                            Endpoint.post("rotateWebhookSecret", ONE + "/rotate-secret"),
                            JobsError.JOB_VALIDATION_FAILED,
                            JobsError.WEBHOOK_NOT_FOUND,
                            JobsError.WEBHOOK_CONFLICT)
                    .summary("Give a webhook a new secret; the former one also signs for a while")
                    .request(WebhookSpecs.ROTATE)
                    .response(200, WebhookSpecs.MADE)
                    .build();

    static final Endpoint PING =
            managing(
                            Endpoint.post("pingWebhook", ONE + "/ping"),
                            JobsError.WEBHOOK_NOT_FOUND,
                            JobsError.DEPENDENCY_TIMEOUT,
                            JobsError.REQUEST_OVERLOADED)
                    .summary("Call a webhook once with a test event and say what it answered")
                    .response(200, WebhookSpecs.PINGED)
                    .build();

    static final Endpoint DELIVERIES =
            managing(
                            Endpoint.get("listWebhookDeliveries", ONE + "/deliveries"),
                            JobsError.JOB_VALIDATION_FAILED,
                            JobsError.WEBHOOK_NOT_FOUND)
                    .summary("List what was delivered to a webhook and how, newest first")
                    .query(
                            limit(),
                            cursor(),
                            oneOf("state", Delivery.State.WORDS).doc("Only in this state."))
                    .response(200, WebhookSpecs.DELIVERIES)
                    .build();

    static final Endpoint DELIVERY =
            managing(
                            Endpoint.get("getWebhookDelivery", DELIVERY_PATH),
                            JobsError.DELIVERY_NOT_FOUND)
                    .summary("Get a delivery with its attempts")
                    .response(200, WebhookSpecs.DELIVERY)
                    .build();

    static final Endpoint REDELIVER =
            managing(
                            Endpoint.post("redeliverWebhook", DELIVERY_PATH + "/redeliver"),
                            JobsError.DELIVERY_NOT_FOUND)
                    .summary("Send a delivery again, with the same event id and body")
                    .response(202, WebhookSpecs.DELIVERY)
                    .build();

    static final Endpoint OF_JOB =
            managing(
                            Endpoint.get("listJobDeliveries", "/v1/jobs/{job_id}/deliveries"),
                            JobsError.JOB_VALIDATION_FAILED,
                            JobsError.JOB_NOT_FOUND)
                    .summary("List what was delivered of a job, to its callback and to webhooks")
                    .query(limit(), cursor())
                    .response(200, WebhookSpecs.DELIVERIES)
                    .build();

    private static Field limit() {
        return integer("limit")
                .range(1, WebhookSpecs.PAGE_MAX)
                .orElse(WebhookSpecs.PAGE_DEFAULT)
                .doc("Largest number of entries in the answer.");
    }

    private static Field cursor() {
        return text("cursor").length(1, 200).doc("next_cursor of the previous page.");
    }

    private static Endpoint.Builder managing(Endpoint.Builder endpoint, JobsError... errors) {
        return endpoint.door(JobsDoor.NAME)
                .limit(JobsLimits.JOBS)
                .scopes("producer", "operator", "admin")
                .errors(Arrays.stream(errors).map(JobsError::code).toArray(String[]::new));
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(
                    List.of(
                            CREATE,
                            LIST,
                            GET,
                            CHANGE,
                            DELETE,
                            ROTATE,
                            PING,
                            DELIVERIES,
                            DELIVERY,
                            REDELIVER,
                            OF_JOB));
}
