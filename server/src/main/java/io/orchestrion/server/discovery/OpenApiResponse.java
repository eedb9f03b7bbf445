package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;

import org.jspecify.annotations.Nullable;

/// An answer of an endpoint's own, under one status.
///
/// @param spec null for an answer that is no declared object
/// @param errors those that come under the same status
record OpenApiResponse(
        Endpoint endpoint, int status, @Nullable ObjectSpec spec, ErrorGroup errors) {

    void write(JsonWriter out) {
        out.text("description", description()).object("headers", this::headers);
        String otherType = endpoint.notes().otherAnswers().get(status);
        if (otherType == null) {
            out.object("content", content -> content.object(Answer.JSON, this::json));
        } else if (spec != null) {
            out.object(
                    "content",
                    content ->
                            content.object(Answer.JSON, this::json)
                                    .object(otherType, OpenApiResponse::text));
        } else if (!otherType.isEmpty()) {
            String type = otherType.endsWith("+json") ? "object" : "string";
            out.object("content", content -> content.object(otherType, each -> of(each, type)));
        }
    }

    private String description() {
        String own = spec == null || spec.doc().isEmpty() ? endpoint.summary() + "." : spec.doc();
        return errors.isEmpty() ? own : own + " " + errors.description();
    }

    private void headers(JsonWriter out) {
        OpenApiComponents.referToHeader(out, OpenApiComponents.REQUEST_ID);
        if (status == 503) {
            OpenApiComponents.referToHeader(out, OpenApiComponents.RETRY_AFTER);
        }
        if (!endpoint.limit().equals(RateLimits.NONE)) {
            OpenApiComponents.RATE_LIMIT.forEach(
                    name -> OpenApiComponents.referToHeader(out, name));
        }
        endpoint.notes()
                .answerHeaders()
                .forEach((name, meaning) -> OpenApiComponents.header(out, name, meaning, "string"));
    }

    private static void text(JsonWriter out) {
        of(out, "string");
    }

    private static void of(JsonWriter out, String type) {
        out.object("schema", schema -> schema.text("type", type));
    }

    private void json(JsonWriter out) {
        if (spec == null) {
            throw new IllegalStateException(endpoint.name() + " declares no " + status);
        }
        if (errors.isEmpty()) {
            out.object("schema", schema -> OpenApiComponents.refer(schema, spec))
                    .raw("example", spec.toExample());
            return;
        }
        out.object(
                        "schema",
                        schema ->
                                schema.array(
                                        "anyOf",
                                        either -> {
                                            either.item(one -> OpenApiComponents.refer(one, spec));
                                            either.item(errors::schema);
                                        }))
                .object(
                        "examples",
                        examples -> {
                            examples.object(spec.name(), one -> one.raw("value", spec.toExample()));
                            errors.examples(examples);
                        });
    }
}
