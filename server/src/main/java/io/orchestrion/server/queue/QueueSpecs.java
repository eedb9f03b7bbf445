package io.orchestrion.server.queue;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.kernel.policy.Requirements;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;

import java.util.List;

/// The bodies of the queue door, in and out. Bounds come from the profile: what is published here
/// is what is enforced.
public final class QueueSpecs {
    private QueueSpecs() {}

    /// A published field.
    static final String JOBS = "jobs";

    public static final Profile PROFILE = Profiles.QUEUE;

    public static final int TYPE_MAX = 100;
    public static final int PRIORITY_MAX = 100;
    public static final int WORKER_MAX = 200;

    /// Of a list of types or capabilities.
    public static final int NAMES_MAX = 100;

    public static final int MESSAGE_MAX = 4000;
    public static final int SUMMARY_MAX = 4000;

    /// How long a claim may wait for something to claim.
    public static final int WAIT_MAX_SECONDS = 30;

    /// How many jobs one claim may take.
    public static final int CLAIM_MAX = 100;

    static final int LIST_MAX = 200;
    static final int LIST_DEFAULT = 50;

    /// The payload may come with white space and escapes that it is kept without.
    static final int ENQUEUE_BODY_BYTES_MAX = 2 * PROFILE.bounds().payload().maxBytes();

    static final String UUID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    /// What only the server sets.
    private static final List<String> SERVER_SET =
            List.of(
                    "id",
                    "status",
                    "attempt",
                    "nextAttemptAt",
                    "workerId",
                    "leaseExpiresAt",
                    "leaseToken",
                    "cancelRequested",
                    "errorMessage",
                    "resultSummary",
                    "createdAt",
                    "updatedAt",
                    "startedAt",
                    "finishedAt");

    static TextField type(String name) {
        return text(name).length(1, TYPE_MAX).example("codex_exec");
    }

    private static TextField workerId() {
        return text("workerId").length(1, WORKER_MAX).example("executor-01");
    }

    static TextField capability() {
        return text("capability").length(1, Requirements.CAPABILITY_BYTES_MAX).example("git");
    }

    static TextField leaseToken() {
        return text("leaseToken")
                .pattern(UUID_PATTERN)
                .doc(
                        "The leaseToken of the claim. It is checked when sent, so that a late"
                                + " worker cannot report for a newer one of the same name.");
    }

