package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.TaskSpecs.PROFILE;

import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.type.WorkType.Defaults;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Terms;
import io.orchestrion.kernel.work.Terms.OnConflict;
import io.orchestrion.kernel.work.Terms.Parents;
import io.orchestrion.kernel.work.Terms.Unique;
import io.orchestrion.server.http.TraceContext;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Makes work out of what a producer sent, wherever it was sent.
final class TaskDrafts {
    private TaskDrafts() {}

    /// @param body read by [TaskSpecs#CREATE], or by a spec that has its fields
    /// @param parents beside those that the body names
    /// @param defaults what the type says where the producer said nothing: [TypeRules] gives them
    static NewWork task(UUID account, Values body, Defaults defaults, List<UUID> parents) {
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
                        terms(body, parents))
                .traced(TraceContext.traceparent())
                .givingUpAfter(giveUpAfterMs(body));
    }

    private static @Nullable Long giveUpAfterMs(Values body) {
        Long seconds = body.integerOrNull("giveUpAfterSeconds");
        return seconds == null ? null : seconds * 1000;
    }

    private static int said(Values body, String field, @Nullable Integer byType) {
        return byType == null || body.has(field) ? body.int32(field) : byType;
    }

    private static Terms terms(Values body, List<UUID> parents) {
        return new Terms(
                body.textOrNull("concurrencyKey"),
                body.textOrNull("rateKey"),
                unique(body.objectOrNull("unique")),
                parents(body, parents));
    }

    private static @Nullable Parents parents(Values body, List<UUID> more) {
        // One that is named twice is waited for once.
        List<UUID> ids =
                Stream.concat(body.texts("dependsOn").stream().map(UUID::fromString), more.stream())
                        .distinct()
                        .toList();
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
