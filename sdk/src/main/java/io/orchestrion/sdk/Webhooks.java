package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Webhooks, which receive what happens to the account's jobs and tasks. From
/// [OrchestrionClient#webhooks]. A receiver checks what arrives with [WebhookSignature].
///
/// ```java
/// WebhookSecret made = client.webhooks().create(
///         NewWebhook.to(URI.create("https://example.org/hook"), List.of("job.succeeded")));
/// WebhookPing answer = client.webhooks().ping(made.webhookId());
/// ```
public final class Webhooks {
    private static final String HOOKS = "/v1/webhooks";

    /// How long a receiver may take. The server calls it while the client waits.
    private static final Duration PING_WAIT = Duration.ofSeconds(30);

    /// The largest page that the server gives.
    static final int PAGE = 200;

    private final Transport transport;

    Webhooks(Transport transport) {
        this.transport = transport;
    }

    /// A page of deliveries, newest first.
    ///
    /// @param nextCursor null on the last page
    public record DeliveryPage(List<Delivery> deliveries, @Nullable String nextCursor) {
        public DeliveryPage {
            deliveries = List.copyOf(deliveries);
        }
    }

    /// Registers a webhook.
    public WebhookSecret create(NewWebhook webhook) {
        ObjectNode body = Json.object().put("url", webhook.url().toString());
        putAll(body, webhook.events());
        putIfThere(body, "secret", webhook.secret());
        putIfThere(body, "description", webhook.description());
        return transport.send(
                Call.post(HOOKS, body).withKey(webhook.idempotencyKey()), JobsWire::webhookSecret);
    }

    record WebhookPage(List<Webhook> webhooks, @Nullable String nextCursor) {}

    /// All webhooks of the account.
    public List<Webhook> list() {
        var all = new ArrayList<Webhook>();
        String cursor = null;
        do {
            var from = new Parameters().with("limit", PAGE).with("cursor", cursor);
            WebhookPage page = transport.send(Call.get(HOOKS + from), JobsWire::webhookPage);
            all.addAll(page.webhooks());
            cursor = page.nextCursor();
        } while (cursor != null);
        return all;
    }

    /// Reads one webhook.
    public Webhook get(UUID id) {
        return transport.send(Call.get(path(id)), JobsWire::webhook);
    }

    /// Pauses a webhook: nothing is sent to it until it is resumed.
    public Webhook pause(UUID id) {
        return transport.send(
                Call.patch(path(id), Json.object().put("paused", true)), JobsWire::webhook);
    }

    /// Resumes a paused webhook.
    public Webhook resume(UUID id) {
        return transport.send(
                Call.patch(path(id), Json.object().put("paused", false)), JobsWire::webhook);
    }

    /// Changes the description, which is for your own lists.
    public Webhook describe(UUID id, String description) {
        return transport.send(
                Call.patch(path(id), Json.object().put("description", description)),
                JobsWire::webhook);
    }

    /// Makes the server call the receiver once with a test event, and returns its answer. Sent
    /// once.
    public WebhookPing ping(UUID id) {
        return transport.send(
                Call.post(path(id) + "/ping", Json.object()).waiting(PING_WAIT), JobsWire::ping);
    }

    /// Replaces the events that the webhook receives.
    public Webhook subscribe(UUID id, List<String> events) {
        ObjectNode body = Json.object();
        putAll(body, events);
        return transport.send(Call.patch(path(id), body), JobsWire::webhook);
    }

    /// Deletes a webhook. Nothing more is sent to it, not even what is waiting.
    ///
    /// @return false if an earlier try, whose answer was lost, has deleted it
    public boolean delete(UUID id) {
        return transport.delete(path(id));
    }

    /// Makes another secret. During the overlap messages are signed with both.
    public WebhookSecret rotateSecret(UUID id, Duration overlap) {
        return rotateSecret(id, overlap, null);
    }

    /// @param secret `whsec_…`; null to let the server make one
    public WebhookSecret rotateSecret(UUID id, Duration overlap, @Nullable String secret) {
        ObjectNode body = Json.object().put("overlap_seconds", overlap.toSeconds());
        putIfThere(body, "secret", secret);
        return transport.send(
                Call.post(path(id) + "/rotate-secret", body), JobsWire::webhookSecret);
    }

    /// @param cursor of the page before; null for the first
    public DeliveryPage deliveries(UUID webhook, @Nullable String cursor) {
        return deliveries(webhook, null, null, cursor);
    }

    /// @param state only those that are `pending`, `delivered` or `failed`; null for all
    /// @param limit 1 to 200; null for the server's default
    /// @param cursor of the page before; null for the first
    public DeliveryPage deliveries(
            UUID webhook,
            @Nullable String state,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var from = Parameters.page(limit, cursor).with("state", state);
        return transport.send(
                Call.get(path(webhook) + "/deliveries" + from), JobsWire::deliveryPage);
    }

    /// Reads one delivery.
    public Delivery delivery(UUID delivery) {
        return transport.send(Call.get(HOOKS + "/deliveries/" + delivery), JobsWire::delivery);
    }

    /// Sends an event once more, whatever became of it.
    public Delivery redeliver(UUID delivery) {
        return transport.send(
                Call.post(HOOKS + "/deliveries/" + delivery + "/redeliver", Json.object()),
                JobsWire::delivery);
    }

    private static void putAll(ObjectNode into, List<String> events) {
        ArrayNode list = into.putArray("events");
        events.forEach(list::add);
    }

    private static String path(UUID id) {
        return HOOKS + "/" + id;
    }
}
