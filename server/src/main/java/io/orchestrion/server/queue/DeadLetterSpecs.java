package io.orchestrion.server.queue;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.bulk.Bulk;
import io.orchestrion.kernel.bulk.DeadLetters;
import io.orchestrion.kernel.json.ObjectSpec;

/// The bodies of what is done to many dead letters at once.
final class DeadLetterSpecs {
    private DeadLetterSpecs() {}

    static final int REASON_MAX = 500;

    static final int LIMIT_DEFAULT = 100;

    private static final ObjectSpec FILTER =
            ObjectSpec.named("QueueDeadLetterFilter")
                    .doc("Which dead letters: those that fit all that is given.")
                    .optional(QueueSpecs.type("type").doc("Only jobs of this type."))
                    .optional(instant("createdAfter").doc("Only jobs created then or later."))
                    .optional(instant("createdBefore").doc("Only jobs created earlier."))
                    .optional(instant("finishedBefore").doc("Only jobs that died earlier."))
                    .optional(
                            text("errorContains")
                                    .length(1, REASON_MAX)
                                    .doc("Only jobs whose errorMessage holds this."))
                    .optional(
                            array("ids", text("id").pattern(QueueSpecs.UUID_PATTERN))
                                    .items(1, Bulk.IDS_MAX)
                                    .doc("Only these jobs."));

    static final ObjectSpec REQUEUE =
            ObjectSpec.named("QueueDeadLetterRequeue")
                    .example("{\"filter\":{\"type\":\"codex_exec\"},\"limit\":100}")
                    .optional(object("filter", FILTER))
                    .optional(
                            integer("limit")
                                    .range(1, DeadLetters.REQUEUED_MAX)
                                    .orElse(LIMIT_DEFAULT)
                                    .doc("Largest number of jobs, the oldest first."))
                    .optional(
                            text("reason").length(1, REASON_MAX).doc("Reason for the audit log."));

    static final ObjectSpec REQUEUE_ANSWER =
            ObjectSpec.answer("QueueDeadLettersRequeued")
                    .required(integer("requeued").range(0, DeadLetters.REQUEUED_MAX))
                    .required(array("jobIds", text("id").pattern(QueueSpecs.UUID_PATTERN)))
                    .required(bool("hasMore").doc("Whether more may match."));
}
