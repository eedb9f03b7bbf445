package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.orchestrations.definition.Handler;
import io.orchestrion.orchestrations.definition.Route;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.definition.StepType;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;

/// What attempts have given, and what an execution gives in the end.
final class Outputs {
    static final int OUTPUT_MAX_BYTES = 64 * 1024;

    private final Turn turn;
    private final Published published;

    Outputs(Turn turn, Published published) {
        this.turn = turn;
        this.published = published;
    }

    sealed interface Output {}

    /// @param json text
    record Good(@Nullable String json) implements Output {}

    record Bad(StepError error) implements Output {}

    Output of(Execution execution, StepAttempt last) throws SQLException {
        String json;
        try {
            Mapping mapping = published.definition().output();
            json =
                    mapping == null
                            ? last.ended().result()
                            : new StepInputs(turn).evaluate(execution, mapping).toString();
        } catch (NoValue e) {
            return bad(e.error().code(), e.error().message());
        }
        if (json != null && json.getBytes(StandardCharsets.UTF_8).length > OUTPUT_MAX_BYTES) {
            return bad(
                    Codes.OUTPUT_SCHEMA_VIOLATION,
                    "the output is larger than " + OUTPUT_MAX_BYTES + " bytes");
        }
        List<String> faults = published.outputFaults(json == null ? "null" : json);
        return faults.isEmpty()
                ? new Good(json)
                : bad(Codes.OUTPUT_SCHEMA_VIOLATION, String.join("; ", faults));
    }

    private static Bad bad(String code, @Nullable String message) {
        String summary = Redaction.summary(message);
        return new Bad(
                new StepError(
                        ErrorClass.NON_RETRYABLE,
                        code,
                        null,
                        summary == null ? code : summary,
                        false));
    }

    /// Whether a guard has found that the step took effect.
    static boolean guardFoundDone(StepSpec spec, StepAttempt attempt) {
        return attempt.place().kind() == AttemptKind.GUARD
                && said(spec, attempt).path("completed").asBoolean(false);
    }

    /// What a guard says that the step has given.
    static @Nullable String guardResult(StepSpec spec, StepAttempt guard) {
        JsonNode result = said(spec, guard).path("result");
        return result.isMissingNode() ? null : result.toString();
    }

    /// A service says in the body of its answer what a worker says in its result.
    private static JsonNode said(StepSpec spec, StepAttempt guard) {
        JsonNode result = tree(guard);
        return spec.guard() instanceof Handler.HttpHandler ? result.path("body") : result;
    }

    /// Where a decision led; null for other steps.
    static @Nullable Route branchTaken(StepAttempt attempt) {
        return attempt.place().type() == StepType.DECISION
                ? Route.to(tree(attempt).path("next").asString(Route.TERMINAL_WORD))
                : null;
    }

    private static JsonNode tree(StepAttempt attempt) {
        return StoredJson.read(attempt.ended().result());
    }
}
