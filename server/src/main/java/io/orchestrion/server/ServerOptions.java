package io.orchestrion.server;

import io.orchestrion.server.http.HttpOptions;
import io.orchestrion.server.limits.RateLimits;

/// What a server is made of beside its kernel.
///
/// @param version of the product, as its answers show it
/// @param limits the rate limits that it publishes and enforces
public record ServerOptions(HttpOptions http, String version, RateLimits limits) {

    public static ServerOptions on(HttpOptions http, String version) {
        return new ServerOptions(http, version, RateLimits.PUBLISHED);
    }

    public ServerOptions withLimits(RateLimits others) {
        return new ServerOptions(http, version, others);
    }
}
