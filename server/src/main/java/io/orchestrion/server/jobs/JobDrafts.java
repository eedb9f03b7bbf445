package io.orchestrion.server.jobs;

import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.NewJob;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.CanonicalJson;
import io.orchestrion.kernel.json.Values;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/// Makes a job out of a body, or says every rule that stands against it. What the engine has to
/// look at for, such as the database's time, is left to it.
final class JobDrafts {
    private final JobsOptions options;
    private final Egress egress;

    JobDrafts(JobsOptions options, Egress egress) {
        this.options = options;
        this.egress = egress;
    }

    /// What came of reading a body.
    sealed interface Draft {
        record Ready(NewJob job) implements Draft {}

        record Faulty(JobsError error, List<BodyFault> faults) implements Draft {}
    }

    /// @param onceKey the idempotency key, null for none
    Draft of(UUID account, Values body, @Nullable String onceKey, @Nullable String traceparent) {
        var faults = new ArrayList<BodyFault>();
        JobType type = type(body.text("type"), faults);
        Instant at = body.instantOrNull("execution_at");
        if (type == JobType.DEFERRED && at == null) {
            return new Draft.Faulty(
                    JobsError.REQUEST_MALFORMED,
                    List.of(
                            new BodyFault(
                                    "execution_at",
                                    "execution_at is required for a DEFERRED job",
                                    null)));
        }
        if (type != null && type != JobType.DEFERRED && at != null) {
            fault(
                    faults,
                    "execution_at",
                    "DEFERRED only",
                    "execution_at is for DEFERRED jobs; " + type + " runs as soon as possible");
        }
        String callback = body.textOrNull("callback");
        checkCallback(callback, faults);
        String kind = body.textOrNull("work_kind");
        checkKind(kind, faults);
        String payload = body.jsonOrNull("payload");
        checkPayload(payload, faults);
        String handler = body.textOrNull("handler");
        checkHandler(handler, faults);
        if (type == null || !faults.isEmpty()) {
            return new Draft.Faulty(JobsError.JOB_VALIDATION_FAILED, faults);
        }
        return new Draft.Ready(
                new NewJob(
                        account,
                        type,
                        at == null ? null : at.toEpochMilli(),
                        kind,
                        payload,
                        callback,
                        onceKey == null
                                ? null
                                : NewJob.keyOf(
                                        account,
                                        onceKey,
                                        CanonicalJson.digest(body, "idempotency_key")),
                        body.bool("auto_retry"),
                        handler,
                        traceparent));
    }

    private static void fault(
            List<BodyFault> faults, String field, @Nullable String bound, String message) {
        faults.add(new BodyFault(field, message, bound));
    }

    private @Nullable JobType type(String word, List<BodyFault> faults) {
        for (JobType type : options.types()) {
            if (type.name().equals(word)) {
                return type;
            }
        }
        List<String> allowed = options.types().stream().map(JobType::name).sorted().toList();
        fault(
                faults,
                "type",
                String.join("|", allowed),
                "type must be one of " + String.join(", ", allowed));
        return null;
    }

    /// Refuses an address that every delivery would be refused for, as far as that is known without
    /// looking a name up. A look-up takes as long as others like, and is done before each delivery
    /// anyway.
    private void checkCallback(@Nullable String callback, List<BodyFault> faults) {
        String fault = callback == null ? null : egress.knownFault(callback);
        if (fault != null) {
            fault(faults, "callback", null, "callback " + fault);
        }
    }

    private static void checkKind(@Nullable String kind, List<BodyFault> faults) {
        if (kind == null) {
            return;
        }
        WorkKind known = WorkKind.named(kind);
        if (known == null) {
            fault(
                    faults,
                    "work_kind",
                    JobsSpecs.KINDS.stream().collect(Collectors.joining("|")),
                    "work_kind must be one of " + String.join(", ", JobsSpecs.KINDS));
        } else if (known.refused()) {
            fault(faults, "work_kind", null, "work_kind " + kind + " stands for an invalid job");
        }
    }

    private void checkPayload(@Nullable String payload, List<BodyFault> faults) {
        if (payload == null) {
            return;
        }
        int bytes = payload.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > options.maxPayloadBytes()) {
            fault(
                    faults,
                    "payload",
                    String.valueOf(options.maxPayloadBytes()),
                    "payload must be at most "
                            + options.maxPayloadBytes()
                            + " bytes as compact JSON, was "
                            + bytes);
        }
    }

    private static void checkHandler(@Nullable String handler, List<BodyFault> faults) {
        if (handler != null
                && (handler.length() > JobsSpecs.HANDLER_MAX
                        || !handler.matches(JobsSpecs.HANDLER_PATTERN))) {
            fault(
                    faults,
                    "handler",
                    JobsSpecs.HANDLER_PATTERN,
                    "handler must be 1 to "
                            + JobsSpecs.HANDLER_MAX
                            + " letters, digits or any of . _ : -");
        }
    }
}
