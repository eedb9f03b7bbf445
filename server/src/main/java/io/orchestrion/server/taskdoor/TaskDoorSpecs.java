package io.orchestrion.server.taskdoor;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.ContractSpecs;

/// What the bodies of several subjects of the tasks door share: the agent contract, the error, and
/// the bounds of common fields.
public final class TaskDoorSpecs {
    private TaskDoorSpecs() {}

    public static final Profile PROFILE = Profiles.TASKS;

    /// The steps of engines. They are claimed, reported and read like tasks, and left out of lists
    /// unless a caller asks for them.
    public static final Profile STEPS = Profiles.STEPS;

    public static final int TYPE_MAX = 100;
    public static final String TYPE_PATTERN = "^[A-Za-z0-9_-]+$";
    public static final int PRIORITY_MAX = 100;
    public static final int REASON_MAX = 500;

    public static final int LIST_MAX = 100;
    public static final int LIST_DEFAULT = 50;

    public static final String UUID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    /// How long a repeat is told to wait while the first request of its idempotency key is under
    /// way.
    public static final int IN_FLIGHT_WAIT_SECONDS = 2;

    /// How many heartbeats a holder is advised to send in each lease.
    public static final int HEARTBEATS_PER_LEASE = 3;

    public static final ObjectSpec NOTHING = ObjectSpec.named("Nothing");

    public static final ObjectSpec ACTION =
            ContractSpecs.action(ObjectSpec.answer("NextAction"), TaskAction.words());

    public static final ObjectSpec CONTRACT =
            withContract(ObjectSpec.answer("AgentContract"))
                    .example(
                            JsonWriter.objectText(
                                    AgentContract.of(false, TaskActions.create().best())::write));

    /// Adds the fields of the contract, for an object that holds them among others.
    public static ObjectSpec withContract(ObjectSpec object) {
        return ContractSpecs.contract(object, ACTION)
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

    private static final String OTHER_WORDS =
            "On a path that nobody has: as the jobs door tells it.";

    public static final ObjectSpec ERROR_ANSWER =
            ContractSpecs.error(ObjectSpec.answer("Error"), TaskErrors.ALL.all(), CONTRACT)
                    .optional(text("type").doc(OTHER_WORDS))
                    .optional(text("title").doc(OTHER_WORDS))
                    .optional(integer("status").range(400, 599).doc(OTHER_WORDS))
                    .optional(text("detail").doc(OTHER_WORDS))
                    .optional(text("instance").doc(OTHER_WORDS))
                    .optional(text("code").doc(OTHER_WORDS))
                    .optional(bool("retryable").doc(OTHER_WORDS));
}
