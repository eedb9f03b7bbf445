package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.CONTRACT;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PRIORITY_MAX;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.REASON_MAX;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.TYPE_MAX;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.TYPE_PATTERN;
import static io.orchestrion.server.taskdoor.TaskDoorSpecs.UUID_PATTERN;

import io.orchestrion.kernel.json.BoolField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;

import java.time.Duration;
import java.util.List;

/// The bodies of the tasks door, in and out. Bounds come from the profile: what is published here
/// is what is enforced.
public final class TaskSpecs {
    private TaskSpecs() {}

    public static final int OUTPUT_ID_MAX = 500;
    public static final int RETRY_DELAY_MIN = 1;
    public static final int RETRY_DELAY_MAX = 86_400;

    public static final int FLOW_KEY_MAX = 200;

    /// As long ahead as a task may be scheduled, and as long again to do it.
    public static final Duration GIVE_UP_MAX = PROFILE.bounds().schedule().ahead().multipliedBy(2);

    /// The bound on how late a lapsed lease is seen. The sweep runs every second, or every ten at
    /// the longest setting; the rest is for its own time.
    public static final int EXPIRY_SEEN_WITHIN_SECONDS = 30;

    /// How long a claim may wait for something to claim.
    public static final int WAIT_MAX_SECONDS = 30;

    /// What `include` may ask for beside the account's own tasks: the steps of engines.
    public static final String OWNED = "owned";

    static final int WORKER_MAX = 200;

