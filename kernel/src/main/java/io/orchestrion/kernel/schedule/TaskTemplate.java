package io.orchestrion.kernel.schedule;

import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What every task of a schedule looks like.
///
/// @param payload JSON text, compact
public record TaskTemplate(
        String type, String payload, int priority, int maxAttempts, int leaseSeconds) {

    NewWork task(UUID account, @Nullable Long runAtMs) {
        return NewWork.of(account, Profiles.TASKS, type, payload)
                .prioritised(priority)
                .notBefore(runAtMs)
                .tryingAtMost(maxAttempts)
                .leasedFor(leaseSeconds);
    }
}
