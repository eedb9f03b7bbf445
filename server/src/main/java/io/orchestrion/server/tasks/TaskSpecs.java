package io.orchestrion.server.tasks;

import static io.orchestrion.server.json.Field.array;
import static io.orchestrion.server.json.Field.bool;
import static io.orchestrion.server.json.Field.instant;
import static io.orchestrion.server.json.Field.integer;
import static io.orchestrion.server.json.Field.object;
import static io.orchestrion.server.json.Field.objects;
import static io.orchestrion.server.json.Field.oneOf;
import static io.orchestrion.server.json.Field.text;

import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.json.ObjectSpec;

import java.util.Arrays;
import java.util.List;

/// The bodies of the tasks door, in and out. Bounds come from the profile: what is published here
/// is what is enforced.
final class TaskSpecs {
    private TaskSpecs() {}

    static final Profile PROFILE = Profiles.TASKS;
    static final String TYPE_PATTERN = "^[A-Za-z0-9_-]+$";
    static final int TYPE_MAX = 100;
    static final int PRIORITY_MAX = 100;
    static final int REASON_MAX = 500;
    static final int WORKER_MAX = 200;
    static final int OUTPUT_ID_MAX = 500;
    static final int KEY_MAX = 255;
    static final int RETRY_DELAY_MAX = 86_400;
    static final int LIST_MAX = 100;
    static final int LIST_DEFAULT = 50;

    static final String UUID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    static final List<String> SYSTEM_MANAGED =
            List.of(
                    "id",
                    "status",
                    "attemptCount",
                    "claimedBy",
                    "claimedAt",
                    "leaseExpiresAt",
                    "lastHeartbeatAt",
                    "createdAt",
                    "updatedAt",
                    "completedAt",
                    "lastFailedAt",
                    "lastFailureReason",
                    "result",
                    "outputId");

    static final ObjectSpec CREATE =
            ObjectSpec.named("TaskCreate")
                    .required(
                            text("type")
                                    .length(1, TYPE_MAX)
                                    .pattern(TYPE_PATTERN)
                                    .doc("What kind of work it is; workers claim by it."))
                    .required(
                            object("payload")
                                    .maxBytes(PROFILE.payload().maxBytes())
                                    .maxDepth(PROFILE.payload().maxDepth())
                                    .doc("What the worker gets. The object itself is depth 1."))
                    .optional(
                            integer("priority")
                                    .range(0, PRIORITY_MAX)
                                    .orElse(0)
                                    .doc("Higher is claimed first."))
                    .optional(
                            integer("maxAttempts")
                                    .range(PROFILE.attempts().min(), PROFILE.attempts().max())
                                    .orElse(PROFILE.attempts().orElse())
                                    .doc("Claims before a failure is final."))
                    .optional(
                            integer("leaseDurationSeconds")
                                    .range(
                                            PROFILE.lease().seconds().min(),
                                            PROFILE.lease().seconds().max())
                                    .orElse(PROFILE.lease().seconds().orElse())
                                    .doc("How long a claim lasts without a heartbeat."))
                    .optional(
                            instant("scheduledAt")
                                    .doc("Not claimable before; at most 30 days ahead."))
                    .optional(
                            text("idempotencyKey")
                                    .length(1, KEY_MAX)
                                    .printableAscii()
                                    .doc("As the header Idempotency-Key."))
                    .refuse(SYSTEM_MANAGED, "is set by the server");

    static final ObjectSpec CLAIM =
            ObjectSpec.named("TaskClaim")
                    .required(text("type").length(1, TYPE_MAX).pattern(TYPE_PATTERN))
                    .optional(
                            text("workerId")
                                    .length(1, WORKER_MAX)
                                    .doc("Shown as claimedBy; gives no rights."))
                    .alias("workerId", "worker_id");

    static final ObjectSpec CLAIM_THIS =
            ObjectSpec.named("TaskClaimById")
                    .optional(text("workerId").length(1, WORKER_MAX))
                    .alias("workerId", "worker_id");

    static final ObjectSpec HEARTBEAT =
            ObjectSpec.named("TaskHeartbeat")
                    .optional(text("leaseToken").pattern(UUID_PATTERN).doc(leaseTokenDoc()));

    static final ObjectSpec COMPLETE =
            ObjectSpec.named("TaskComplete")
                    .optional(
                            object("result")
                                    .maxBytes(PROFILE.payload().maxBytes())
                                    .doc("What came of it."))
                    .optional(
                            text("outputId")
                                    .length(1, OUTPUT_ID_MAX)
                                    .doc("A reference to an artifact kept elsewhere."))
                    .alias("outputId", "output_id")
                    .optional(text("leaseToken").pattern(UUID_PATTERN).doc(leaseTokenDoc()));

