package io.orchestrion.server.discovery;

import io.orchestrion.server.http.Answer;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.tasks.TaskError;
import io.orchestrion.server.tasks.TaskSpecs;

import java.util.List;
import java.util.stream.Collectors;

/// The errors that an operation gives under one status. Many operations have the same ones, so each
/// group is described once.
record ErrorGroup(List<TaskError> errors) {
    /// What HTTP itself makes necessary, under statuses of its own: 408, 414, 431, 501, 505.
    static final ErrorGroup OF_HTTP = new ErrorGroup(List.of(TaskError.INVALID_REQUEST));

    boolean isEmpty() {
        return errors.isEmpty();
    }

    /// Its name among the components.
    String name() {
        return errors.stream().map(TaskError::code).collect(Collectors.joining("."));
    }

    String description() {
        return errors.stream()
                .map(error -> error.code() + ": " + error.meaning())
                .collect(Collectors.joining(" "));
    }

    void write(JsonWriter out) {
        boolean wait = errors.stream().anyMatch(error -> error.status() == 503);
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
                .object("content", content -> content.object(Answer.JSON, this::json));
    }

    private void json(JsonWriter out) {
        out.object("schema", this::schema).object("examples", this::examples);
    }

    void examples(JsonWriter out) {
        for (TaskError error : errors) {
            out.object(
                    error.code(), one -> one.text("$ref", "#/components/examples/" + error.code()));
        }
    }

    /// The common error body, with only the codes that can come here.
    void schema(JsonWriter out) {
        List<String> codes = errors.stream().map(TaskError::code).toList();
        out.array(
                "allOf",
                both -> {
                    both.item(one -> OpenApiComponents.refer(one, TaskSpecs.ERROR_ANSWER));
                    both.item(one -> one.object("properties", all -> only(all, codes)));
                });
    }

    private static void only(JsonWriter out, List<String> codes) {
        out.object("error", code -> code.texts("enum", codes));
    }
}
