package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;

import java.util.List;
import java.util.stream.Collectors;

/// The errors that an operation gives under one status. Many operations have the same ones, so each
/// group is described once.
record ErrorGroup(ErrorForm form, List<DoorError> errors) {
    /// What HTTP itself makes necessary at every endpoint of a door.
    static ErrorGroup ofHttp(ErrorForm form) {
        return new ErrorGroup(form, List.of(form.ofHttp()));
    }

    boolean isEmpty() {
        return errors.isEmpty();
    }

    /// Its name among the components.
    String name() {
        return errors.stream()
                .map(DoorError::code)
                .collect(Collectors.joining(".", form.prefix(), ""));
    }

    String description() {
        return errors.stream()
                .map(error -> error.code() + ": " + error.meaning())
                .collect(Collectors.joining(" "));
    }

    void write(JsonWriter out) {
        boolean wait =
                errors.stream().anyMatch(error -> error.status() == 503 || error.status() == 507);
        boolean limited = errors.stream().anyMatch(error -> error.status() == 429);
        out.text("description", description())
                .object(
                        "headers",
                        headers -> {
                            OpenApiComponents.referToHeader(headers, OpenApiComponents.REQUEST_ID);
                            if (wait || limited) {
                                OpenApiComponents.referToHeader(
                                        headers, OpenApiComponents.RETRY_AFTER);
                            }
                            if (limited) {
                                OpenApiComponents.RATE_LIMIT.forEach(
                                        name -> OpenApiComponents.referToHeader(headers, name));
                            }
                        })
                .object("content", content -> content.object(form.mediaType(), this::json));
    }

    private void json(JsonWriter out) {
        out.object("schema", this::schema).object("examples", this::examples);
    }

    void examples(JsonWriter out) {
        for (DoorError error : errors) {
            out.object(
                    error.code(),
                    one ->
                            one.text(
                                    "$ref",
                                    "#/components/examples/" + form.prefix() + error.code()));
        }
    }

    /// The door's error body, with only the codes that can come here.
    void schema(JsonWriter out) {
        List<String> codes = errors.stream().map(DoorError::code).toList();
        out.array(
                "allOf",
                both -> {
                    both.item(one -> OpenApiComponents.refer(one, form.spec()));
                    both.item(one -> one.object("properties", all -> only(all, codes)));
                });
    }

    private void only(JsonWriter out, List<String> codes) {
        out.object(form.codeField(), code -> code.texts("enum", codes));
    }
}