    /// Fields that only the server sets.
    public static final List<String> SYSTEM_MANAGED =
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
                    "lastFailureReason");

    /// Fields that only a worker sets.
    static final List<String> WORKER_WRITTEN = List.of("result", "outputId");

    /// No control characters: two keys are stored with one between them.
    private static TextField flowKey(String name) {
        return text(name).length(1, FLOW_KEY_MAX).pattern("^[^\\u0000-\\u001f\\u007f-\\u009f]+$");
    }

    public static final ObjectSpec CREATE = create(ObjectSpec.named("TaskCreate"));

    /// The fields of a task that is made, alone or as one of many.
    static ObjectSpec create(ObjectSpec named) {
        return TermsSpecs.addTo(
                        named.example(
                                        "{\"type\":\"summarize\",\"payload\":{\"url\":\"https://example.com/page\"},"
                                            + "\"priority\":10,\"maxAttempts\":3,\"leaseDurationSeconds\":300}")
                                .required(
                                        text("type")
                                                .length(1, TYPE_MAX)
                                                .pattern(TYPE_PATTERN)
                                                .doc(
                                                        "Type of the work. Workers claim tasks by"
                                                                + " type."))
                                .required(
                                        object("payload")
                                                .maxBytes(PROFILE.bounds().payload().maxBytes())
                                                .maxDepth(PROFILE.bounds().payload().maxDepth())
                                                .doc(
                                                        "Input for the worker. The object itself"
                                                                + " counts as depth 1."))
                                .optional(
                                        integer("priority")
                                                .range(0, PRIORITY_MAX)
                                                .orElse(0)
                                                .doc("Higher is claimed first."))
                                .optional(
                                        integer("maxAttempts")
                                                .range(
                                                        PROFILE.bounds().attempts().min(),
                                                        PROFILE.bounds().attempts().max())
                                                .orElse(PROFILE.bounds().attempts().orElse())
                                                .doc(
                                                        "Number of attempts before a failure is"
                                                                + " final."))
                                .optional(
                                        integer("leaseDurationSeconds")
                                                .range(
                                                        PROFILE.lease().seconds().min(),
                                                        PROFILE.lease().seconds().max())
                                                .orElse(PROFILE.lease().seconds().orElse())
                                                .doc(
                                                        "Length of the lease: how long a claim"
                                                                + " lasts without a heartbeat."))
                                .optional(
                                        instant("scheduledAt")
                                                .doc(
                                                        "Earliest time at which the task can be"
                                                                + " claimed; at most "
                                                                + PROFILE.bounds()
                                                                        .schedule()
                                                                        .ahead()
                                                                        .toDays()
                                                                + " days ahead."))
                                .optional(
                                        text("idempotencyKey")
                                                .length(1, Once.KEY_MAX)
                                                .printableAscii()
                                                .doc("Same as the header Idempotency-Key."))
                                .optional(
                                        flowKey("concurrencyKey")
                                                .doc(
                                                        "Tasks of one type and key share the slots"
                                                            + " of the type's concurrencyLimit."))
                                .optional(
                                        flowKey("rateKey")
                                                .doc(
                                                        "Tasks of one type and key share the starts"
                                                                + " of the type's rateLimit."))
                                .optional(
                                        Correlation.id("correlationId")
                                                .doc(
                                                        "Id of the larger whole that the task"
                                                            + " belongs to. Events and logs name"
                                                            + " it. Default: the header "
                                                                + Correlation.HEADER
                                                                + "."))
                                .alias("correlationId", "correlation_id")
                                .optional(
                                        integer("giveUpAfterSeconds")
                                                .range(1, GIVE_UP_MAX.toSeconds())
                                                .doc(
                                                        "Time after its creation at which the task"
                                                            + " is cancelled if it is still open,"
                                                            + " even if a worker holds it.")))
                .refuse(SYSTEM_MANAGED, "is set by the server")
                .refuse(WORKER_WRITTEN, "is set by the server");
    }

    static final ObjectSpec CLAIM = claim(ObjectSpec.named("TaskClaim"));

    static ObjectSpec claim(ObjectSpec spec) {
        return spec.required(text("type").length(1, TYPE_MAX).pattern(TYPE_PATTERN))
                .optional(
                        text("workerId")
                                .length(1, WORKER_MAX)
                                .doc("Shown as claimedBy; gives no rights."))
                .alias("workerId", "worker_id")
                .optional(text("claimId").pattern(UUID_PATTERN).doc(claimIdDoc()))
                .optional(
                        integer("waitSeconds")
                                .range(0, WAIT_MAX_SECONDS)
                                .orElse(0)
                                .doc("How long the request waits when there is nothing to claim."));
    }

    static final ObjectSpec CLAIM_THIS =
            ObjectSpec.named("TaskClaimById")
                    .optional(text("workerId").length(1, WORKER_MAX))
                    .alias("workerId", "worker_id")
                    .optional(text("claimId").pattern(UUID_PATTERN).doc(claimIdDoc()));

    static final ObjectSpec HEARTBEAT = heartbeat(ObjectSpec.named("TaskHeartbeat"));

    static ObjectSpec heartbeat(ObjectSpec spec) {
        return spec.optional(text("leaseToken").pattern(UUID_PATTERN).doc(leaseTokenDoc()));
    }

    static final ObjectSpec COMPLETE = complete(ObjectSpec.named("TaskComplete"));

    static ObjectSpec complete(ObjectSpec spec) {
        return ReportSpecs.addTo(
                spec.optional(
                                object("result")
                                        .maxBytes(PROFILE.bounds().payload().maxBytes())
                                        .doc("Result of the work."))
                        .optional(
                                text("outputId")
                                        .length(1, OUTPUT_ID_MAX)
                                        .doc("A reference to an artifact kept elsewhere."))
                        .alias("outputId", "output_id")
                        .optional(text("leaseToken").pattern(UUID_PATTERN).doc(leaseTokenDoc())));
    }

    static final ObjectSpec FAIL = fail(ObjectSpec.named("TaskFail"));

    static ObjectSpec fail(ObjectSpec spec) {
        return ReportSpecs.addErrorTo(
                ReportSpecs.addTo(
                        spec.optional(text("lastFailureReason").length(0, REASON_MAX))
                                .alias("lastFailureReason", "reason")
                                .optional(
                                        integer("retry_after_seconds")
                                                .range(RETRY_DELAY_MIN, RETRY_DELAY_MAX)
                                                .doc("Earliest time of the next attempt."))
                                .alias("retry_after_seconds", "retryAfterSeconds")
                                .optional(
                                        text("leaseToken")
                                                .pattern(UUID_PATTERN)
                                                .doc(leaseTokenDoc()))));
    }

    static final ObjectSpec CANCEL =
            ObjectSpec.named("TaskCancel")
                    .optional(
                            bool("force")
                                    .orElse(false)
                                    .doc(
                                            "Whether a claimed task is cancelled, too. It is"
                                                + " cancelled at once, and its worker is refused"
                                                + " from then on."));

    private static String claimIdDoc() {
        return "A new UUID for each claim. The same UUID with the same body returns the same leases"
                + " again, as long as one of them is live.";
    }

    private static String leaseTokenDoc() {
        return "The leaseToken of the claim. It is checked when sent, so that a late worker cannot"
                + " report for a newer lease.";
    }

    private static final ObjectSpec OWNER =
            ObjectSpec.answer("TaskOwner")
                    .required(text("kind").doc("What it belongs to, such as execution."))
                    .required(text("id").pattern(UUID_PATTERN));

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
                .required(text("type").example("summarize"))
                .required(
                        oneOf("status", TaskStatus.SHOWN)
                                .doc(
                                        "A task of one's own is never failed: a step of an engine"
                                                + " is, and what follows is the engine's to say."))
                .required(integer("priority").range(0, PRIORITY_MAX).example(0))
                .required(integer("attemptCount").example(0))
                .required(integer("maxAttempts").example(PROFILE.bounds().attempts().orElse()))
                .required(
                        integer("leaseDurationSeconds").example(PROFILE.lease().seconds().orElse()))
                .required(instant("scheduledAt").nullable())
                .required(text("claimedBy").nullable())
                .required(instant("claimedAt").nullable())
                .required(instant("leaseExpiresAt").nullable())
                .required(instant("lastHeartbeatAt").nullable())
                .required(instant("createdAt"))
                .required(instant("updatedAt"))
                .required(instant("completedAt").nullable())
                .required(instant("lastFailedAt").nullable())
                .required(text("lastFailureReason").nullable())
                .optional(text("concurrencyKey").doc("Present when it has one."))
                .optional(text("rateKey").doc("Present when it has one."))
                .optional(text("correlationId").doc("Present when it has one."))
                .optional(object("owner", OWNER).doc("Present when an engine made the task."))
                .optional(
                        instant("giveUpAt")
                                .doc(
                                        "When it is cancelled if it is still open; present when it"
                                                + " has such a time."));
    }

    private static ObjectSpec withDocuments(ObjectSpec task) {
        return TermsSpecs.shown(
                ReportSpecs.shown(
                        task.required(
                                        object("payload")
                                                .example("{\"url\":\"https://example.com/page\"}"))
                                .required(object("result").nullable())
                                .required(text("outputId").nullable())));
    }

    static final ObjectSpec TASK_ANSWER =
            ObjectSpec.answer("TaskAnswer")
                    .required(object("task", TASK))
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec EXISTING_ANSWER =
            ObjectSpec.answer("ExistingTaskAnswer")
                    .required(object("task", TASK))
                    .required(bool("existing").doc("true: the task was there already."))
                    .required(object("agent_contract", CONTRACT));

    static final ObjectSpec DIRECTIVES =
            ObjectSpec.answer("Directives")
                    .required(bool("pause_requested").doc("Whether to come to a halt."))
                    .required(bool("cancel_requested").doc("Whether to stop for good."))
                    .required(
                            instant("deadline_at")
                                    .nullable()
                                    .doc("When the attempt ends however often it is renewed."));

    static final ObjectSpec HOLDER_ANSWER =
            ObjectSpec.answer("HolderAnswer")
                    .required(object("task", BRIEF_TASK))
                    .required(object("agent_contract", CONTRACT))
                    .optional(
                            object("directives", DIRECTIVES)
                                    .doc("Of a heartbeat: what the worker is asked to do."));

    static final BoolField TYPE_PAUSED = bool("typePaused").doc("True when the type is paused.");

    static final ObjectSpec CLAIM_ANSWER =
            ObjectSpec.answer("ClaimAnswer")
                    .required(object("task", TASK).nullable())
                    .optional(text("leaseToken").pattern(UUID_PATTERN))
                    .required(object("agent_contract", CONTRACT))
                    .optional(TYPE_PAUSED);

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("TaskList")
                    .required(objects("tasks", LISTED_TASK))
                    .required(text("nextCursor").nullable())
                    .required(object("agent_contract", CONTRACT));
}
