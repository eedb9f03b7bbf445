package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskSpecs.PROFILE;

import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Terms;
import io.orchestrion.kernel.work.Terms.OnConflict;
import io.orchestrion.kernel.work.Terms.Parents;
import io.orchestrion.kernel.work.Terms.Unique;
import io.orchestrion.server.json.Values;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;

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
        return new Terms(null, null, unique(body.objectOrNull("unique")), parents(body));
    }

    private static @Nullable Parents parents(Values body) {
        // One that is named twice is waited for once.
        List<UUID> ids = body.texts("dependsOn").stream().map(UUID::fromString).distinct().toList();
        return ids.isEmpty()
                ? null
                : new Parents(ids, IfParentFails.of(body.text("onDependencyFailure")));
    }

    private static @Nullable Unique unique(@Nullable Values body) {
        if (body == null) {
            return null;
        }
        List<String> words = body.has("states") ? body.texts("states") : TermsSpecs.UNIQUE_STATES;
        Long period = body.integerOrNull("periodSeconds");
        return new Unique(
                body.text("key"),
                words.stream()
                        .flatMap(word -> TaskStatus.of(word).states().stream())
                        .collect(Collectors.toSet()),
                period == null ? null : period * 1000,
                OnConflict.valueOf(body.text("onConflict").toUpperCase(Locale.ROOT)));
    }
}
