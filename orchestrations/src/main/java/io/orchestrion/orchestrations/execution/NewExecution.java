package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.combine.OfAccount;
import io.orchestrion.orchestrations.execution.Execution.Parent;
import io.orchestrion.orchestrations.execution.Execution.Target;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// An execution that somebody asks for.
///
/// @param version of the definition; null for the newest published one
/// @param input JSON text
/// @param idempotencyKey null where the caller has none: then each call makes an execution
/// @param correlationId null for one that is made
/// @param digest of definition, asked version, target and input, by which a repeated call is known
/// @param parent the execution whose step starts it; null where no step does
public record NewExecution(
        UUID accountId,
        UUID definition,
        @Nullable Integer version,
        Target target,
        String input,
        @Nullable String idempotencyKey,
        @Nullable String correlationId,
        @Nullable String trace,
        UUID digest,
        @Nullable Parent parent)
        implements OfAccount {

    /// One that no step starts.
    public NewExecution(
            UUID accountId,
            UUID definition,
            @Nullable Integer version,
            Target target,
            String input,
            @Nullable String idempotencyKey,
            @Nullable String correlationId,
            @Nullable String trace,
            UUID digest) {
        this(
                accountId,
                definition,
                version,
                target,
                input,
                idempotencyKey,
                correlationId,
                trace,
                digest,
                null);
    }
}
