package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.DefinitionLimits;
import io.orchestrion.orchestrations.definition.StepType;
import io.orchestrion.orchestrations.execution.AttemptKind;
import io.orchestrion.orchestrations.execution.ExecutionReads;
import io.orchestrion.orchestrations.execution.ExecutionStatus;
import io.orchestrion.orchestrations.execution.StepStatus;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The bodies of the endpoints of executions, in and out.
final class ExecutionSpecs {
    private ExecutionSpecs() {}

    static final int TARGET_TYPE_MAX = 100;
    static final int TARGET_ID_MAX = 200;
    static final int INPUT_BYTES_MAX = 65_536;
    static final int INPUT_DEPTH_MAX = 32;

    static TextField targetType() {
        return text("target_object_type")
                .length(1, TARGET_TYPE_MAX)
                .pattern(OrchestrationSpecs.LINE);
    }

    static TextField targetId() {
        return text("target_object_id").length(1, TARGET_ID_MAX).pattern(OrchestrationSpecs.LINE);
    }

    static TextField stepId() {
        return text("step_id")
                .length(1, DefinitionLimits.STEP_ID_CHARACTERS)
                .pattern("^[A-Za-z0-9_-]*$");
    }

    static final ObjectSpec CREATE =
            ObjectSpec.named("OrchestrationExecutionCreate")
                    .example(
                            "{\"definition_id\":\"01970000-0000-7000-8000-000000000000\","
                                    + "\"target_object_type\":\"invoice\","
                                    + "\"target_object_id\":\"17\",\"input\":{\"amount\":5}}")
                    .required(OrchestrationSpecs.id("definition_id"))
                    .optional(
                            integer("definition_version")
                                    .range(1, Integer.MAX_VALUE)
                                    .doc("Version to execute. Default: the newest published one."))
                    .required(targetType().doc("Kind of the subject, such as invoice."))
                    .required(targetId())
                    .required(
                            any("input")
                                    .maxBytes(INPUT_BYTES_MAX)
                                    .maxDepth(INPUT_DEPTH_MAX)
                                    .doc("Input that fits the definition's input_schema."))
                    .optional(
                            Correlation.id("correlation_id")
                                    .doc(
                                            "Id of the larger whole that this belongs to. Same as"
                                                    + " the header "
                                                    + Correlation.HEADER
                                                    + "."))
                    .optional(
                            text("idempotency_key")
                                    .length(1, Once.KEY_MAX)
                                    .printableAscii()
                                    .doc(
                                            "One key creates at most one execution, for ever. Same"
                                                    + " as the header "
                                                    + Once.KEY_HEADER
                                                    + "."))
                    .optional(
                            OrchestrationSpecs.id("tenant_id")
                                    .doc("Must be the account of the key, if it is sent."));

    static final ObjectSpec REASON =
            ObjectSpec.named("OrchestrationReason").optional(OrchestrationSpecs.reason());

    static final ObjectSpec RETRY =
            ObjectSpec.named("OrchestrationRetry")
                    .example("{\"reason\":\"the service is back\"}")
                    .required(OrchestrationSpecs.reason())
                    .optional(
                            bool("confirm_unsafe")
                                    .doc(
                                            "true says that a step that is not safe to repeat may"
                                                    + " be repeated."));

    private static final ObjectSpec ERROR =
            ObjectSpec.answer("OrchestrationFailure")
                    .required(oneOf("error_class", names(ErrorClass.values())))
                    .required(text("code"))
                    .required(integer("http_status").nullable())
                    .required(text("summary").doc("For people, without secrets."));

