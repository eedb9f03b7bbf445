package io.orchestrion.server.orchestrations;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.orchestrations.execution.DeadLetter;
import io.orchestrion.orchestrations.execution.DeadLetters;
import io.orchestrion.orchestrations.execution.ExecutionStatus;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The bodies of the endpoints of dead letters, review and the matrix of errors, in and out.
final class ReviewSpecs {
    private ReviewSpecs() {}

    /// How many dead letters one request may reprocess.
    static final int MANY_MAX = 100;

    static final String FAILED_EXECUTION = "failed_execution";
    static final String COMPENSATION = "compensation";
    static final String DLQ = "dlq";
    static final List<String> KINDS = List.of(FAILED_EXECUTION, COMPENSATION, DLQ);

    static final List<String> REASONS = Arrays.stream(Reason.values()).map(Reason::word).toList();

    static final List<String> ACTIONS =
            Arrays.stream(DeadLetters.Action.values()).map(ReviewSpecs::word).toList();

    private static final List<String> CLASSES = ExecutionSpecs.names(ErrorClass.values());

    static final List<String> REPROCESSED =
            List.of(
                    "reprocessed",
                    "dlq_item_not_found",
                    "invalid_transition",
                    "unsafe_retry",
                    "concurrency_limit");

    static String word(DeadLetters.Action action) {
        return action.name().toLowerCase(Locale.ROOT);
    }

    /// The approval that asks whether a step is to be undone; null where nothing is asked.
    static @Nullable String approval(DeadLetters.@Nullable Seen seen) {
        return seen == null || seen.approval() == null ? null : seen.approval().toString();
    }

    static final ObjectSpec MANY =
            ObjectSpec.named("OrchestrationReprocessMany")
                    .example(
                            "{\"ids\":[\"01970000-0000-7000-8000-000000000000\"],"
                                    + "\"reason\":\"the service is back\"}")
                    .required(array("ids", OrchestrationSpecs.id("id")).items(1, MANY_MAX).unique())
                    .required(OrchestrationSpecs.reason())
                    .optional(
                            bool("confirm_unsafe")
                                    .doc("true also repeats steps that are not safe to repeat."));

    static final ObjectSpec NOTE =
            ObjectSpec.named("OrchestrationNote")
                    .example("{\"note\":\"refunded by hand\"}")
                    .required(OrchestrationSpecs.note());

    private static ObjectSpec letter(String name) {
        return ObjectSpec.answer(name)
                .required(OrchestrationSpecs.id("dlq_id"))
                .required(OrchestrationSpecs.id("execution_id"))
                .required(OrchestrationSpecs.id("definition_id"))
                .required(integer("definition_version").range(1, Integer.MAX_VALUE))
                .required(text("step_id"))
                .required(OrchestrationSpecs.id("step_execution_id").doc("The last attempt."))
                .required(oneOf("reason", REASONS))
                .required(oneOf("status", DeadLetter.Status.words()))
                .required(oneOf("error_class", CLASSES))
                .required(text("error_code"))
                .required(text("error_summary").doc("For people, without secrets."))
                .required(text("correlation_id"))
                .required(
                        text("action_required")
                                .nullable()
                                .doc(
                                        "What a person has to do. Null where nothing needs to be"
                                                + " done."))
                .required(
                        text("compensation")
                                .nullable()
                                .doc("Result of the compensation. Null where none is needed."))
                .required(
                        OrchestrationSpecs.id("approval_id")
                                .nullable()
                                .doc(
                                        "Id of the approval that asks whether to undo the step."
                                                + " Null where nothing is asked."))
                .required(instant("created_at"))
                .required(instant("closed_at").nullable())
                .required(text("closed_by").nullable())
                .required(text("note").nullable())
                .required(
                        array("actions", oneOf("action", ACTIONS))
                                .doc("Actions that are possible now."));
    }

    static final ObjectSpec LETTER = OrchestrationSpecs.answer(letter("OrchestrationDeadLetter"));

    static final ObjectSpec LETTER_PAGE =
            OrchestrationSpecs.page(
                    "OrchestrationDeadLetterPage", letter("OrchestrationDeadLetterListed"));

    static final ObjectSpec HANDLED =
            OrchestrationSpecs.answer(
                    letter("OrchestrationDeadLetterHandled")
                            .required(
                                    object("step_execution", ExecutionSpecs.STEP)
                                            .nullable()
                                            .doc("The attempt that was started."))
                            .required(oneOf("execution_status", ExecutionStatus.words())));

    static final ObjectSpec MANY_HANDLED =
            OrchestrationSpecs.answer(
                    ObjectSpec.answer("OrchestrationReprocessedMany")
                            .required(
                                    objects(
                                            "items",
                                            ObjectSpec.answer("OrchestrationReprocessed")
                                                    .required(OrchestrationSpecs.id("dlq_id"))
                                                    .required(oneOf("result", REPROCESSED))
                                                    .required(text("message").nullable()))));

    private static ObjectSpec entry(String name) {
        return ObjectSpec.answer(name)
                .required(
                        OrchestrationSpecs.id("review_id")
                                .doc("Of the dead letter, or of the execution."))
                .required(oneOf("kind", KINDS))
                .required(OrchestrationSpecs.id("execution_id"))
                .required(OrchestrationSpecs.id("definition_id"))
                .required(integer("definition_version").range(1, Integer.MAX_VALUE))
                .required(text("step_id").nullable())
                .required(oneOf("reason", REASONS).nullable())
                .required(oneOf("error_class", CLASSES).nullable())
                .required(text("error_code").nullable())
                .required(text("error_summary").nullable())
                .required(text("correlation_id"))
                .required(text("action_required").nullable())
                .required(text("compensation").nullable())
                .required(
                        OrchestrationSpecs.id("approval_id")
                                .nullable()
                                .doc(
                                        "Id of the approval that asks whether to undo the step."
                                                + " Null where nothing is asked."))
                .required(instant("created_at"))
                .required(array("actions", oneOf("action", ACTIONS)));
    }

    static final ObjectSpec ENTRY = OrchestrationSpecs.answer(entry("OrchestrationReview"));

    static final ObjectSpec ENTRY_PAGE =
            OrchestrationSpecs.page("OrchestrationReviewPage", entry("OrchestrationReviewListed"));

    private static final ObjectSpec ROW =
            ObjectSpec.answer("OrchestrationMatrixRow")
                    .required(text("code").nullable())
                    .required(integer("http_status").nullable())
                    .required(oneOf("error_class", CLASSES))
                    .required(
                            oneOf("error_class_when_not_safe", CLASSES)
                                    .doc("Of a step that is NOT_SAFE_TO_RETRY."))
                    .required(bool("retried"))
                    .required(text("meaning"));

    private static final ObjectSpec CLASS =
            ObjectSpec.answer("OrchestrationMatrixClass")
                    .required(oneOf("error_class", CLASSES))
                    .required(bool("retried").doc("By a policy that names it."))
                    .required(
                            integer("delay_factor")
                                    .range(1, Integer.MAX_VALUE)
                                    .doc("Factor for the delay of the retry policy."))
                    .required(text("behaviour"));

    static final ObjectSpec MATRIX =
            OrchestrationSpecs.answer(
                    ObjectSpec.answer("OrchestrationRetryMatrix")
                            .required(
                                    objects("rows", ROW)
                                            .doc(
                                                    "A code decides before an HTTP status does;"
                                                            + " partial_side_effect before both."))
                            .required(objects("classes", CLASS))
                            .required(
                                    oneOf("otherwise", CLASSES)
                                            .doc("Class of an error that no row matches.")));
}
