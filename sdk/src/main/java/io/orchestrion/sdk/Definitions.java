package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/// Definitions of orchestrations, in versions. From [Orchestrations#definitions].
///
/// ```java
/// Definitions definitions = client.orchestrations().definitions();
/// DefinitionVersion draft = definitions.create(document);
/// DefinitionVersion published = definitions.publish(draft.id(), draft.version());
/// ```
///
/// A document is JSON text, by hand or from [io.orchestrion.sdk.definition.Definition]. It is sent
/// as it stands.
///
/// When an answer is lost, the client repeats reads, validate, rewrite, publish and deprecate.
/// Create and add version are sent once.
public final class Definitions {
    static final String DEFINITIONS = Orchestrations.BASE + "/definitions";

    private final Transport transport;

    Definitions(Transport transport) {
        this.transport = transport;
    }

    /// Says all that is wrong with a document, and stores nothing.
    public Validation validate(String document) {
        return transport.send(
                Call.post(DEFINITIONS + "/validate", Json.raw(document)).repeated(true),
                OrchestrationWire::validation);
    }

    /// Makes a definition, whose first version is a draft.
    public DefinitionVersion create(String document) {
        return transport.send(
                Call.post(DEFINITIONS, Json.raw(document)), OrchestrationWire::definition);
    }

    /// A page of definitions, newest first, each with its newest version.
    ///
    /// @param status `draft`, `published` or `deprecated`; null for all
    /// @param name the whole name; null for all
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<DefinitionVersion> list(
            @Nullable String status,
            @Nullable String name,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var asked = Parameters.page(limit, cursor).with("status", status).with("name", name);
        return transport.send(
                Call.get(DEFINITIONS + asked),
                OrchestrationWire.page(OrchestrationWire::definition));
    }

    /// The newest version.
    public DefinitionVersion get(UUID id) {
        return transport.send(Call.get(DEFINITIONS + "/" + id), OrchestrationWire::definition);
    }

    /// One version.
    public DefinitionVersion get(UUID id, int version) {
        return transport.send(Call.get(path(id, version, "")), OrchestrationWire::definition);
    }

    /// A page of the versions of a definition, newest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<DefinitionVersion> versions(
            UUID id, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(versions(id) + Parameters.page(limit, cursor)),
                OrchestrationWire.page(OrchestrationWire::definition));
    }

    /// Replaces the document of a draft.
    public DefinitionVersion rewrite(UUID id, int version, String document) {
        return transport.send(
                Call.put(path(id, version, ""), Json.raw(document)), OrchestrationWire::definition);
    }

    /// Makes a draft of the next version.
    ///
    /// @param document null for a copy of the newest version
    public DefinitionVersion addVersion(UUID id, @Nullable String document) {
        return transport.send(
                Call.post(versions(id), document == null ? null : Json.raw(document)),
                OrchestrationWire::definition);
    }

    /// Publishes a draft: from now on executions can follow it, and nothing of it changes.
    public DefinitionVersion publish(UUID id, int version) {
        return becoming(id, version, "publish", "published");
    }

    /// No new execution follows this version. Those that do go on.
    public DefinitionVersion deprecate(UUID id, int version) {
        return becoming(id, version, "deprecate", "deprecated");
    }

    private DefinitionVersion becoming(UUID id, int version, String verb, String status) {
        return transport.settle(
                Call.post(path(id, version, "/" + verb), Json.object()).repeated(true),
                OrchestrationWire::definition,
                () -> get(id, version),
                now -> now.status().equals(status));
    }

    /// The steps and the ways between them.
    public JsonNode graph(UUID id, int version) {
        return transport.send(Call.get(path(id, version, "/graph?format=json")), json -> json);
    }

    /// The same as a flow chart in Mermaid's language.
    public String mermaid(UUID id, int version) {
        return transport.text(Call.get(path(id, version, "/graph?format=mermaid")));
    }

    /// The JSON Schema of documents.
    public String schema() {
        return transport.text(Call.get(Orchestrations.BASE + "/definition-schema"));
    }

    private static String versions(UUID id) {
        return DEFINITIONS + "/" + id + "/versions";
    }

    private static String path(UUID id, int version, String rest) {
        return versions(id) + "/" + version + rest;
    }
}
