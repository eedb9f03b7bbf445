package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TaskError;

import java.util.Arrays;

/// The bodies of the verbs on many tasks. Their items are those of the single verbs, and each is
/// read by itself, so that a bad one spoils no other.
final class BatchSpecs {
    private BatchSpecs() {}

    static final int ITEMS_MAX = 1000;
    static final int CLAIM_MAX = 100;

    /// A node should not hold a thousand items of full size for one caller. Larger batches are sent
    /// as lines.
    static final int BODY_BYTES_MAX = 8 * 1024 * 1024;

    static final int LINE_BYTES_MAX = 256 * 1024;

    static final int REF_MAX = 100;

    /// An item may name others of its batch, which have no id yet.
    static final ObjectSpec CREATE_ITEM =
            TaskSpecs.create(ObjectSpec.named("TaskBatchItem"))
                    .optional(
                            text("ref")
                                    .length(1, REF_MAX)
                                    .printableAscii()
                                    .doc("What other items of the batch call it; not stored."))
                    .optional(
                            array("dependsOnRefs", text("ref").length(1, REF_MAX))
                                    .items(1, TermsSpecs.PARENTS_MAX)
                                    .doc("As dependsOn, for items of the same batch."));

    static final ObjectSpec CREATE =
            ObjectSpec.named("TaskBatch")
                    .required(objects("tasks", CREATE_ITEM).items(1, ITEMS_MAX))
                    .doc("As application/x-ndjson: a task on each line, as many as there are.");

    /// How the same is read: its items later.
    static final ObjectSpec CREATE_UNREAD = unread("tasks");
    static final ObjectSpec ITEMS_UNREAD = unread("items");

    private static ObjectSpec unread(String field) {
        return ObjectSpec.named("Unread" + field)
                .required(array(field, any("item")).items(1, ITEMS_MAX));
    }

    static final ObjectSpec HEARTBEAT_ITEM = TaskSpecs.heartbeat(item("TaskHeartbeatItem"));
    static final ObjectSpec COMPLETE_ITEM = TaskSpecs.complete(item("TaskCompleteItem"));
    static final ObjectSpec FAIL_ITEM = TaskSpecs.fail(item("TaskFailItem"));

    private static ObjectSpec item(String name) {
        return ObjectSpec.named(name).required(text("id").length(1, 100).doc("The task."));
    }

    static ObjectSpec items(ObjectSpec item) {
        return ObjectSpec.named(item.name() + "s")
                .required(objects("items", item).items(1, ITEMS_MAX));
    }

    static final ObjectSpec CLAIM =
            TaskSpecs.claim(ObjectSpec.named("TaskBatchClaim"))
                    .optional(
                            integer("max")
                                    .range(1, CLAIM_MAX)
                                    .orElse(1)
                                    .doc("Largest number of entries in the answer."));

    private static final ObjectSpec FAULT =
            ObjectSpec.answer("BatchFault")
                    .required(
                            oneOf(
                                    "code",
                                    Arrays.stream(TaskError.values())
                                            .map(TaskError::code)
                                            .toList()))
                    .required(text("message"));

    static final ObjectSpec CREATED =
            ObjectSpec.answer("TaskBatchAnswer")
                    .required(
                            objects(
                                    "results",
                                    ObjectSpec.answer("TaskBatchResult")
                                            .required(integer("index"))
                                            .required(
                                                    oneOf("status", "created", "existing", "error"))
                                            .optional(object("task", TaskSpecs.TASK))
                                            .optional(bool("replayed"))
                                            .optional(object("error", FAULT))))
                    .required(integer("created"))
                    .required(integer("failed"))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec HELD =
            ObjectSpec.answer("HeldBatchAnswer")
                    .required(
                            objects(
                                    "results",
                                    ObjectSpec.answer("HeldBatchResult")
                                            .required(integer("index"))
                                            .required(oneOf("status", "ok", "error"))
                                            .optional(object("task", TaskSpecs.BRIEF_TASK))
                                            .optional(object("directives", TaskSpecs.DIRECTIVES))
                                            .optional(bool("replayed"))
                                            .optional(object("error", FAULT))))
                    .required(integer("done"))
                    .required(integer("failed"))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT));

    static final ObjectSpec CLAIMED =
            ObjectSpec.answer("BatchClaimAnswer")
                    .required(
                            objects(
                                    "claims",
                                    ObjectSpec.answer("BatchClaimed")
                                            .required(object("task", TaskSpecs.TASK))
                                            .required(
                                                    text("leaseToken")
                                                            .pattern(TaskDoorSpecs.UUID_PATTERN))))
                    .required(object("agent_contract", TaskDoorSpecs.CONTRACT))
                    .optional(TaskSpecs.TYPE_PAUSED);
}
