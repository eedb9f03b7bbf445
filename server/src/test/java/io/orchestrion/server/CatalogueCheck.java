package io.orchestrion.server;

import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.json.ObjectSpec;
import io.orchestrion.server.tasks.TaskPublished;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;
import io.orchestrion.testkit.SchemaCheck;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Every answer of every test is valid by the types that the catalogue publishes, and an error
/// only if the endpoint says that it can give it.
final class CatalogueCheck implements ResponseCheck {
    private static final Map<ObjectSpec, String> SCHEMAS = new ConcurrentHashMap<>();

    @Override
    public void check(String method, String path, Reply reply) {
        String plain = path.split("\\?", 2)[0];
        String what = method + " " + plain + " " + reply.status();
        if (!reply.header("X-Request-Id").startsWith("req_")) {
            throw new AssertionError(what + " has no X-Request-Id");
        }
        Endpoint endpoint = find(method, plain);
        ObjectSpec published = endpoint == null ? null : endpoint.responses().get(reply.status());
        ObjectSpec spec = published == null ? TaskPublished.ERROR : published;
        SchemaCheck.valid(
                SCHEMAS.computeIfAbsent(spec, ObjectSpec::toJsonSchema), reply.body(), what);
        if (published == null) {
            if (!reply.text("/request_id").equals(reply.header("X-Request-Id"))) {
                throw new AssertionError(what + " names two request ids");
            }
            if (endpoint != null
                    && !endpoint.errors().contains(reply.error())
                    && !TaskPublished.ANYWHERE.contains(reply.error())) {
                throw new AssertionError(what + " gives unpublished " + reply.error());
            }
        }
    }

    /// A literal path beats a parameter under any method, as in the router.
    private static Endpoint find(String method, String path) {
        List<Endpoint> all = OrchestrionServer.CATALOGUE.endpoints();
        boolean literal = all.stream().anyMatch(endpoint -> endpoint.path().equals(path));
        return all.stream()
                .filter(endpoint -> endpoint.method().equals(method))
                .filter(
                        endpoint ->
                                literal
                                        ? endpoint.path().equals(path)
                                        : path.matches(
                                                endpoint.path().replaceAll("\\{[^/]*}", "[^/]+")))
                .findFirst()
                .orElse(null);
    }
}
