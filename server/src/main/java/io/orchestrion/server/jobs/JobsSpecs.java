package io.orchestrion.server.jobs;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.jobs.JobOutcome;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.catalogue.Expected;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.TextField;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.Once;
import io.orchestrion.server.egress.ReceiverUrl;

import java.util.Arrays;
import java.util.List;

/// The bodies of the jobs door about jobs, in and out.
public final class JobsSpecs {
    private JobsSpecs() {}

    /// Above the largest payload that an operator can allow, with room for white space and escapes
    /// that it is kept without.
    static final int SUBMIT_BODY_BYTES_MAX = 1024 * 1024;

    static final int HANDLER_MAX = 120;
    static final String HANDLER_PATTERN = "^[A-Za-z0-9._:-]+$";
    static final int LIST_DEFAULT = 50;

    static final List<String> TYPES = names(JobType.values());
    static final List<String> KINDS = names(WorkKind.values());
    static final List<String> STATES = names(JobState.values());
    static final List<String> OUTCOMES = names(JobOutcome.values());

    private static List<String> names(Enum<?>[] values) {
        return Arrays.stream(values).map(Enum::name).toList();
    }

    static final String UUID_PATTERN =
            "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

    static TextField id(String name) {
        return text(name).pattern(UUID_PATTERN);
    }

    /// The body as it is published. A value that breaks a rule has another error code than an
    /// unreadable one. So a body is read by [#SUBMIT_READ], and [JobDrafts] checks the rules.
    static final ObjectSpec SUBMIT =
            ObjectSpec.named("JobSubmit")
                    .example("{\"type\":\"EXECUTE\",\"work_kind\":\"SUCCESS_FAST\"}")
                    .required(
                            oneOf("type", TYPES)
                                    .doc(
                                            "EXECUTE runs as soon as possible. DEFERRED runs at"
                                                + " execution_at. EMIT_EVENT runs as soon as"
                                                + " possible, and its success is reported as the"
                                                + " event job.emitted."))
                    .optional(executionAt())
                    .optional(
                            text("callback")
                                    .length(1, ReceiverUrl.LENGTH_MAX)
                                    .example("https://example.com/hook")
                                    .doc(
                                            "An http or https address that every change of the"
                                                + " job's state is posted to. It must be public,"
                                                + " unless the operator allows others."))
                    .optional(
                            text("idempotency_key")
                                    .length(1, Once.KEY_MAX)
                                    .printableAscii()
                                    .doc(
                                            "The same key with the same body returns the same job,"
                                                + " as long as the job is kept. It takes precedence"
                                                + " over the header."))
                    .optional(
                            oneOf("work_kind", KINDS)
                                    .doc(
                                            "What the job simulates. Left out, the server chooses"
                                                    + " by the time of the request."))
                    .optional(payload())
                    .optional(autoRetry())
                    .optional(
                            text("handler")
                                    .length(1, HANDLER_MAX)
                                    .pattern(HANDLER_PATTERN)
                                    .example("queue:build")
                                    .doc(
                                            "Real work instead of simulated work: the name of a"
                                                + " handler that a runner knows, or queue:TYPE for"
                                                + " a worker of the queue door."));

    /// The same with open texts where a rule decides.
    static final ObjectSpec SUBMIT_READ =
            ObjectSpec.named("JobSubmit")
                    .required(text("type"))
                    .optional(executionAt())
                    .optional(text("callback"))
                    .optional(text("idempotency_key").length(1, Once.KEY_MAX).printableAscii())
                    .optional(text("work_kind"))
                    .optional(payload())
                    .optional(autoRetry())
                    .optional(text("handler"));

    private static Field executionAt() {
        return instant("execution_at").utc().doc("When a DEFERRED job runs; UTC.");
    }

    private static Field payload() {
        return any("payload")
                .maxDepth(Profiles.JOBS.bounds().payload().maxDepth())
                .doc("Input for the work. A setting bounds its size, by default to 256 KB.");
    }

    private static Field autoRetry() {
        return bool("auto_retry")
                .orElse(false)
                .doc("Whether a failed attempt is retried automatically while retries are left.");
    }

    static final ObjectSpec NOTHING = ObjectSpec.named("JobNothing");

    static final ObjectSpec SUBMITTED =
            ObjectSpec.answer("JobSubmitted")
                    .required(id("job_id"))
                    .required(oneOf("state", STATES))
                    .required(instant("created_at"));

    static final ObjectSpec CANCELED =
            ObjectSpec.answer("JobCanceled")
                    .required(id("job_id"))
                    .required(oneOf("state", STATES))
                    .required(instant("updated_at"));

    static final ObjectSpec RETRIED =
            ObjectSpec.answer("JobRetried")
                    .required(id("job_id"))
                    .required(oneOf("state", STATES))
                    .required(instant("updated_at"))
                    .required(attempt());

    private static Field attempt() {
        return integer("attempt")
                .range(1, Integer.MAX_VALUE)
                .example(1)
                .doc("Number of the attempt: 1 at first, and one more for each retry.");
    }

