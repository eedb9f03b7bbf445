package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ListField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.egress.ReceiverUrl;
import io.orchestrion.server.webhooks.Delivery;
import io.orchestrion.server.webhooks.Receiver.Circuit;
import io.orchestrion.server.webhooks.SigningSecret;
import io.orchestrion.server.webhooks.Webhooks;

import java.util.Arrays;
import java.util.List;

/// The bodies of the webhook endpoints, in and out.
final class WebhookSpecs {
    private WebhookSpecs() {}

    static final int PAGE_MAX = 200;
    static final int PAGE_DEFAULT = 50;
    static final int DESCRIPTION_MAX = 500;
    static final int EVENTS_MAX = 100;
    static final int OVERLAP_DEFAULT_SECONDS = 86_400;

    private static final String ID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$";
    private static final String EXAMPLE_SECRET =
            SigningSecret.PREFIX + "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    static final ObjectSpec CREATE =
            ObjectSpec.named("WebhookCreate")
                    .required(
                            text("url")
                                    .length(1, ReceiverUrl.LENGTH_MAX)
                                    .example("https://example.com/hooks")
                                    .doc(
                                            "URL of the receiver: http or https, at a public"
                                                    + " address. It is resolved and checked again"
                                                    + " before each call."))
                    .required(events())
                    .optional(secret())
                    .optional(description().orElse(""));

    static final ObjectSpec CHANGE =
            ObjectSpec.named("WebhookChange")
                    .doc("What is left out stays as it is.")
                    .optional(events())
                    .optional(description())
                    .optional(
                            bool("paused")
                                    .doc(
                                            "true holds deliveries back. false resumes them, also"
                                                    + " after the server paused them."))
                    .refuse(List.of("url"), "cannot be changed; register another webhook");

    static final ObjectSpec ROTATE =
            ObjectSpec.named("WebhookRotateSecret")
                    .optional(
                            integer("overlap_seconds")
                                    .range(0, Webhooks.OVERLAP_MAX.toSeconds())
                                    .orElse(OVERLAP_DEFAULT_SECONDS)
                                    .doc("How long the earlier secrets sign beside the new one."))
                    .optional(secret());

    private static TextField description() {
        return text("description")
                .length(0, DESCRIPTION_MAX)
                .doc("Description, for your own lists.");
    }

    private static ListField events() {
        return array("events", text("event").length(1, 100).example("job.succeeded"))
                .items(1, EVENTS_MAX)
                .doc(
                        "Names of events: job.… of jobs, task.… of tasks, queue.… of the queue."
                                + " job.failed brings job.timed_out, too, and job.succeeded"
                                + " job.emitted.");
    }

    private static TextField secret() {
        return text("secret")
                .length(SigningSecret.PREFIX.length() + 32, SigningSecret.PREFIX.length() + 88)
                .example(EXAMPLE_SECRET)
                .doc(
                        "Secret that signs deliveries: whsec_ and "
                                + SigningSecret.BYTES_MIN
                                + " to "
                                + SigningSecret.BYTES_MAX
                                + " bytes in base64. Left out, the server creates one.");
    }

    static final ObjectSpec WEBHOOK = webhook("Webhook");

    static final ObjectSpec MADE =
            webhook("WebhookMade")
                    .required(
                            text("secret")
                                    .nullable()
                                    .example(EXAMPLE_SECRET)
                                    .doc(
                                            "Secret that signs deliveries. Shown only here. Null"
                                                    + " when a request is repeated."))
                    .required(
                            text("secret_id")
                                    .nullable()
                                    .doc("Its name in webhook-signature-keys."));

    static final ObjectSpec LIST =
            ObjectSpec.answer("WebhookList")
                    .required(objects("webhooks", WEBHOOK))
                    .required(text("next_cursor").nullable());

    static final ObjectSpec DELETED = ObjectSpec.answer("WebhookDeleted").required(bool("deleted"));

