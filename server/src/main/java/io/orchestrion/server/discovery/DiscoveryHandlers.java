package io.orchestrion.server.discovery;

import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Router;

import java.util.LinkedHashMap;
import java.util.Map;

/// Serves the documents, which are made once: nothing in them changes while a server runs.
public final class DiscoveryHandlers {
    private static final String KEPT = "max-age=60";

    private final Map<Endpoint, Document> documents = new LinkedHashMap<>();

    public DiscoveryHandlers(Facts facts) {
        var made = new Documents(facts);
        json(DiscoveryEndpoints.CAPABILITIES, made.capabilities());
        json(DiscoveryEndpoints.TOOL, made.tool());
        json(DiscoveryEndpoints.SCHEMA, made.openApi());
        json(DiscoveryEndpoints.AGENT, made.agent());
        json(DiscoveryEndpoints.AGENT_CARD, made.agentCard());
        documents.put(
                DiscoveryEndpoints.LLMS,
                Document.of(DiscoveryEndpoints.MARKDOWN + "; charset=utf-8", made.llms()));
    }

    private void json(Endpoint endpoint, byte[] bytes) {
        documents.put(endpoint, Document.of(Answer.JSON, bytes));
    }

    public Router.Builder addTo(Router.Builder router) {
        documents.forEach(
                (endpoint, document) -> router.handle(endpoint, call -> answer(call, document)));
        return router;
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
