package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.server.billing.PublicAddress;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.webhooks.Webhooks;

/// What doors are opened with: the parts of one server that they share.
///
/// @param egress for engines that call out, and for whoever takes an address from a caller
/// @param schemas for whoever checks documents: what takes long shares a few threads of this node
/// @param address where people reach this server
public record Opening(
        Kernel kernel,
        ServerOptions options,
        Router.Builder router,
        RateLimiter limiter,
        Observer observer,
        Webhooks webhooks,
        Egress egress,
        JsonSchemas schemas,
        PublicAddress address,
        ServerState state) {}
