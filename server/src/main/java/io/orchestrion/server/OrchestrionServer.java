package io.orchestrion.server;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Gate;
import io.orchestrion.server.http.HttpServer;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.tasks.CallerScopes;
import io.orchestrion.server.tasks.HealthHandler;
import io.orchestrion.server.tasks.KeyEndpoints;
import io.orchestrion.server.tasks.KeyHandlers;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskGates;
import io.orchestrion.server.tasks.TaskHandlers;
import io.orchestrion.server.tasks.TasksDoor;

import java.time.Duration;
import java.util.List;

/// A kernel behind its doors, listening.
public final class OrchestrionServer implements AutoCloseable {
    private final Kernel kernel;
    private final HttpServer http;

    /// Every endpoint of every door.
    public static final Catalogue CATALOGUE =
            Catalogue.of(List.of(KeyEndpoints.CATALOGUE, TaskEndpoints.CATALOGUE));

    private OrchestrionServer(Kernel kernel, HttpServer http) {
        this.kernel = kernel;
        this.http = http;
    }

    /// Starts listening; the kernel's schema is there, and its own loops are the caller's to
    /// start.
    public static OrchestrionServer start(Kernel kernel, ServerOptions options) {
        var router = Router.of(CATALOGUE, new TasksDoor()).around(CallerScopes::during);
        for (Gate gate : TaskGates.of(kernel.identity())) {
            router.gate(gate);
        }
        new KeyHandlers(kernel.identity(), kernel.keys()).addTo(router);
        new TaskHandlers(kernel.work(), kernel.ids()).addTo(router);
        new HealthHandler(kernel::sweeps, options.version()).addTo(router);
        return new OrchestrionServer(kernel, HttpServer.start(options.http(), router.build()));
    }

    public int port() {
        return http.port();
    }

    public Kernel kernel() {
        return kernel;
    }

    /// No more claims, then no more requests; what is under way ends, within the given time.
    public void drain(Duration atMost) {
        kernel.work().closeClaims();
        http.stop(atMost);
    }

    @Override
    public void close() {
        http.close();
        kernel.close();
    }
}
