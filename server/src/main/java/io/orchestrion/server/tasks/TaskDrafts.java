package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskSpecs.PROFILE;

import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Terms;
import io.orchestrion.server.json.Values;

import java.time.Instant;
import java.util.UUID;

/// Makes work out of what a producer sent, wherever it was sent.
final class TaskDrafts {
    private TaskDrafts() {}

    /// @param body read by [TaskSpecs#CREATE], or by a spec that has its fields
    static NewWork task(UUID account, Values body) {
        Instant scheduledAt = body.instantOrNull("scheduledAt");
        return new NewWork(
                account,
                PROFILE,
                PROFILE.queue(),
                body.text("type"),
                body.json("payload"),
                body.int32("priority"),
                scheduledAt == null ? null : scheduledAt.toEpochMilli(),
                null,
                body.int32("maxAttempts"),
                body.int32("leaseDurationSeconds"),
                null,
                null,
                terms(body));
    }

    private static Terms terms(Values body) {
        return new Terms(body.textOrNull("concurrencyKey"), body.textOrNull("rateKey"), null, null);
    }
}
