package io.orchestrion.kernel.idempotency;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency.Claim;
import io.orchestrion.kernel.idempotency.Idempotency.Restated;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/// Runs the verbs of an engine once for each key. The verb and its answer are one transaction, so a
/// request that is repeated after a lost answer finds both or neither.
public final class KeyedVerbs {
    /// A placeholder until the verb has its answer. No other transaction sees it.
    private static final StoredAnswer NOTHING_YET = new StoredAnswer(0, "");

    private final Database database;
    private final Idempotency idempotency;

    public KeyedVerbs(Database database, Idempotency idempotency) {
        this.database = database;
        this.idempotency = idempotency;
    }

    /// What a verb has done.
    ///
    /// @param subject what the answer is about: an engine that removes it frees its key with
    ///     [Idempotency#release]
    /// @param answer for a repeated request; null where nothing was done, and the key is free
    public record Made<T>(T value, UUID subject, @Nullable StoredAnswer answer) {
        /// A refusal that may become another answer when it is asked again.
        public static <T> Made<T> nothing(T refusal) {
            return new Made<>(refusal, new UUID(0, 0), null);
        }
    }

    /// Everything up to the commit may run twice.
    @FunctionalInterface
    public interface Verb<T> {
        Made<T> run(Tx tx) throws SQLException;
    }

    /// Runs the verb in a transaction of its own, which is repeated after a conflict.
    ///
    /// @param key null to run it in any case
    public <T> Keyed<T> once(UUID account, @Nullable IdempotencyKey key, Verb<T> verb) {
        // Whether it was the key that was waited for, and not something of the verb's own.
        var waits = new AtomicBoolean();
        try {
            return database.retried(
                    tx -> {
                        waits.set(key != null);
                        return once(
                                tx,
                                account,
                                key,
                                inner -> {
                                    waits.set(false);
                                    return verb.run(inner);
                                });
                    });
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.LOCKED && waits.get()) {
                return new Keyed.InFlight<>();
            }
            throw e;
        }
    }

    /// Runs the verb in the caller's transaction. The key is taken first: another request with the
    /// same key waits here, as long as a lock may be waited for.
    public <T> Keyed<T> once(Tx tx, UUID account, @Nullable IdempotencyKey key, Verb<T> verb)
            throws SQLException {
        if (key == null) {
            return new Keyed.Done<>(verb.run(tx).value());
        }
        UUID draft = UUID.randomUUID();
        Reservation said =
                idempotency
                        .reserve(tx, account, List.of(new Claim(key, draft, NOTHING_YET)))
                        .getFirst();
        return switch (said) {
            case Reservation.Ours() -> new Keyed.Done<>(noted(tx, account, draft, verb.run(tx)));
            case Reservation.Replay(var answer) -> new Keyed.Replayed<>(answer);
            case Reservation.Conflict() -> new Keyed.Conflict<>();
            case Reservation.InFlight() -> new Keyed.InFlight<>();
        };
    }

    private <T> T noted(Tx tx, UUID account, UUID draft, Made<T> made) throws SQLException {
        StoredAnswer answer = made.answer();
        if (answer == null) {
            idempotency.release(tx, account, List.of(draft));
        } else {
            idempotency.restate(tx, account, List.of(new Restated(draft, made.subject(), answer)));
        }
        return made.value();
    }
}
