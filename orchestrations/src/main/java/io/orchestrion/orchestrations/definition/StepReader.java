package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Findings;
import io.orchestrion.kernel.document.SchemaReader;
import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepDetails.WaitTime;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;

/// Reads one step.
final class StepReader {
    static final List<String> DECLARATIONS =
            Arrays.stream(SafeRetry.values()).map(Enum::name).toList();
    static final List<String> COMPENSATION = List.of("auto", "manual");

    private final HandlerReader handlers;
    private final DetailsReader details;
    private final @Nullable RetryPolicy usual;

    /// @param usual for steps without a policy of their own
    StepReader(HandlerReader handlers, SchemaReader schemas, @Nullable RetryPolicy usual) {
        this.handlers = handlers;
        this.usual = usual;
        details = new DetailsReader(handlers, schemas);
    }

    /// Null when its type is not known, after a finding.
    @Nullable StepSpec read(Fields fields) {
        String word = fields.word("type", StepType.words());
        if (!fields.has("type")) {
            fields.missing("type", "Add one of " + String.join(", ", StepType.words()) + ".");
        }
        StepType type = word == null ? null : StepType.named(word).orElseThrow();
        StepFields.check(fields, type);
        if (!fields.has("step_id")) {
            fields.missing("step_id", "Add an id that no other step of the definition has.");
        }
        String id = RouteReader.stepId(fields, "step_id");
        String name = fields.requiredLine("name", DefinitionLimits.NAME_CHARACTERS);
        long timeout = fields.requiredWhole("timeout_ms", 1, DefinitionLimits.DURATION_MS);
        RetryPolicy policy = policy(fields);
        Route onFailure = RouteReader.orTerminal(fields, "on_failure");
        Route onTimeout = RouteReader.read(fields, "on_timeout");
        SafeRetry declared = declared(fields);
        Handler guard = handlers.read(fields, "guard_handler");
        Handler compensation = handlers.read(fields, "compensation_handler");
        CompensationPolicy compensated = compensationPolicy(fields);
        Route onSuccess =
                type == StepType.DECISION
                        ? Route.TERMINAL
                        : RouteReader.orTerminal(fields, "on_success");
        if (type == null) {
            return null;
        }
        var step =
                new StepSpec(
                        id == null ? "" : id,
                        name,
                        timeout,
                        policy,
                        declared,
                        input(fields, type),
                        guard,
                        compensation,
                        compensated,
                        onSuccess,
                        onFailure,
                        onTimeout == null ? onFailure : onTimeout,
                        details.read(fields, type));
        together(fields, step);
        return step;
    }

    private RetryPolicy policy(Fields fields) {
        Fields own = fields.object("retry_policy");
        if (own != null) {
            return RetryReader.read(own);
        }
        if (usual == null) {
            fields.findings()
                    .add(
                            DefinitionCode.MISSING_RETRY_POLICY,
                            fields.at("retry_policy"),
                            "The step has no retry_policy, and the definition has none for all.",
                            "Add a retry_policy here, or one for all steps at /policies/retry.");
            return RetryReader.NONE;
        }
        return usual;
    }

    private static SafeRetry declared(Fields fields) {
        if (!fields.has("idempotency_strategy")) {
            fields.findings()
                    .add(
                            DefinitionCode.MISSING_DECLARATION,
                            fields.at("idempotency_strategy"),
                            "The step does not say whether it may be repeated.",
                            "Add one of " + String.join(", ", DECLARATIONS) + ".");
        }
        String word = fields.word("idempotency_strategy", DECLARATIONS);
        // The careful one, for a draft that does not say.
        return word == null ? SafeRetry.NOT_SAFE_TO_RETRY : SafeRetry.valueOf(word);
    }

    private static CompensationPolicy compensationPolicy(Fields fields) {
        return "auto".equals(fields.word("compensation_policy", COMPENSATION))
                ? CompensationPolicy.AUTO
                : CompensationPolicy.MANUAL;
    }

    private static @Nullable Mapping input(Fields fields, StepType type) {
        JsonNode input = fields.get("input");
        return input == null || type == StepType.DECISION || type == StepType.WAIT
                ? null
                : Mapping.read(input, fields.at("input"), ExpressionFindings.to(fields.findings()));
    }

    /// What each field alone does not show.
    private static void together(Fields fields, StepSpec step) {
        Findings findings = fields.findings();
        boolean guarded = step.safeRetry() == SafeRetry.SAFE_TO_RETRY_WITH_GUARD;
        if (guarded && !fields.has("guard_handler")) {
            findings.add(
                    DefinitionCode.MISSING_GUARD,
                    fields.at("guard_handler"),
                    "The step is safe to retry with a guard, and has no guard_handler.",
                    "Add a guard_handler, or declare the step otherwise.");
        }
        if (!guarded && fields.has("guard_handler")) {
            findings.add(
                    DefinitionCode.UNUSED_FIELD,
                    fields.at("guard_handler"),
                    "The guard is never asked.",
                    "Declare the step SAFE_TO_RETRY_WITH_GUARD, or remove the guard.");
        }
        if (fields.has("idempotency_strategy")
                && step.safeRetry() == SafeRetry.NOT_SAFE_TO_RETRY
                && !fields.has("compensation_handler")) {
            findings.add(
                    DefinitionCode.MISSING_COMPENSATION,
                    fields.at("compensation_handler"),
                    "The step is not safe to retry, and nothing undoes it.",
                    "Add a compensation_handler; without one, people have to.");
        }
        if (fields.has("compensation_policy") && !fields.has("compensation_handler")) {
            findings.add(
                    DefinitionCode.UNUSED_FIELD,
                    fields.at("compensation_policy"),
                    "There is no compensation that the policy could be about.",
                    "Add a compensation_handler, or remove the policy.");
        }
        if (step.details() instanceof StepDetails.Wait(WaitTime.For(long duration))
                && duration >= step.timeoutMs()) {
            findings.add(
                    DefinitionCode.TIMEOUT_TOO_SHORT,
                    fields.at("timeout_ms"),
                    "The step times out before its wait is over.",
                    "Make timeout_ms longer than duration_ms.");
        } else if (fields.has("retry_policy")
                && step.timeoutMs() < step.retryPolicy().timeoutMs()) {
            findings.add(
                    DefinitionCode.TIMEOUT_TOO_SHORT,
                    fields.at("timeout_ms"),
                    "The whole step may take less time than one attempt.",
                    "Make timeout_ms at least the timeout_ms of the retry_policy.");
        }
    }
}