    static final ObjectSpec PINGED =
            ObjectSpec.answer("WebhookPinged")
                    .required(bool("delivered").doc("Whether the receiver answered 2xx."))
                    .required(integer("status").range(100, 999).nullable())
                    .required(
                            text("error").nullable().doc("Reason if the receiver did not answer."))
                    .required(integer("duration_ms").range(0, Long.MAX_VALUE));

    private static ObjectSpec webhook(String name) {
        return ObjectSpec.answer(name)
                .required(text("webhook_id").pattern(ID))
                .required(text("url"))
                .required(array("events", text("event")))
                .required(text("description"))
                .required(
                        oneOf("state", List.of("active", "paused"))
                                .doc("Paused by request, or by the server after long failure."))
                .required(text("reason").nullable().doc("Why it is paused."))
                .required(
                        oneOf(
                                        "circuit",
                                        Arrays.stream(Circuit.values()).map(Circuit::word).toList())
                                .doc(
                                        "Open while calls to the receiver pause after failures in a"
                                            + " row. Half open when the next call tests whether it"
                                            + " has recovered."))
                .required(instant("circuit_open_until").nullable())
                .required(
                        integer("consecutive_failures")
                                .range(0, Integer.MAX_VALUE)
                                .doc("Tries in a row that failed."))
                .required(instant("failing_since").nullable())
                .required(text("last_failure").nullable())
                .required(instant("last_success_at").nullable())
                .required(
                        instant("former_secret_expires_at")
                                .nullable()
                                .doc("Until when a replaced secret signs, too."))
                .required(instant("created_at"))
                .required(instant("updated_at"));
    }

    static final ObjectSpec ATTEMPT =
            ObjectSpec.answer("WebhookAttempt")
                    .required(instant("at"))
                    .required(
                            integer("duration_ms")
                                    .range(0, Long.MAX_VALUE)
                                    .nullable()
                                    .doc("Null while the attempt runs, or if it was cut off."))
                    .required(
                            integer("status")
                                    .range(100, 999)
                                    .nullable()
                                    .doc(
                                            "Status of the receiver's answer. Null if there was"
                                                    + " none."))
                    .required(
                            text("error")
                                    .nullable()
                                    .doc(
                                            "Reason if the receiver did not answer, such as"
                                                    + " RFA_DEPENDENCY_TIMEOUT."))
                    .required(text("detail").nullable())
                    .required(
                            text("response")
                                    .nullable()
                                    .doc(
                                            "The first kilobyte of the answer, unprintables"
                                                    + " replaced."))
                    .required(instant("next_attempt_at").nullable());

    static final ObjectSpec DELIVERY =
            ObjectSpec.answer("WebhookDelivery")
                    .required(text("delivery_id").pattern(ID))
                    .required(text("webhook_id").pattern(ID).nullable().doc("Null for a callback."))
                    .required(text("url"))
                    .required(text("event_id").pattern(ID))
                    .required(text("event_name"))
                    .required(
                            text("job_id").pattern(ID).doc("Job or task that the event is about."))
                    .required(oneOf("state", Delivery.State.WORDS))
                    .required(instant("created_at"))
                    .required(instant("finished_at").nullable())
                    .required(instant("next_attempt_at").nullable())
                    .required(integer("attempt_count").range(0, Integer.MAX_VALUE))
                    .required(integer("max_attempts").range(1, Integer.MAX_VALUE))
                    .required(
                            text("reason")
                                    .nullable()
                                    .doc(
                                            "Why the last attempt failed, or why the delivery was"
                                                    + " canceled. Null once it is delivered."))
                    .required(
                            text("redelivery_of")
                                    .pattern(ID)
                                    .nullable()
                                    .doc("The delivery that it repeats."))
                    .required(objects("attempts", ATTEMPT));

    static final ObjectSpec DELIVERIES =
            ObjectSpec.answer("WebhookDeliveryList")
                    .required(objects("deliveries", DELIVERY))
                    .required(text("next_cursor").nullable());
}