    static final ObjectSpec FAIL =
            ObjectSpec.named("TaskFail")
                    .optional(text("lastFailureReason").length(0, REASON_MAX))
                    .alias("lastFailureReason", "reason")
                    .optional(
                            integer("retry_after_seconds")
                                    .range(1, RETRY_DELAY_MAX)
                                    .doc("Not claimable again before."))
                    .alias("retry_after_seconds", "retryAfterSeconds")
                    .optional(text("leaseToken").pattern(UUID_PATTERN).doc(leaseTokenDoc()));

    static final ObjectSpec NOTHING = ObjectSpec.named("Nothing");

    private static String leaseTokenDoc() {
        return "From the claim; checked when sent, so that a late worker cannot speak for a new"
                + " one.";
    }

    static final ObjectSpec ACTION =
            ObjectSpec.answer("NextAction")
                    .required(
                            oneOf(
                                    "action",
                                    Arrays.stream(NextAction.Code.values())
                                            .map(NextAction.Code::word)
                                            .toList()))
                    .required(bool("available"))
                    .required(bool("recommended"))
                    .optional(text("method"))
                    .optional(text("endpoint"))
                    .optional(array("required_fields", text("field")))
                    .optional(integer("retry_after_seconds").range(1, Integer.MAX_VALUE));

    static final ObjectSpec CONTRACT =
            ObjectSpec.answer("AgentContract")
                    .required(oneOf("version", AgentContract.VERSION))
                    .required(bool("retryable"))
                    .required(objects("next_actions", ACTION))
                    .optional(bool("task_claimable"))
                    .optional(bool("lease_valid"))
                    .optional(integer("lease_expires_in_seconds").range(0, Integer.MAX_VALUE))
                    .optional(
                            integer("recommended_heartbeat_interval_seconds")
                                    .range(1, Integer.MAX_VALUE));

    static final ObjectSpec TASK = withDocuments(briefTask("Task"));
    static final ObjectSpec BRIEF_TASK =
            briefTask("TaskBrief")
                    .optional(object("result").nullable())
                    .optional(text("outputId").nullable());
    static final ObjectSpec LISTED_TASK =
            withDocuments(briefTask("ListedTask")).required(object("agent_contract", CONTRACT));

    private static ObjectSpec briefTask(String name) {
        return ObjectSpec.answer(name)
                .required(text("id").pattern(UUID_PATTERN))
                .required(text("type"))
                .required(oneOf("status", TaskStatus.WORDS))
                .required(integer("priority").range(0, PRIORITY_MAX))
                .required(integer("attemptCount"))
                .required(integer("maxAttempts"))
                .required(integer("leaseDurationSeconds"))
                .required(instant("scheduledAt").nullable())
                .required(text("claimedBy").nullable())
                .required(instant("claimedAt").nullable())
                .required(instant("leaseExpiresAt").nullable())
                .required(instant("lastHeartbeatAt").nullable())
                .required(instant("createdAt"))
                .required(instant("updatedAt"))
                .required(instant("completedAt").nullable())
                .required(instant("lastFailedAt").nullable())
                .required(text("lastFailureReason").nullable());
    }

    private static ObjectSpec withDocuments(ObjectSpec task) {
        return task.required(object("payload"))
                .required(object("result").nullable())
                .required(text("outputId").nullable());
    }

    static final ObjectSpec TASK_ANSWER =
            ObjectSpec.answer("TaskAnswer")
                    .required(object("task", TASK))
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec HOLDER_ANSWER =
            ObjectSpec.answer("HolderAnswer")
                    .required(object("task", BRIEF_TASK))
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec CLAIM_ANSWER =
            ObjectSpec.answer("ClaimAnswer")
                    .required(object("task", TASK).nullable())
                    .optional(text("leaseToken").pattern(UUID_PATTERN))
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("TaskList")
                    .required(objects("tasks", LISTED_TASK))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec HEALTH_ANSWER =
            ObjectSpec.answer("Health")
                    .required(oneOf("status", "ok", "unhealthy"))
                    .required(text("version"))
                    .required(
                            objects(
                                    "jobs",
                                    ObjectSpec.answer("HealthJob")
                                            .required(text("name"))
                                            .required(bool("healthy"))
                                            .required(bool("ran"))
                                            .required(
                                                    integer("seconds_since_last_run")
                                                            .range(0, Integer.MAX_VALUE))
                                            .required(text("last_error").nullable())))
                    .required(
                            object(
                                    "lease_expiry_job",
                                    ObjectSpec.answer("LeaseJob")
                                            .required(bool("healthy"))
                                            .required(bool("ran"))
                                            .required(
                                                    integer("seconds_since_last_run")
                                                            .range(0, Integer.MAX_VALUE))))
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec ERROR_ANSWER =
            ObjectSpec.answer("Error")
                    .required(
                            oneOf(
                                    "error",
                                    Arrays.stream(TaskError.values())
                                            .map(TaskError::code)
                                            .toList()))
                    .required(text("message"))
                    .required(text("request_id"))
                    .required(object("agent_contract", CONTRACT));
}