    private static final ObjectSpec DEFINITION =
            ObjectSpec.answer("JobDefinition")
                    .required(oneOf("work_kind", KINDS))
                    .required(integer("duration_ms").range(0, Integer.MAX_VALUE).example(1000))
                    .required(bool("should_fail"))
                    .required(
                            integer("payload_size")
                                    .range(0, Integer.MAX_VALUE)
                                    .example(4096)
                                    .doc("In bytes."));

    private static final ObjectSpec FAILURE =
            ObjectSpec.answer("JobFailure")
                    .required(text("code").example("SIMULATED_FAILURE"))
                    .required(text("message"))
                    .required(bool("retryable").doc("Whether another attempt may help."));

    static final ObjectSpec JOB = job("Job");

    private static ObjectSpec job(String name) {
        return ObjectSpec.answer(name)
                .required(id("job_id"))
                .required(oneOf("type", TYPES))
                .required(oneOf("state", STATES))
                .required(oneOf("outcome", OUTCOMES).nullable().doc("Null before a final state."))
                .required(instant("created_at"))
                .required(instant("execution_at").nullable())
                .required(instant("updated_at"))
                .required(attempt())
                .required(text("callback").nullable())
                .required(object("definition", DEFINITION).nullable())
                .required(
                        integer("max_attempts")
                                .range(1, Integer.MAX_VALUE)
                                .example(4)
                                .doc("Number of attempts allowed: the first one and the retries."))
                .required(bool("auto_retry"))
                .required(text("handler").nullable())
                .required(instant("started_at").nullable().doc("Of the newest attempt."))
                .required(instant("finished_at").nullable())
                .required(
                        instant("not_before")
                                .nullable()
                                .doc("Time before which no runner takes the retry."))
                .required(object("failure", FAILURE).nullable().doc("Of the newest attempt."));
    }

    static final ObjectSpec LIST_ANSWER =
            ObjectSpec.answer("JobList")
                    .required(objects("jobs", JOB))
                    .required(text("next_cursor").nullable());

    private static final ObjectSpec EVENT =
            ObjectSpec.answer("JobEvent")
                    .required(id("event_id"))
                    .required(id("job_id"))
                    .required(text("event_name").example("job.created"))
                    .required(oneOf("prev_state", STATES).nullable())
                    .required(oneOf("next_state", STATES))
                    .required(instant("timestamp"))
                    .required(
                            object(
                                    "payload",
                                    ObjectSpec.answer("JobEventPayload")
                                            .required(
                                                    text("scenario")
                                                            .nullable()
                                                            .doc("The job's work kind."))
                                            .required(attempt())
                                            .required(
                                                    bool("final")
                                                            .doc(
                                                                    "Whether this failure used up"
                                                                            + " the last attempt."))
                                            .required(
                                                    text("reason")
                                                            .nullable()
                                                            .doc("Why it failed."))));

    static final ObjectSpec REPORT =
            ObjectSpec.answer("JobReport")
                    .required(id("job_id"))
                    .required(oneOf("outcome", OUTCOMES))
                    .required(attempt())
                    .required(objects("events", EVENT))
                    .required(instant("started_at"))
                    .required(instant("finished_at"))
                    .required(integer("duration_ms").range(0, Long.MAX_VALUE).example(1000))
                    .required(text("reason").nullable().doc("Why it failed."))
                    .required(object("failure", FAILURE).nullable())
                    .required(
                            object(
                                            "output",
                                            ObjectSpec.answer("JobOutput")
                                                    .required(
                                                            integer("size_bytes")
                                                                    .range(0, Long.MAX_VALUE)
                                                                    .example(4096))
                                                    .required(text("sha256").nullable())
                                                    .required(
                                                            any("result")
                                                                    .nullable()
                                                                    .doc("Of a real handler.")))
                                    .nullable());

    static final ObjectSpec DELETED =
            ObjectSpec.answer("JobDeleted").required(bool("deleted").doc("Always true."));

    static final ObjectSpec CATALOGUE =
            ObjectSpec.answer("WorkKindCatalogue")
                    .required(
                            objects(
                                    "work_kinds",
                                    ObjectSpec.answer("WorkKind")
                                            .required(oneOf("name", KINDS))
                                            .required(
                                                    integer("duration_ms")
                                                            .range(0, Integer.MAX_VALUE)
                                                            .example(1000))
                                            .required(bool("should_fail"))
                                            .required(
                                                    integer("payload_size")
                                                            .range(0, Integer.MAX_VALUE)
                                                            .example(4096)
                                                            .doc("In bytes."))
                                            .required(
                                                    oneOf("expected", names(Expected.End.values()))
                                                            .doc("How such a job ends."))
                                            .required(
                                                    oneOf("needs", names(Expected.Need.values()))
                                                            .doc(
                                                                    "What a client must do to get"
                                                                            + " this behaviour."))
                                            .required(
                                                    oneOf("scenario", names(Expected.values()))
                                                            .doc("The same more closely."))));

    static final ObjectSpec READY =
            ObjectSpec.answer("JobsReady")
                    .required(bool("ready").doc("Always true."))
                    .required(integer("runners").range(0, Integer.MAX_VALUE).example(1))
                    .required(
                            integer("capacity")
                                    .range(0, Integer.MAX_VALUE)
                                    .example(1)
                                    .doc("How many jobs the runners can run at once."))
                    .required(integer("busy").range(0, Integer.MAX_VALUE).example(0));
}
