package io.orchestrion.app;

import io.helidon.webserver.WebServer;
import io.orchestrion.server.ops.Engine;
import io.orchestrion.server.ops.OpenDatabase;
import io.orchestrion.server.ops.Settings;

import java.util.concurrent.Semaphore;

/// Stands in for the engine until the doors are joined to it: answers `/health` and nothing else,
/// so that launcher, start and stop can be tried whole.
final class HealthOnlyEngine implements Engine {
    @Override
    public Running start(OpenDatabase database, Settings settings) {
        var inFlight = new Semaphore(Integer.MAX_VALUE);
        WebServer server =
                WebServer.builder()
                        .host(settings.host())
                        .port(settings.port())
                        .shutdownHook(false)
                        .routing(
                                routes ->
                                        routes.get(
                                                "/health",
                                                (_, answer) -> {
                                                    inFlight.acquireUninterruptibly();
                                                    try {
                                                        answer.send("{\"status\":\"ok\"}");
                                                    } finally {
                                                        inFlight.release();
                                                    }
                                                }))
                        .build()
                        .start();
        return new Running() {
            @Override
            public int port() {
                return server.port();
            }

            @Override
            public String keyFile() {
                return settings.data().resolve("local.key").toString();
            }

            @Override
            public void drain() {
                inFlight.acquireUninterruptibly(Integer.MAX_VALUE);
            }

            @Override
            public void close() {
                server.stop();
            }
        };
    }
}
