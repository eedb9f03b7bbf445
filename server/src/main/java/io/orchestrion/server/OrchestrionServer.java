package io.orchestrion.server;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.discovery.DiscoveryEndpoints;
import io.orchestrion.server.discovery.DiscoveryHandlers;
import io.orchestrion.server.discovery.Facts;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.http.HttpServer;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.tasks.HealthHandler;
import io.orchestrion.server.tasks.KeyHandlers;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskGates;
import io.orchestrion.server.tasks.TaskHandlers;
import io.orchestrion.server.tasks.TasksDoor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// A kernel behind its doors, listening.
public final class OrchestrionServer implements AutoCloseable {
    /// Who takes the money, as the documents name it.
    private static final String PAYMENT_PROVIDER = "PayPal";

    private final Kernel kernel;
    private final HttpServer http;
    private final AtomicBoolean draining;

    /// Every endpoint of every door.
    public static final Catalogue CATALOGUE =
            Catalogue.of(List.of(TaskEndpoints.CATALOGUE, DiscoveryEndpoints.CATALOGUE));

    private OrchestrionServer(Kernel kernel, HttpServer http, AtomicBoolean draining) {
        this.kernel = kernel;
        this.http = http;
        this.draining = draining;
    }

    /// Starts listening; the kernel's schema is there, and its own loops are the caller's to
    /// start.
    public static OrchestrionServer start(Kernel kernel, ServerOptions options) {
        var router = Router.of(CATALOGUE, new TasksDoor());
        for (Gate gate : TaskGates.of(kernel.identity())) {
            router.gate(gate);
        }
        new KeyHandlers(kernel.identity()).addTo(router);
        new TaskHandlers(kernel.work(), kernel.ids()).addTo(router);
        var draining = new AtomicBoolean();
        new HealthHandler(kernel, options.version(), options.dataFolder(), draining::get)
                .addTo(router);
        new DiscoveryHandlers(facts(kernel, options)).addTo(router);
        return new OrchestrionServer(
                kernel, HttpServer.start(options.http(), router.build()), draining);
    }

    private static Facts facts(Kernel kernel, ServerOptions options) {
        return Facts.of(
                CATALOGUE,
                options.limits(),
                kernel.standings().plans(),
                PAYMENT_PROVIDER,
                options.version());
    }

    public int port() {
        return http.port();
    }

    public Kernel kernel() {
        return kernel;
    }

    /// No more claims, then no more requests; what is under way ends, within the given time.
    public void drain(Duration atMost) {
        draining.set(true);
        kernel.work().closeClaims();
        http.stop(atMost);
    }

    @Override
    public void close() {
        http.close();
        kernel.close();
    }
}
