package io.orchestrion.server;

import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/// What a server is made of beside its kernel.
///
/// @param version of the product, as its answers show it
/// @param limits the rate limits that it publishes and enforces
/// @param billing who takes the money
/// @param dataFolder of the embedded database; null for an outside one
public record ServerOptions(
        HttpOptions http,
        String version,
        RateLimits limits,
        BillingOptions billing,
        @Nullable Path dataFolder) {

    public static ServerOptions on(HttpOptions http, String version) {
        return new ServerOptions(http, version, RateLimits.PUBLISHED, BillingOptions.LOCAL, null);
    }

    public ServerOptions withLimits(RateLimits others) {
        return new ServerOptions(http, version, others, billing, dataFolder);
    }

    public ServerOptions withBilling(BillingOptions other) {
        return new ServerOptions(http, version, limits, other, dataFolder);
    }

    public ServerOptions withDataFolder(@Nullable Path folder) {
        return new ServerOptions(http, version, limits, billing, folder);
    }
}
