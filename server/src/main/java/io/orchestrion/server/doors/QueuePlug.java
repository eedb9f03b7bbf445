package io.orchestrion.server.doors;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.door.DoorItems;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.oidc.JwtVerifier;
import io.orchestrion.server.oidc.OidcOptions;
import io.orchestrion.server.queue.JobEventHandlers;
import io.orchestrion.server.queue.JobHolderHandlers;
import io.orchestrion.server.queue.QueueDoor;
import io.orchestrion.server.queue.QueueDoorEvents;
import io.orchestrion.server.queue.QueueEndpoints;
import io.orchestrion.server.queue.QueueErrorForm;
import io.orchestrion.server.queue.QueueGates;
import io.orchestrion.server.queue.QueueHandlers;
import io.orchestrion.server.queue.QueueItems;
import io.orchestrion.server.queue.TokenEndpoints;
import io.orchestrion.server.queue.TokenHandlers;
import io.orchestrion.server.queue.WorkerAuthentication;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// `/api/queue`: jobs for workers that show a token or a key.
final class QueuePlug extends DoorPlug {
    private static final String GROUP = "queue";

    QueuePlug() {
        super(
                QueueEndpoints.DOOR,
                new QueueErrorForm(),
                new QueueDoorEvents(),
                QueueEndpoints.CATALOGUE,
                TokenEndpoints.CATALOGUE);
    }

    @Override
    public List<RateLimit> limits() {
        return RateLimits.OF_QUEUE;
    }

    @Override
    public DoorItems items() {
        return new QueueItems();
    }

    @Override
    public String group(Endpoint endpoint) {
        return GROUP;
    }

    @Override
    public String groupMeaning(String group) {
        return "Everything under /api/queue: jobs for workers with tokens, policies and event"
                + " logs. Its errors are problem documents (RFC 9457).";
    }

    @Override
    public List<Scheme> schemes() {
        return List.of(
                new Scheme(
                        "workerToken",
                        out ->
                                out.text("type", "apiKey")
                                        .text("in", "header")
                                        .text("name", WorkerAuthentication.TOKEN_HEADER)
                                        .text(
                                                "description",
                                                "A worker token, which opens the worker verbs of"
                                                        + " the queue door.")),
                new Scheme(
                        "workerJwt",
                        out ->
                                out.text("type", "http")
                                        .text("scheme", "bearer")
                                        .text("bearerFormat", "JWT")
                                        .text(
                                                "description",
                                                "A token of the configured OIDC issuer, in place of"
                                                        + " a worker token.")));
    }

    @Override
    public boolean takesSchemes(Endpoint endpoint) {
        return QueueEndpoints.forWorkers(endpoint);
    }

    @Override
    public OpenDoor open(Opening opening) {
        Kernel kernel = opening.kernel();
        Router.Builder router = opening.router();
        JwtVerifier jwts = jwts(kernel, opening.options().oidc());
        var authentication =
                new WorkerAuthentication(kernel.identity(), kernel.workerTokens(), jwts);
        router.door(new QueueDoor())
                .gates(name(), QueueGates.of(authentication, opening.limiter()));
        new TokenHandlers(kernel.workerTokens()).addTo(router);
        new QueueHandlers(kernel.work(), kernel.deadLetters()).addTo(router);
        new JobHolderHandlers(kernel.work(), authentication::again).addTo(router);
        new JobEventHandlers(kernel.work(), kernel.itemLogs(), kernel.identity()).addTo(router);
        return jwts == null
                ? OpenDoor.PLAIN
                : new OpenDoor() {
                    @Override
                    public void close() {
                        jwts.close();
                    }
                };
    }

    private static @Nullable JwtVerifier jwts(Kernel kernel, @Nullable OidcOptions oidc) {
        return oidc == null
                ? null
                : new JwtVerifier(
                        oidc, kernel.identity()::exists, kernel.database()::aboutNowMillis);
    }
}