    static final ObjectSpec ENQUEUE =
            ObjectSpec.named("QueueJobCreate")
                    .example(
                            "{\"type\":\"codex_exec\",\"payload\":{\"repository\":\"owner/project\","
                                + "\"requiredCapabilities\":[\"git\"]},\"priority\":10,\"maxAttempts\":3}")
                    .required(type("type").doc("Type of the work."))
                    .required(
                            object("payload")
                                    .maxBytes(PROFILE.bounds().payload().maxBytes())
                                    .maxDepth(PROFILE.bounds().payload().maxDepth())
                                    .doc(
                                            "Input for the worker, passed on unchanged. Its"
                                                    + " repository and requiredCapabilities decide"
                                                    + " which workers may claim the job."))
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
                                    .doc("Number of attempts before a failure is final."))
                    .refuse(SERVER_SET, "is set by the server");

    /// The fields of a payload that say who may claim the job. If a value of the wrong type were
    /// ignored, the job would be open to workers that it is not for. So it is refused.
    static final ObjectSpec PAYLOAD_TERMS =
            ObjectSpec.named("QueuePayloadTerms")
                    .unknown(ObjectSpec.Unknown.IGNORE)
                    .optional(text("repository").length(1, Requirements.REPOSITORY_BYTES_MAX))
                    .optional(
                            array("requiredCapabilities", capability())
                                    .items(0, Requirements.CAPABILITIES_MAX));

    static final ObjectSpec CLAIM =
            ObjectSpec.named("QueueClaim")
                    .example(
                            "{\"workerId\":\"executor-01\",\"leaseSeconds\":120,"
                                    + "\"allowedTypes\":[\"codex_exec\"],"
                                    + "\"workerCapabilities\":[\"git\",\"gh\",\"codex\"]}")
                    .required(
                            workerId()
                                    .doc(
                                            "Id of the worker that holds the job from then on. With"
                                                    + " a token or JWT it must be the worker's own"
                                                    + " id."))
                    .optional(
                            leaseSeconds()
                                    .orElse(PROFILE.lease().seconds().orElse())
                                    .doc("How long the claim lasts without a heartbeat."))
                    .optional(
                            array("allowedTypes", type("type"))
                                    .items(0, NAMES_MAX)
                                    .doc("Only jobs of these types. The token must allow them."))
                    .optional(
                            array("workerCapabilities", capability())
                                    .items(0, NAMES_MAX)
                                    .doc(
                                            "Capabilities of this worker, among those the token"
                                                + " allows. Default: all that the token allows."))
                    .optional(
                            integer("count")
                                    .range(1, CLAIM_MAX)
                                    .doc(
                                            "Largest number of jobs. If sent, the answer has them"
                                                    + " in the field jobs."))
                    .optional(
                            integer("waitSeconds")
                                    .range(0, WAIT_MAX_SECONDS)
                                    .orElse(0)
                                    .doc(
                                            "How long the request waits when there is nothing to"
                                                    + " claim."));

    private static IntegerField leaseSeconds() {
        return integer("leaseSeconds")
                .range(PROFILE.lease().seconds().min(), PROFILE.lease().seconds().max());
    }

    static final ObjectSpec HEARTBEAT =
            ObjectSpec.named("QueueHeartbeat")
                    .required(workerId())
                    .optional(
                            leaseSeconds()
                                    .doc("Length of the lease from now on. Default: as before."))
                    .optional(leaseToken());

    static final ObjectSpec COMPLETE =
            ObjectSpec.named("QueueComplete")
                    .required(workerId())
                    .optional(
                            text("resultSummary").length(0, SUMMARY_MAX).doc("Result of the work."))
                    .optional(leaseToken());

    static final ObjectSpec FAIL =
            ObjectSpec.named("QueueFail")
                    .required(workerId())
                    .required(
                            text("errorMessage")
                                    .length(1, MESSAGE_MAX)
                                    .example("network timeout")
                                    .doc("Why it failed; shown on the job."))
                    .optional(
                            bool("retryable")
                                    .orElse(false)
                                    .doc(
                                            "Whether another attempt may help. Then the job is"
                                                + " queued again while attempts remain, and becomes"
                                                + " a dead letter afterwards."))
                    .optional(leaseToken());

    static final ObjectSpec NOTHING = ObjectSpec.named("QueueNothing");

    /// For a holder, who has the payload already.
    static final ObjectSpec HELD_JOB = brief("QueueHeldJob");

    static final ObjectSpec JOB =
            brief("QueueJob")
                    .required(object("payload").example("{\"repository\":\"owner/project\"}"));

    static final ObjectSpec CLAIMED_JOB =
            brief("QueueClaimedJob")
                    .required(object("payload").example("{\"repository\":\"owner/project\"}"))
                    .required(text("leaseToken").pattern(UUID_PATTERN));

    private static ObjectSpec brief(String name) {
        return ObjectSpec.answer(name)
                .required(text("id").pattern(UUID_PATTERN))
                .required(type("type"))
                .required(oneOf("status", JobStatus.WORDS))
                .required(integer("priority").range(0, PRIORITY_MAX).example(0))
                .required(
                        integer("attempt")
                                .range(0, Integer.MAX_VALUE)
                                .example(0)
                                .doc("Number of claims since the job was queued or requeued."))
                .required(
                        integer("maxAttempts")
                                .range(
                                        PROFILE.bounds().attempts().min(),
                                        PROFILE.bounds().attempts().max())
                                .example(PROFILE.bounds().attempts().orElse()))
                .required(
                        instant("nextAttemptAt")
                                .nullable()
                                .doc("When a job that failed may be claimed again."))
                .required(
                        text("workerId")
                                .nullable()
                                .doc("Worker that holds the job, or that finished it."))
                .required(instant("leaseExpiresAt").nullable())
                .required(
                        bool("cancelRequested")
                                .doc("Whether the worker is asked to stop and report."))
                .required(text("errorMessage").nullable().doc("Reason of the last failure."))
                .required(text("resultSummary").nullable())
                .required(instant("createdAt"))
                .required(instant("updatedAt"))
                .required(instant("startedAt").nullable().doc("Time of the last claim."))
                .required(instant("finishedAt").nullable());
    }

    static final ObjectSpec CLAIM_ANSWER =
            ObjectSpec.answer("QueueClaimAnswer")
                    .example("{\"job\":" + CLAIMED_JOB.toExample() + "}")
                    .optional(
                            object("job", CLAIMED_JOB)
                                    .nullable()
                                    .doc("Null when there is nothing to claim."))
                    .optional(
                            objects(JOBS, CLAIMED_JOB)
                                    .doc("Present instead of job when count was sent."));

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("QueueJobList")
                    .required(objects("items", JOB))
                    .required(text("nextCursor").nullable());
}
