package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

/// A check before the handler, such as authentication or a rate limit.
@FunctionalInterface
public interface Gate {
    /// An answer that ends the call, or null to let it through.
    @Nullable Answer check(Call call, Endpoint endpoint);
}
