package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.BoolField;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.Correlation;
import io.orchestrion.server.door.Once;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// The bodies of the tasks door, in and out. Bounds come from the profile: what is published here
/// is what is enforced.
public final class TaskSpecs {
    private TaskSpecs() {}

    public static final Profile PROFILE = Profiles.TASKS;

    /// What engines have done through this door: claimed, reported and read as tasks are, and left
    /// out where nobody asks for it.
    static final Profile STEPS = Profiles.STEPS;
    public static final int TYPE_MAX = 100;
    public static final int PRIORITY_MAX = 100;
    public static final int REASON_MAX = 500;
    public static final int OUTPUT_ID_MAX = 500;
    public static final int RETRY_DELAY_MIN = 1;
    public static final int RETRY_DELAY_MAX = 86_400;

    public static final int FLOW_KEY_MAX = 200;

    /// As long ahead as a task may be scheduled, and as long again to do it.
    public static final Duration GIVE_UP_MAX = PROFILE.schedule().ahead().multipliedBy(2);

    /// What the twin of a request under way is told to wait.
    public static final int IN_FLIGHT_WAIT_SECONDS = 2;

    /// The bound on how late a lapsed lease is seen. The sweep runs every second, or every ten at
    /// the longest setting; the rest is for its own time.
    public static final int EXPIRY_SEEN_WITHIN_SECONDS = 30;

    /// A holder is advised to be heard of so often in each lease.
    public static final int HEARTBEATS_PER_LEASE = 3;

    static final String TYPE_PATTERN = "^[A-Za-z0-9_-]+$";
    /// How long a claim may wait for something to claim.
    public static final int WAIT_MAX_SECONDS = 30;

    static final int WORKER_MAX = 200;
    static final int LIST_MAX = 100;
    static final int LIST_DEFAULT = 50;

    static final String UUID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    /// What only the server sets.
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

    /// What only a worker sets.
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
                                                        "What kind of work it is; workers claim by"
                                                                + " it."))
                                .required(
                                        object("payload")
                                                .maxBytes(PROFILE.payload().maxBytes())
                                                .maxDepth(PROFILE.payload().maxDepth())
                                                .doc(
                                                        "What the worker gets. The object itself is"
                                                                + " depth 1."))
                                .optional(
                                        integer("priority")
                                                .range(0, PRIORITY_MAX)
                                                .orElse(0)
                                                .doc("Higher is claimed first."))
                                .optional(
                                        integer("maxAttempts")
                                                .range(
                                                        PROFILE.attempts().min(),
                                                        PROFILE.attempts().max())
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
                                                .doc(
                                                        "Not claimable before; at most "
                                                                + PROFILE.schedule()
                                                                        .ahead()
                                                                        .toDays()
                                                                + " days ahead."))
                                .optional(
                                        text("idempotencyKey")
                                                .length(1, Once.KEY_MAX)
                                                .printableAscii()
                                                .doc("As the header Idempotency-Key."))
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
                                                        "What the task is a part of, as its events"
                                                                + " and logs name it; the header "
                                                                + Correlation.HEADER
                                                                + " when absent."))
                                .alias("correlationId", "correlation_id")
                                .optional(
                                        integer("giveUpAfterSeconds")
                                                .range(1, GIVE_UP_MAX.toSeconds())
                                                .doc(
                                                        "So long after its creation the task is"
                                                                + " cancelled if it is still open,"
                                                                + " whoever holds it.")))
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
                                .doc("How long to wait when there is nothing to claim."));
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
                                        .maxBytes(PROFILE.payload().maxBytes())
                                        .doc("What came of it."))
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
                                                .doc("Not claimable again before."))
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
                                            "Whether to cancel a claimed task, too: at once, and"
                                                    + " its worker is refused from then on."));

    static final ObjectSpec NOTHING = ObjectSpec.named("Nothing");

    private static String claimIdDoc() {
        return "A new UUID for each claim: sent again with the same body, the same leases are"
                + " given, for as long as one of them is live.";
    }

    private static String leaseTokenDoc() {
        return "From the claim; checked when sent, so that a late worker cannot speak for a new"
                + " one.";
    }

    static final ObjectSpec ACTION =
            ObjectSpec.answer("NextAction")
                    .required(oneOf("action", NextAction.Code.words()))
                    .required(bool("available"))
                    .required(bool("recommended"))
                    .optional(text("method"))
                    .optional(text("endpoint"))
                    .optional(array("required_fields", text("field")))
                    .optional(integer("retry_after_seconds").range(1, Integer.MAX_VALUE));

    /// The docs are the words of the published contract about each field.
    public static final ObjectSpec CONTRACT =
            withContract(ObjectSpec.answer("AgentContract"))
                    .example(
                            JsonWriter.objectText(
                                    AgentContract.of(false, AgentContract.create().best())::write));

    /// Adds the fields of the contract, for an object that holds them among others.
    public static ObjectSpec withContract(ObjectSpec object) {
        return object.required(
                        oneOf("version", AgentContract.VERSION)
                                .doc("Always \"" + AgentContract.VERSION + "\""))
                .required(
                        bool("retryable").doc("boolean — whether the same request can be retried"))
                .required(
                        objects("next_actions", ACTION)
                                .doc(
                                        "Array of Action objects, each with action, available,"
                                                + " recommended"))
                .optional(
                        bool("task_claimable")
                                .doc(
                                        "Present on claim responses only (true = task found, false"
                                                + " = queue empty)"))
                .optional(
                        bool("lease_valid")
                                .doc("Present when task is claimed (true = lease active)"))
                .optional(
                        integer("lease_expires_in_seconds")
                                .range(0, Integer.MAX_VALUE)
                                .doc("Present when task is claimed"))
                .optional(
                        integer("recommended_heartbeat_interval_seconds")
                                .range(1, Integer.MAX_VALUE)
                                .doc(
                                        "Present when task is claimed with active lease"
                                                + " (lease_duration / "
                                                + HEARTBEATS_PER_LEASE
                                                + ")"));
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
                .required(integer("maxAttempts").example(PROFILE.attempts().orElse()))
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

    private static final String OTHER_WORDS =
            "On a path that nobody has: as the jobs door tells it.";

    public static final ObjectSpec ERROR_ANSWER =
            ObjectSpec.answer("Error")
                    .required(
                            oneOf(
                                    "error",
                                    Arrays.stream(TaskError.values())
                                            .map(TaskError::code)
                                            .toList()))
                    .required(text("message"))
                    .required(text("request_id"))
                    .required(object("agent_contract", CONTRACT))
                    .optional(text("type").doc(OTHER_WORDS))
                    .optional(text("title").doc(OTHER_WORDS))
                    .optional(integer("status").range(400, 599).doc(OTHER_WORDS))
                    .optional(text("detail").doc(OTHER_WORDS))
                    .optional(text("instance").doc(OTHER_WORDS))
                    .optional(text("code").doc(OTHER_WORDS))
                    .optional(bool("retryable").doc(OTHER_WORDS));
}
