package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// Which dead letters to list, newest first. Each method returns a changed copy.
///
/// ```java
/// Page<DeadLetter> open = client.orchestrations().deadLetters().list(
///         DeadLetterQuery.ALL.withStatus("open").withReason("attempts_exhausted"));
/// ```
///
/// @param status such as `open`; null for all
/// @param reason such as `non_retryable`; null for all
/// @param from not before; null for no bound
/// @param to before; null for no bound
/// @param limit 1 to 100; null for the server's default of 50
/// @param cursor the cursor of the page before; null for the first page
public record DeadLetterQuery(
        @Nullable String status,
        @Nullable String reason,
        @Nullable UUID definitionId,
        @Nullable UUID executionId,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Every dead letter.
    public static final DeadLetterQuery ALL =
            new DeadLetterQuery(null, null, null, null, null, null, null, null);

    public DeadLetterQuery withStatus(@Nullable String status) {
        return new DeadLetterQuery(
                status, reason, definitionId, executionId, from, to, limit, cursor);
    }

    public DeadLetterQuery withReason(@Nullable String reason) {
        return new DeadLetterQuery(
                status, reason, definitionId, executionId, from, to, limit, cursor);
    }

    public DeadLetterQuery ofDefinition(@Nullable UUID id) {
        return new DeadLetterQuery(status, reason, id, executionId, from, to, limit, cursor);
    }

    public DeadLetterQuery ofExecution(@Nullable UUID id) {
        return new DeadLetterQuery(status, reason, definitionId, id, from, to, limit, cursor);
    }

    public DeadLetterQuery between(@Nullable Instant from, @Nullable Instant to) {
        return new DeadLetterQuery(
                status, reason, definitionId, executionId, from, to, limit, cursor);
    }

    public DeadLetterQuery withLimit(@Nullable Integer limit) {
        return new DeadLetterQuery(
                status, reason, definitionId, executionId, from, to, limit, cursor);
    }

    public DeadLetterQuery after(@Nullable String cursor) {
        return new DeadLetterQuery(
                status, reason, definitionId, executionId, from, to, limit, cursor);
    }

    Parameters parameters() {
        return new Parameters()
                .with("status", status)
                .with("reason", reason)
                .with("definition_id", definitionId)
                .with("execution_id", executionId)
                .with("from", from)
                .with("to", to)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
