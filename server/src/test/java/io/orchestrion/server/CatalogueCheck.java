package io.orchestrion.server;

import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.discovery.Documents;
import io.orchestrion.server.discovery.Facts;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.PublishedAnswers;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;

/// T-311, S-25: every answer of every test is one that the served OpenAPI document promises for its
/// operation and status; for an error that includes its code.
public final class CatalogueCheck implements ResponseCheck {
    /// As a server with the published limits serves it, which a test of the documents shows.
    public static final byte[] OPENAPI =
            new Documents(Facts.of(Doors.ALL, Doors.LIMITS, Plans.PUBLISHED, "PayPal", "test"))
                    .openApi();

    public static final PublishedAnswers PUBLISHED = new PublishedAnswers(OPENAPI);

    @Override
    public void check(String method, String path, Reply reply) {
        String what = method + " " + path.split("\\?", 2)[0] + " " + reply.status();
        if (!reply.header("X-Request-Id").startsWith("req_")) {
            throw new AssertionError(what + " has no X-Request-Id");
        }
        PUBLISHED.check(method, path, reply);
        if (reply.status() >= 400
                && !reply.error().isEmpty()
                && !reply.text("/request_id").equals(reply.header("X-Request-Id"))) {
            throw new AssertionError(what + " names two request ids");
        }
        if (reply.header("Content-Type").startsWith("application/problem+json")) {
            problem(what, reply);
        }
    }

    /// A problem document says the status of its answer, and names its request.
    private static void problem(String what, Reply reply) {
        if (reply.text().isEmpty()) {
            return;
        }
        if (reply.number("/status") != reply.status()) {
            throw new AssertionError(what + " says another status: " + reply.text());
        }
        String id = reply.header("X-Request-Id");
        String instance = reply.text("/instance");
        if (!instance.equals(id) && !instance.endsWith(":" + id)) {
            throw new AssertionError(what + " names two request ids");
        }
    }
}
