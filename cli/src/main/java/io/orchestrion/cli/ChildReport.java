package io.orchestrion.cli;

import io.orchestrion.cli.ChildFiles.Kind;
import io.orchestrion.cli.ChildFiles.Unusable;
import io.orchestrion.sdk.TaskContext;
import io.orchestrion.sdk.TaskFailure;
import io.orchestrion.sdk.TaskReport;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/// What a child has written about its attempt, without its result. A part that cannot be used is
/// left out with a complaint: a mistake in a report must not cost the outcome.
final class ChildReport {
    private static final Set<String> FIELDS =
            Set.of("code", "message", "http_status", "retry_after_seconds", "partial_side_effect");

    private final ChildFiles files;
    private final Consumer<String> complaints;

    ChildReport(ChildFiles files, Consumer<String> complaints) {
        this.files = files;
        this.complaints = complaints;
    }

    /// Hands usage and logs reference to the worker, which sends them with whatever the outcome is.
    void tell(TaskContext context) {
        use(Kind.USAGE, context::usage);
        use(Kind.LOGS_REF, context::logsRef);
    }

    private void use(Kind kind, Consumer<String> taker) {
        String text = read(kind);
        if (text != null) {
            try {
                taker.accept(text);
            } catch (IllegalArgumentException e) {
                complain(kind, String.valueOf(e.getMessage()));
            }
        }
    }

    /// The exit code is what counts, and it says that nothing failed.
    void succeeded() {
        if (read(Kind.ERROR) != null) {
            complaints.accept("error file: not used, because the program ended with exit code 0");
        }
    }

    /// @param known what the worker itself knows of the failure, for all that the child leaves out
    TaskFailure failure(ChildFailure known) {
        ObjectNode said = error();
        return said == null
                ? TaskFailure.of(known.code(), known.reason())
                : failure(said, known.code(), known.reason());
    }

    /// For a child that was ended before it was done; null if the child has reported no error
    /// itself.
    @Nullable TaskFailure whenEnded() {
        ObjectNode said = error();
        return said == null
                ? null
                : failure(said, "given_back", "The program was ended before it was done.");
    }

    private @Nullable ObjectNode error() {
        String text = read(Kind.ERROR);
        if (text == null) {
            return null;
        }
        try {
            if (JsonMapper.shared().readTree(text) instanceof ObjectNode object) {
                return object;
            }
            complain(Kind.ERROR, "not a JSON object");
        } catch (JacksonException e) {
            complain(Kind.ERROR, "not JSON: " + e.getOriginalMessage());
        }
        return null;
    }

    private TaskFailure failure(ObjectNode said, String code, String reason) {
        var unknown = new TreeSet<>(said.propertyNames());
        unknown.removeAll(FIELDS);
        if (!unknown.isEmpty()) {
            complain(Kind.ERROR, "unknown fields: " + String.join(", ", unknown));
        }
        String message = text(said, "message", reason);
        TaskReport.Builder error = named(text(said, "code", code), code, message);
        number(said, "http_status", error::httpStatus);
        number(said, "retry_after_seconds", wait -> error.retryAfter(Duration.ofSeconds(wait)));
        JsonNode partial = said.path("partial_side_effect");
        if (partial.isBoolean()) {
            error.partialSideEffect(partial.booleanValue());
        } else {
            given(partial, "partial_side_effect must be true or false");
        }
        return new TaskFailure(error.build());
    }

    private TaskReport.Builder named(String code, String otherwise, String message) {
        try {
            return TaskReport.failure(code, message);
        } catch (IllegalArgumentException e) {
            complain(Kind.ERROR, String.valueOf(e.getMessage()));
            return TaskReport.failure(otherwise, message);
        }
    }

    private String text(ObjectNode said, String field, String otherwise) {
        JsonNode value = said.path(field);
        if (value.isString() && !value.stringValue().isBlank()) {
            return value.stringValue();
        }
        given(value, field + " must be a text");
        return otherwise;
    }

    private void number(ObjectNode said, String field, Consumer<Integer> taker) {
        JsonNode value = said.path(field);
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            given(value, field + " must be a whole number");
            return;
        }
        try {
            taker.accept(value.intValue());
        } catch (IllegalArgumentException e) {
            complain(Kind.ERROR, String.valueOf(e.getMessage()));
        }
    }

    private void given(JsonNode value, String complaint) {
        if (!value.isMissingNode() && !value.isNull()) {
            complain(Kind.ERROR, complaint);
        }
    }

    private @Nullable String read(Kind kind) {
        try {
            return files.written(kind);
        } catch (Unusable e) {
            complain(kind, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private void complain(Kind kind, String what) {
        complaints.accept(kind.words() + ": " + what + "; reported without it");
    }
}
