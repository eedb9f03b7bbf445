package io.orchestrion.server.operations;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.bulk.Bulk;
import io.orchestrion.kernel.bulk.BulkAction;
import io.orchestrion.kernel.bulk.BulkPreview;
import io.orchestrion.kernel.bulk.BulkState;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.tasks.TaskStatus;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// The bodies of the operation endpoints, in and out.
final class OperationSpecs {
    private OperationSpecs() {}

    static final int LIST_MAX = 100;
    static final int LIST_DEFAULT = 50;
    static final int REASON_MAX = 500;

    private static final List<String> ACTIONS =
            Arrays.stream(BulkAction.values()).map(BulkAction::word).toList();
    private static final List<String> STATES =
            Arrays.stream(BulkState.values()).map(BulkState::word).toList();

    /// The statuses that an action is for.
    static Set<TaskStatus> statuses(BulkAction action) {
        return switch (action) {
            case CANCEL -> Set.of(TaskStatus.PENDING);
            case REQUEUE -> Set.of(TaskStatus.DEAD_LETTER);
            case PURGE ->
                    Set.of(TaskStatus.COMPLETED, TaskStatus.DEAD_LETTER, TaskStatus.CANCELLED);
        };
    }

    static final ObjectSpec FILTER =
            conditions(ObjectSpec.named("OperationFilter"))
                    .doc(
                            "Which tasks: those that fit all that is given, and at least one"
                                    + " condition must be.");

    private static ObjectSpec conditions(ObjectSpec filter) {
        return filter.optional(
                        oneOf("status", TaskStatus.WORDS)
                                .doc(
                                        "Only tasks of this status. The action must apply to it."
                                                + " Default: every status to which the action"
                                                + " applies."))
                .optional(
                        text("type")
                                .length(1, TaskDoorSpecs.TYPE_MAX)
                                .pattern(TaskDoorSpecs.TYPE_PATTERN)
                                .doc("Only tasks of this type."))
                .optional(instant("createdBefore").doc("Only tasks created earlier."))
                .optional(instant("createdAfter").doc("Only tasks created then or later."))
                .optional(instant("finishedBefore").doc("Only tasks that ended earlier."))
                .optional(
                        array("ids", text("id").pattern(TaskDoorSpecs.UUID_PATTERN))
                                .items(1, Bulk.IDS_MAX)
                                .doc("Only these tasks."))
                .optional(
                        text("reasonContains")
                                .length(1, TaskDoorSpecs.REASON_MAX)
                                .doc(
                                        "Only tasks whose lastFailureReason contains exactly this"
                                                + " text."));
    }

    static final ObjectSpec CREATE =
            ObjectSpec.named("OperationCreate")
                    .example(
                            "{\"action\":\"requeue\",\"filter\":{\"type\":\"summarize\","
                                    + "\"reasonContains\":\"timeout\"},\"dryRun\":true}")
                    .required(oneOf("action", ACTIONS).doc("What is done to each task."))
                    .required(object("filter", FILTER))
                    .optional(
                            integer("max")
                                    .range(1, Bulk.ITEMS_MAX)
                                    .orElse(Bulk.ITEMS_MAX)
                                    .doc("Largest number of tasks that the operation may change."))
                    .optional(
                            bool("dryRun")
                                    .orElse(false)
                                    .doc("Only report which tasks match. Nothing is changed."))
                    .optional(
                            text("reason").length(1, REASON_MAX).doc("Reason for the audit log."));

    private static final ObjectSpec SHOWN_FILTER =
            conditions(ObjectSpec.answer("OperationFilterShown"));

    private static final ObjectSpec FAILURE =
            ObjectSpec.answer("OperationFailure")
                    .required(text("taskId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("reason"));

    private static final ObjectSpec REQUESTER =
            ObjectSpec.answer("OperationRequester")
                    .required(text("keyId").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(text("name").nullable().doc("Name of the key at that time."));

    static final ObjectSpec OPERATION =
            ObjectSpec.answer("Operation")
                    .required(text("id").pattern(TaskDoorSpecs.UUID_PATTERN))
                    .required(oneOf("action", ACTIONS))
                    .required(object("filter", SHOWN_FILTER))
                    .required(integer("max").range(1, Bulk.ITEMS_MAX))
                    .required(text("reason").nullable())
                    .required(oneOf("state", STATES))
                    .required(
                            integer("matched")
                                    .range(0, Integer.MAX_VALUE)
                                    .doc(
                                            "Number of tasks that matched when the operation was"
                                                    + " created."))
                    .required(
                            bool("matchedAtLeast")
                                    .doc(
                                            "Whether more tasks may have matched. At most "
                                                    + Bulk.COUNTED_MAX
                                                    + " tasks of each status are examined."))
                    .required(integer("done").range(0, Bulk.ITEMS_MAX))
                    .required(
                            integer("skipped")
                                    .range(0, Integer.MAX_VALUE)
                                    .doc("Tasks that were in another state when their turn came."))
                    .required(integer("failed").range(0, Integer.MAX_VALUE))
                    .required(objects("failures", FAILURE).doc("The first few of them."))
                    .required(instant("createdAt"))
                    .required(instant("finishedAt").nullable())
                    .required(object("requestedBy", REQUESTER));

    static final ObjectSpec ANSWER =
            ObjectSpec.answer("OperationAnswer")
                    .required(object("operation", OPERATION))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec PREVIEW_ANSWER =
            ObjectSpec.answer("OperationPreview")
                    .required(bool("dryRun"))
                    .required(oneOf("action", ACTIONS))
                    .required(integer("matched").range(0, Integer.MAX_VALUE))
                    .required(bool("matchedAtLeast"))
                    .required(
                            array("taskIds", text("id").pattern(TaskDoorSpecs.UUID_PATTERN))
                                    .items(0, BulkPreview.FIRST)
                                    .doc("The oldest of them."))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("OperationList")
                    .required(objects("operations", OPERATION))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));
}
