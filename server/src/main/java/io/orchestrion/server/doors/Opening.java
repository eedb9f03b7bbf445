package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.server.billing.PublicAddress;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimiter;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.server.webhooks.Webhooks;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// What doors are opened with: the parts of one server that they share.
///
/// @param egress for engines that call out, and for whoever takes an address from a caller
/// @param address where people reach this server
/// @param draining whether the server has begun to stop
/// @param faults the words of `/ready` for what is wrong with doors, known once all are open
public record Opening(
        Kernel kernel,
        ServerOptions options,
        Router.Builder router,
        RateLimiter limiter,
        Observer observer,
        Webhooks webhooks,
        Egress egress,
        PublicAddress address,
        BooleanSupplier draining,
        Supplier<List<String>> faults) {}
