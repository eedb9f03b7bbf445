package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

/// One version of a definition; from [Definitions].
///
/// ```java
/// DefinitionVersion draft = client.orchestrations().definitions().create(document);
/// draft.findings().forEach(each -> System.out.println(each.pointer() + " " + each.message()));
/// ```
///
/// @param id of the definition, the same for all its versions
/// @param status `draft`, `published` or `deprecated`
/// @param findings what its author should know; only in the answer to a change
/// @param json everything that the server says of it
public record DefinitionVersion(
        UUID id, int version, String status, String name, List<Finding> findings, JsonNode json) {
    public DefinitionVersion {
        findings = List.copyOf(findings);
    }

    /// The document as it was sent. A version of a list has none.
    public JsonNode document() {
        return json.path("document");
    }
}
