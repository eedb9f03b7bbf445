package io.orchestrion.server;

import io.orchestrion.server.billing.BillingOptions;
import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.limits.RateLimits;

/// What a server is made of beside its kernel.
///
/// @param version of the product, as its answers show it
/// @param limits the rate limits that it publishes and enforces
/// @param billing who takes the money
public record ServerOptions(
        HttpOptions http, String version, RateLimits limits, BillingOptions billing) {

    public static ServerOptions on(HttpOptions http, String version) {
        return new ServerOptions(http, version, RateLimits.PUBLISHED, BillingOptions.LOCAL);
    }

    public ServerOptions withLimits(RateLimits others) {
        return new ServerOptions(http, version, others, billing);
    }

    public ServerOptions withBilling(BillingOptions other) {
        return new ServerOptions(http, version, limits, other);
    }
}
