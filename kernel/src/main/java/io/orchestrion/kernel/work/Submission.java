package io.orchestrion.kernel.work;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/// Work to be handed in, once for its key where it has one.
///
/// @param answer makes the answer that is stored with the key; called inside the transaction
public record Submission(
        NewWork work, @Nullable IdempotencyKey key, Function<WorkView, StoredAnswer> answer) {

    public static Submission of(NewWork work) {
        return new Submission(work, null, _ -> new StoredAnswer(0, ""));
    }
}
