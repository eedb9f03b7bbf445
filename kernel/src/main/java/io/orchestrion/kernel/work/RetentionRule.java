package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// When an item that ends now may be purged; null means not by itself. Stamped once, at the end,
/// so that a later change of terms never shortens what was promised.
@FunctionalInterface
public interface RetentionRule {
    RetentionRule BY_PROFILE =
            (profile, _, nowMs) ->
                    profile.retention().isZero()
                            ? null
                            : Long.valueOf(nowMs + profile.retention().toMillis());

    @Nullable Long purgeAfterMs(Profile profile, UUID accountId, long nowMs);
}
