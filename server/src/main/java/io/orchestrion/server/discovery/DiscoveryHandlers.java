package io.orchestrion.server.discovery;

import io.orchestrion.server.contract.CallerScopes;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/// Serves the documents. Each is made once, because nothing in it changes while a server runs, and
/// when it is first asked for, because making all of them would double the time of a start.
public final class DiscoveryHandlers {
    private static final String KEPT = "max-age=60";
    private static final String MARKDOWN = DiscoveryEndpoints.MARKDOWN + "; charset=utf-8";

    private final Documents documents;

    public DiscoveryHandlers(Facts facts) {
        this.documents = new Documents(facts);
    }

    public Router.Builder addTo(Router.Builder router) {
        json(router, DiscoveryEndpoints.CAPABILITIES, documents::capabilities);
        json(router, DiscoveryEndpoints.TOOL, documents::tool);
        json(router, DiscoveryEndpoints.SCHEMA, documents::openApi);
        json(router, DiscoveryEndpoints.AGENT, documents::agent);
        json(router, DiscoveryEndpoints.AGENT_CARD, documents::agentCard);
        serve(router, DiscoveryEndpoints.LLMS, MARKDOWN, documents::llms);
        return router;
    }

    private static void json(Router.Builder router, Endpoint endpoint, Supplier<byte[]> made) {
        serve(router, endpoint, Answer.JSON, made);
    }

    private static void serve(
            Router.Builder router, Endpoint endpoint, String type, Supplier<byte[]> made) {
        var once = new Once(() -> Document.of(type, CallerScopes.forAnybody(made)));
        router.handle(endpoint, call -> answer(call, once.get()));
    }

    private static final class Once {
        private final Supplier<Document> make;
        private volatile @Nullable Document made;

        Once(Supplier<Document> make) {
            this.make = make;
        }

        /// Two at the same time may both make it; they make the same.
        Document get() {
            Document known = made;
            if (known == null) {
                known = make.get();
                made = known;
            }
            return known;
        }
    }

    private static Answer answer(Call call, Document document) {
        boolean known = call.headers("If-None-Match").stream().anyMatch(document::isNamedBy);
        Answer answer =
                known
                        ? Answer.empty(304)
                        : Answer.of(200, document.contentType(), document.bytes());
        return answer.with("ETag", document.etag()).with("Cache-Control", KEPT);
    }
}
