package io.orchestrion.testkit;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpHeaders;

/// An answer as a test looks at it.
public record Reply(int status, HttpHeaders headers, String text, JsonNode body) {

    /// By JSON pointer: `/task/id`.
    public JsonNode at(String pointer) {
        return body.at(pointer);
    }

    public String text(String pointer) {
        JsonNode node = at(pointer);
        return node.isMissingNode() || node.isNull() ? "" : node.asString();
    }

    public int number(String pointer) {
        return at(pointer).asInt();
    }

    /// The code of an error; empty where the answer is none. An answer may have an object of this
    /// name.
    public String error() {
        return at("/error").isString() ? text("/error") : "";
    }

    public String header(String name) {
        return headers.firstValue(name).orElse("");
    }
}
