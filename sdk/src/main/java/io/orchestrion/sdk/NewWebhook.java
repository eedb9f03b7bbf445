package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.UUID;

/// A webhook to register. Each method returns a changed copy.
///
/// ```java
/// WebhookSecret made = client.webhooks().create(
///         NewWebhook.to(URI.create("https://example.org/hook"), List.of("job.succeeded")));
/// ```
///
/// @param url the address that receives the events
/// @param events names such as `job.succeeded`
/// @param secret `whsec_…`; null to let the server make one
public record NewWebhook(
        URI url,
        List<String> events,
        @Nullable String secret,
        @Nullable String description,
        String idempotencyKey) {
    public NewWebhook {
        events = List.copyOf(events);
        NewTask.checkKey(idempotencyKey);
    }

    public static NewWebhook to(URI url, List<String> events) {
        return new NewWebhook(url, events, null, null, UUID.randomUUID().toString());
    }

    public NewWebhook withSecret(String secret) {
        return new NewWebhook(url, events, secret, description, idempotencyKey);
    }

    public NewWebhook withDescription(String text) {
        return new NewWebhook(url, events, secret, text, idempotencyKey);
    }

    public NewWebhook withIdempotencyKey(String key) {
        return new NewWebhook(url, events, secret, description, key);
    }

    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "NewWebhook[" + url + ", " + events + "]";
    }
}