    static List<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }

    private static List<String> words(Enum<?>[] values) {
        return names(values).stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    }

    private static ObjectSpec execution(String name, boolean whole) {
        ObjectSpec spec =
                ObjectSpec.answer(name)
                        .required(OrchestrationSpecs.id("execution_id"))
                        .required(OrchestrationSpecs.id("tenant_id").doc("The account."))
                        .required(OrchestrationSpecs.id("definition_id"))
                        .required(integer("definition_version").range(1, Integer.MAX_VALUE))
                        .required(oneOf("status", ExecutionStatus.words()))
                        .required(text("target_object_type"))
                        .required(text("target_object_id"));
        if (whole) {
            spec.required(any("input"))
                    .required(any("output").nullable().doc("Null until it has succeeded."));
        }
        return spec.required(object("error", ERROR).nullable().doc("Why it failed."))
                .required(text("correlation_id"))
                .required(text("idempotency_key"))
                .required(
                        integer("attempt_count")
                                .range(1, Integer.MAX_VALUE)
                                .doc("1, and one more for each manual restart."))
                .required(bool("compensated").doc("Whether the effects of a step were undone."))
                .required(bool("reviewed").doc("Whether a person resolved the failure."))
                .required(instant("started_at"))
                .required(instant("completed_at").nullable());
    }

    static final ObjectSpec STEP = step("OrchestrationStepExecution");

    private static ObjectSpec step(String name) {
        return ObjectSpec.answer(name)
                .required(
                        OrchestrationSpecs.id("step_execution_id")
                                .doc(
                                        "For a task step also the id of the task that a worker"
                                                + " claims."))
                .required(OrchestrationSpecs.id("execution_id"))
                .required(text("step_id"))
                .required(text("name"))
                .required(oneOf("step_type", StepType.words()))
                .required(oneOf("kind", AttemptKind.words()))
                .required(integer("attempt_number").range(1, Integer.MAX_VALUE))
                .required(oneOf("status", StepStatus.words()))
                .required(
                        text("idempotency_key")
                                .doc("Key that is the same for all attempts of the step."))
                .required(oneOf("idempotency_strategy", names(SafeRetry.values())))
                .required(instant("created_at"))
                .required(instant("retry_after_at").nullable())
                .required(instant("started_at").nullable())
                .required(instant("finished_at").nullable())
                .required(instant("deadline_at").nullable())
                .required(oneOf("error_class", names(ErrorClass.values())).nullable())
                .required(text("error_code").nullable())
                .required(integer("error_http_status").nullable())
                .required(text("error_summary").nullable())
                .required(
                        bool("error_overridden")
                                .doc("Whether the definition's error_overrides named the class."))
                .required(any("result").nullable())
                .required(text("logs_ref").nullable())
                .required(any("usage").nullable())
                .required(
                        object("decision")
                                .nullable()
                                .doc("Decision after the end of the attempt, with its inputs."));
    }

    private static final ObjectSpec BLOCKED =
            ObjectSpec.answer("OrchestrationBlocked")
                    .required(oneOf("on", words(ExecutionReads.Blocked.On.values())))
                    .required(OrchestrationSpecs.id("id"))
                    .required(text("step_id").nullable())
                    .required(instant("until").nullable());

    private static final ObjectSpec TRANSITION =
            ObjectSpec.answer("OrchestrationTransition")
                    .required(integer("seq").range(1, Integer.MAX_VALUE))
                    .required(text("event"))
                    .required(oneOf("from", ExecutionStatus.words()).nullable())
                    .required(oneOf("to", ExecutionStatus.words()).nullable())
                    .required(instant("at"))
                    .required(text("actor").doc("engine, or key: followed by the id of a key."))
                    .required(text("reason").nullable())
                    .required(integer("attempt_count").range(1, Integer.MAX_VALUE));

    static final ObjectSpec ANSWER =
            OrchestrationSpecs.answer(execution("OrchestrationExecution", true));

    static final ObjectSpec PAGE =
            OrchestrationSpecs.page(
                    "OrchestrationExecutionPage", execution("OrchestrationExecutionListed", false));

    static final ObjectSpec SEEN =
            OrchestrationSpecs.answer(
                    execution("OrchestrationExecutionSeen", true)
                            .required(
                                    objects("blocked_on", BLOCKED)
                                            .doc("What the execution waits for."))
                            .required(objects("steps", STEP).doc("Attempts, oldest first."))
                            .required(text("steps_next_cursor").nullable())
                            .required(
                                    objects("transitions", TRANSITION)
                                            .doc("Changes of its status, oldest first."))
                            .required(text("transitions_next_cursor").nullable()));

    static final ObjectSpec RETRIED =
            OrchestrationSpecs.answer(
                    execution("OrchestrationExecutionRetried", true)
                            .required(
                                    object("step_execution", STEP)
                                            .nullable()
                                            .doc("The attempt that was started.")));

    static final ObjectSpec STEP_RETRIED =
            OrchestrationSpecs.answer(
                    step("OrchestrationStepRetried")
                            .required(oneOf("execution_status", ExecutionStatus.words())));

    static final ObjectSpec STEP_PAGE = OrchestrationSpecs.page("OrchestrationStepPage", STEP);

    static final ObjectSpec TRANSITION_PAGE =
            OrchestrationSpecs.page("OrchestrationTransitionPage", TRANSITION);
}
