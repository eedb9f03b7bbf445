package io.orchestrion.orchestrations.definition;

import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The HTTP request of an external call or a notice. The engine adds the step's key as
/// `Idempotency-Key`.
///
/// @param headers each gives a text, in the order of the document
/// @param body null for the call envelope, or for none where the method has no body
public record CallRequest(String method, Map<String, Mapping> headers, @Nullable Mapping body) {
    public static final List<String> METHODS = List.of("POST", "GET", "PUT", "PATCH", "DELETE");

    public static final CallRequest USUAL = new CallRequest("POST", Map.of(), null);

    Stream<Mapping> mappings() {
        return Stream.concat(headers.values().stream(), Stream.ofNullable(body));
    }

    /// Whether the request carries a body.
    public boolean hasBody() {
        return !method.equals("GET") && (body != null || !method.equals("DELETE"));
    }
}
