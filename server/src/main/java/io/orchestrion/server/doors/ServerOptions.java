package io.orchestrion.server.doors;

import io.orchestrion.postgres.PostgresHost;
import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.webhooks.WebhookOptions;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a server is made of beside its kernel.
///
/// @param version of the product, as its answers show it
/// @param limits the rate limits that it publishes and enforces
/// @param billing who takes the money
/// @param host of the embedded database; null for an outside one
/// @param oidc whose tokens workers may show; null for nobody's
/// @param ofDoors what is set of single doors, each by its class
/// @param webhooks how receivers are called
/// @param doors all that are opened
public record ServerOptions(
        HttpOptions http,
        String version,
        RateLimits limits,
        BillingOptions billing,
        @Nullable PostgresHost host,
        @Nullable OidcOptions oidc,
        Map<Class<?>, Object> ofDoors,
        WebhookOptions webhooks,
        List<DoorPlug> doors) {

    public static ServerOptions on(HttpOptions http, String version) {
        return new ServerOptions(
                http,
                version,
                Doors.LIMITS,
                BillingOptions.LOCAL,
                null,
                null,
                Map.of(),
                WebhookOptions.DEFAULT,
                Doors.ALL);
    }

    public ServerOptions withHttp(HttpOptions other) {
        return new ServerOptions(
                other, version, limits, billing, host, oidc, ofDoors, webhooks, doors);
    }

    public ServerOptions withLimits(RateLimits others) {
        return new ServerOptions(
                http, version, others, billing, host, oidc, ofDoors, webhooks, doors);
    }

    public ServerOptions withBilling(BillingOptions other) {
        return new ServerOptions(
                http, version, limits, other, host, oidc, ofDoors, webhooks, doors);
    }

    public ServerOptions withHost(@Nullable PostgresHost other) {
        return new ServerOptions(
                http, version, limits, billing, other, oidc, ofDoors, webhooks, doors);
    }

    public ServerOptions withOidc(@Nullable OidcOptions other) {
        return new ServerOptions(
                http, version, limits, billing, host, other, ofDoors, webhooks, doors);
    }

    /// With what is set of one door, in the place of what was set of the same kind.
    public ServerOptions withDoor(Object others) {
        var all = new HashMap<>(ofDoors);
        all.put(others.getClass(), others);
        return new ServerOptions(
                http, version, limits, billing, host, oidc, Map.copyOf(all), webhooks, doors);
    }

    /// What is set of a door; the default where nothing is.
    public <T> T ofDoor(Class<T> kind, T byDefault) {
        Object set = ofDoors.get(kind);
        return set == null ? byDefault : kind.cast(set);
    }

    /// With other doors, the first of which is the default. Their limits are the published ones.
    public ServerOptions withDoors(List<DoorPlug> others) {
        return new ServerOptions(
                http,
                version,
                Doors.limits(others),
                billing,
                host,
                oidc,
                ofDoors,
                webhooks,
                List.copyOf(others));
    }

    public ServerOptions withWebhooks(WebhookOptions others) {
        return new ServerOptions(
                http, version, limits, billing, host, oidc, ofDoors, others, doors);
    }
}
