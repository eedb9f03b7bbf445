package io.orchestrion.server.limits;

import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.server.http.Endpoint;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The pace that each caller may keep at each endpoint. It is looked up only for callers that are
/// told to wait, so that waiting as told never runs into a limit.
public final class Paces {
    private static final Logger LOG = LoggerFactory.getLogger(Paces.class);

    private record Route(String method, Pattern path, String limit, boolean literal) {}

    private final List<Route> routes = new ArrayList<>();
    private final RateLimiter limiter;

    public Paces(Iterable<Endpoint> endpoints, RateLimiter limiter) {
        this.limiter = limiter;
        for (Endpoint endpoint : endpoints) {
            String path = endpoint.path().replaceAll("\\{[^}]*}", "\\\\E[^/]+\\\\Q");
            routes.add(
                    new Route(
                            endpoint.method(),
                            Pattern.compile("\\Q" + path + "\\E"),
                            endpoint.limit(),
                            endpoint.pathParameters().isEmpty()));
        }
        // As the router has it: a literal beats a parameter.
        routes.sort((one, other) -> Boolean.compare(other.literal(), one.literal()));
    }

    public Pace of(@Nullable Principal caller) {
        return (method, path) -> {
            int query = path.indexOf('?');
            String bare = query < 0 ? path : path.substring(0, query);
            for (Route route : routes) {
                if (route.method().equals(method) && route.path().matcher(bare).matches()) {
                    return seconds(route, caller);
                }
            }
            return 0;
        };
    }

    /// The plan of a caller may have to be read from a database that is away, which is what the
    /// answer is about to say: then it says it without a pace.
    private long seconds(Route route, @Nullable Principal caller) {
        try {
            return limiter.paceSeconds(route.limit(), caller);
        } catch (RuntimeException e) {
            LOG.debug("the pace of a caller could not be looked up", e);
            return 0;
        }
    }
}
