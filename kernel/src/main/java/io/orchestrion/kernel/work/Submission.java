package io.orchestrion.kernel.work;

import io.orchestrion.kernel.combine.OfAccount;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.StoredAnswer;

import org.jspecify.annotations.Nullable;

import java.util.UUID;
import java.util.function.Function;

/// Work to be handed in, once for its key where it has one.
///
/// @param answer makes the answer that is stored with the key; called inside the transaction
/// @param existingAnswer the same for an item that was there already, see [Terms.OnConflict]
/// @param id given where other submissions of the same round name it as their parent; else made
public record Submission(
        NewWork work,
        @Nullable IdempotencyKey key,
        Function<WorkView, StoredAnswer> answer,
        Function<WorkView, StoredAnswer> existingAnswer,
        @Nullable UUID id)
        implements OfAccount {

    @Override
    public UUID accountId() {
        return work.accountId();
    }

    public Submission(
            NewWork work, @Nullable IdempotencyKey key, Function<WorkView, StoredAnswer> answer) {
        this(work, key, answer, answer, null);
    }

    /// The same under that id, which is one of [Ids#next] that nothing else has.
    public Submission as(UUID given) {
        return new Submission(work, key, answer, existingAnswer, given);
    }

    public boolean hasTerms() {
        return work.terms().unique() != null || work.terms().parents() != null;
    }

    public static Submission of(NewWork work) {
        return new Submission(work, null, _ -> new StoredAnswer(0, ""));
    }
}
