package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.tasks.AgentContract;
import io.orchestrion.server.tasks.KeyEndpoints;
import io.orchestrion.server.tasks.TaskEndpoints;

import java.util.List;

/// The two well-known documents by which an agent that knows only the address finds the rest. Links
/// are paths: a server behind a proxy does not know its own name.
final class AgentDocuments {
    private final Facts facts;

    AgentDocuments(Facts facts) {
        this.facts = facts;
    }

    byte[] manifest() {
        return JsonWriter.object(
                out ->
                        out.text("name", Facts.SERVICE)
                                .text("title", Facts.TITLE)
                                .text("description", Facts.DESCRIPTION)
                                .text("version", AgentContract.VERSION)
                                .text("product_version", facts.productVersion())
                                .object("authentication", Parts::authentication)
                                .objects("links", links(), AgentDocuments::link)
                                .object("agent_contract", Parts.CONTRACT::write));
    }

    private record Link(String rel, Endpoint to) {}

    private static List<Link> links() {
        return List.of(
                new Link("capabilities", DiscoveryEndpoints.CAPABILITIES),
                new Link("tool", DiscoveryEndpoints.TOOL),
                new Link("schema", DiscoveryEndpoints.SCHEMA),
                new Link("registration", KeyEndpoints.REGISTER),
                new Link("health", TaskEndpoints.HEALTH),
                new Link("agent_card", DiscoveryEndpoints.AGENT_CARD),
                new Link("llms", DiscoveryEndpoints.LLMS));
    }

    private static void link(JsonWriter out, Link link) {
        out.text("rel", link.rel())
                .text("method", link.to().method())
                .text("href", link.to().path())
                .text("purpose", link.to().summary());
    }

    /// The card of the Agent2Agent protocol, in its form of version 1.0. The door does not speak
    /// that protocol, under any binding, so the list of interfaces is empty: a client of it finds
    /// the skills, and finds that it has to use the HTTP API for them (decision 28).
    byte[] card() {
        return JsonWriter.object(
                out ->
                        out.text("name", Facts.TITLE)
                                .text(
                                        "description",
                                        Facts.DESCRIPTION
                                                + " It does not speak A2A; call its HTTP API, which"
                                                + " "
                                                + DiscoveryEndpoints.SCHEMA.path()
                                                + " describes.")
                                .array("supportedInterfaces", _ -> {})
                                .text("version", facts.productVersion())
                                .object(
                                        "capabilities",
                                        can ->
                                                can.bool("streaming", false)
                                                        .bool("pushNotifications", false)
                                                        .bool("extendedAgentCard", false))
                                .object("securitySchemes", AgentDocuments::cardScheme)
                                .objects(
                                        "securityRequirements",
                                        List.of(OpenApiComponents.KEY),
                                        AgentDocuments::cardRequirement)
                                .texts("defaultInputModes", List.of("application/json"))
                                .texts("defaultOutputModes", List.of("application/json"))
                                .objects("skills", facts.withAccess(Access.KEY), this::skill)
                                .object("agent_contract", Parts.CONTRACT::write));
    }

    private static void cardScheme(JsonWriter out) {
        out.object(
                OpenApiComponents.KEY,
                scheme ->
                        scheme.object(
                                "httpAuthSecurityScheme",
                                http ->
                                        http.text("scheme", "Bearer")
                                                .text("bearerFormat", Parts.KEY_FORMAT)
                                                .text(
                                                        "description",
                                                        "A key from "
                                                                + KeyEndpoints.REGISTER.path()
                                                                + ".")));
    }

    private static void cardRequirement(JsonWriter out, String scheme) {
        out.object("schemes", all -> all.object(scheme, scopes -> scopes.array("list", _ -> {})));
    }

    private void skill(JsonWriter out, Endpoint endpoint) {
        out.text("id", Parts.toolName(endpoint))
                .text("name", endpoint.summary())
                .text(
                        "description",
                        endpoint.summary()
                                + ": "
                                + endpoint.method()
                                + " "
                                + endpoint.colonPath()
                                + ".")
                .texts("tags", List.of(facts.doorOf(endpoint).group(endpoint)));
    }
}
