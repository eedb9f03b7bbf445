package io.orchestrion.sdk.definition;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;

/// A step that is one HTTP request by the server; from [Step#call] and [Step#notice]. The request
/// has the step's key in the header `Idempotency-Key`.
///
/// ```java
/// CallStep book = Step.call("book", URI.create("https://api.example.com/bookings"))
///         .header("X-Order", Value.input("order.id"))
///         .body(Value.object().with("seats", Value.input("seats")))
///         .timeout(Duration.ofMinutes(5))
///         .safeToRetry();
/// ```
public final class CallStep extends LeadingStep<CallStep> {
    CallStep(String type, String id, URI url) {
        super(type, id);
        node.put("handler", Handler.http(url).text());
    }

    @Override
    CallStep self() {
        return this;
    }

    private ObjectNode request() {
        return node.withObject("request");
    }

    /// What the envelope has as `input`; the input of the execution unless set. It is sent unless
    /// there is a [#body].
    public CallStep input(Value input) {
        node.set("input", input.node());
        return this;
    }

    /// `GET`, `POST`, `PUT`, `PATCH` or `DELETE`; `POST` unless set.
    public CallStep method(String method) {
        request().put("method", method);
        return this;
    }

    /// @param value a text, or a [Value] that gives one
    public CallStep header(String name, Object value) {
        request().withObject("headers").set(name, Value.of(value).node());
        return this;
    }

    /// What is sent in place of the envelope.
    public CallStep body(Value body) {
        request().set("body", body.node());
        return this;
    }
}
