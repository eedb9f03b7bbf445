package io.orchestrion.server.observe;

import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.door.Callers;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;
import io.orchestrion.server.limits.RateLimits;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;

/// `GET /metrics` on the port of the doors. The numbers are about all accounts, so only a key of
/// the server's own operator opens it. A scraper without a key uses the listener of
/// [MetricsListener].
public final class MetricsHandler {
    public static final Endpoint METRICS =
            Endpoint.get("metrics", "/metrics")
                    .door("tasks")
                    .limit(RateLimits.NONE)
                    .scopes("operator", "admin")
                    .summary(
                            "The metrics of the server in the Prometheus format; for a key of the"
                                    + " account local.")
                    .answers(200, "text/plain")
                    .build();

    public static final Catalogue CATALOGUE = new Catalogue(List.of(METRICS));

    private final Metrics metrics;
    private final BiFunction<Call, String, Answer> refuse;

    /// @param refuse the door's words for a key that is not for this
    public MetricsHandler(Metrics metrics, BiFunction<Call, String, Answer> refuse) {
        this.metrics = metrics;
        this.refuse = refuse;
    }

    public Router.Builder addTo(Router.Builder router) {
        return router.handle(METRICS, this::scrape);
    }

    private Answer scrape(Call call) {
        Principal caller = Callers.caller(call);
        if (!caller.accountId().equals(Identity.LOCAL_ACCOUNT)) {
            return refuse.apply(call, "The metrics are for a key of the account local.");
        }
        String accept = call.header("Accept").orElse(null);
        return Answer.of(
                200,
                Metrics.contentType(accept),
                metrics.scrape(accept).getBytes(StandardCharsets.UTF_8));
    }
}
