package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskSpecs.PROFILE;

import io.orchestrion.kernel.type.WorkType.Defaults;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Terms;
import io.orchestrion.server.json.Values;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// Makes work out of what a producer sent, wherever it was sent.
final class TaskDrafts {
    private TaskDrafts() {}

    /// @param body read by [TaskSpecs#CREATE], or by a spec that has its fields
    /// @param defaults what the type says where the producer said nothing: [TypeRules] gives them
    static NewWork task(UUID account, Values body, Defaults defaults) {
        Instant scheduledAt = body.instantOrNull("scheduledAt");
        return new NewWork(
                account,
                PROFILE,
                PROFILE.queue(),
                body.text("type"),
                body.json("payload"),
                said(body, "priority", defaults.priority()),
                scheduledAt == null ? null : scheduledAt.toEpochMilli(),
                null,
                said(body, "maxAttempts", defaults.maxAttempts()),
                said(body, "leaseDurationSeconds", defaults.leaseSeconds()),
                null,
                null,
                terms(body));
    }

    private static int said(Values body, String field, @Nullable Integer byType) {
        return byType == null || body.has(field) ? body.int32(field) : byType;
    }

    private static Terms terms(Values body) {
        return Terms.NONE;
    }
}
