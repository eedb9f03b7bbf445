package io.orchestrion.kernel.bulk;

import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.idempotency.StoredAnswer;
import io.orchestrion.kernel.identity.Principal;
import io.orchestrion.kernel.work.Ids;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/// Operations on many items, as an account asks for them and looks at them; [BulkRunner] carries
/// them out.
public final class Bulk {
    public static final int RUNNING_MAX = 10;
    public static final int ITEMS_MAX = 1_000_000;
    public static final int IDS_MAX = 1000;

    /// The most rows that are looked at to count how many match; beyond that the number is "at
    /// least".
    public static final int COUNTED_MAX = 100_000;

    public static final String CREATED = "operation.created";
    public static final String CANCELLED = "operation.cancelled";
    public static final String FINISHED = "operation.finished";
    public static final String FAILED = "operation.failed";

    /// A step holds the operation for a moment, and for some more while it waits for a task.
    private static final int STOP_TRIES = 5;

    /// Above every id there is.
    private static final UUID LAST_ID = new UUID(-1, -1);

    private final Database database;
    private final Ids ids;
    private final Idempotency idempotency;

    public Bulk(Database database, Ids ids, Idempotency idempotency) {
        this.database = database;
        this.ids = ids;
        this.idempotency = idempotency;
    }

    /// Shows what the request would change, without doing anything.
    public BulkPreview preview(BulkRequest request) {
        return database.transaction(
                tx -> BulkSql.matching(tx, request, tx.nowMillis(), COUNTED_MAX));
    }

    /// Makes an operation, which begins within a moment.
    ///
    /// @param key null where the caller gave none
    /// @param answer what a repeated request with the key is answered with
    public BulkMade create(
            BulkRequest request,
            @Nullable IdempotencyKey key,
            Function<BulkOperation, StoredAnswer> answer) {
        try {
            return database.transaction(tx -> create(tx, request, key, answer));
        } catch (StoreException e) {
            if (key != null && e.kind() == StoreException.Kind.LOCKED) {
                return new BulkMade.KeyInFlight();
            }
            throw e;
        }
    }

    private BulkMade create(
            Tx tx,
            BulkRequest request,
            @Nullable IdempotencyKey key,
            Function<BulkOperation, StoredAnswer> answer)
            throws SQLException {
        UUID account = request.by().accountId();
        BulkSql.lockAccount(tx, account);
        // A repeated request is answered also when no more may be made.
        Reservation known = key == null ? null : idempotency.peek(tx, account, key);
        if (known != null) {
            return notOurs(known);
        }
        if (BulkSql.running(tx, account) >= RUNNING_MAX) {
            return new BulkMade.TooMany(RUNNING_MAX);
        }
        BulkPreview matching = BulkSql.matching(tx, request, tx.nowMillis(), COUNTED_MAX);
        BulkOperation made = BulkSql.insert(tx, ids.next(tx.nowMillis()), request, matching);
        if (key != null) {
            var claim = new Idempotency.Claim(key, made.id(), answer.apply(made));
            Reservation reserved = idempotency.reserve(tx, account, List.of(claim)).getFirst();
            if (!(reserved instanceof Reservation.Ours)) {
                // The lock of the account keeps every other request of its keys away.
                throw new IllegalStateException("a key that was free is taken");
            }
        }
        Audit.write(
                tx,
                account,
                Actor.key(request.by().keyId()),
                CREATED,
                subject(made.id()),
                Detail.none()
                        .text("action", request.action().word())
                        .text("reason", request.why())
                        .number("matched", made.matched())
                        .number("max", made.max()));
        return new BulkMade.Made(made);
    }

    private static BulkMade notOurs(Reservation reservation) {
        return switch (reservation) {
            case Reservation.Replay(var stored) -> new BulkMade.Replayed(stored);
            case Reservation.Conflict _ -> new BulkMade.KeyConflict();
            case Reservation.InFlight _ -> new BulkMade.KeyInFlight();
            case Reservation.Ours _ -> throw new IllegalStateException("nothing was reserved");
        };
    }

    static Subject subject(UUID id) {
        return Subject.of("operation", id);
    }

    /// The numbers for the entry at the end of an operation.
    static Detail numbers(BulkOperation operation) {
        return Detail.none()
                .text("action", operation.action().word())
                .number("done", operation.done())
                .number("skipped", operation.skipped())
                .number("failed", operation.failed());
    }

    public @Nullable BulkOperation get(UUID account, UUID id) {
        return database.transaction(tx -> BulkSql.get(tx, account, id));
    }

    /// Newest first.
    ///
    /// @param before only older ones than this; null for all
    public List<BulkOperation> list(UUID account, @Nullable UUID before, int most) {
        return database.transaction(
                tx -> BulkSql.page(tx, account, before == null ? LAST_ID : before, most));
    }

    /// From the commit on nothing more is done. Changes made before it stay.
    public BulkStop cancel(Principal by, UUID id) {
        for (int tries = 1; ; tries++) {
            try {
                return database.transaction(tx -> cancel(tx, by, id));
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.LOCKED || tries == STOP_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static BulkStop cancel(Tx tx, Principal by, UUID id) throws SQLException {
        BulkOperation operation = BulkSql.lockAny(tx, by.accountId(), id);
        if (operation == null) {
            return new BulkStop.NotFound();
        }
        return switch (operation.state()) {
            case CANCELLED -> new BulkStop.Stopped(operation);
            case FINISHED, FAILED -> new BulkStop.Ended(operation);
            case RUNNING -> {
                BulkOperation stopped = operation.ended(BulkState.CANCELLED, tx.nowMillis());
                BulkSql.store(tx, stopped, null);
                Audit.write(
                        tx,
                        by.accountId(),
                        Actor.key(by.keyId()),
                        CANCELLED,
                        subject(id),
                        numbers(stopped));
                yield new BulkStop.Stopped(stopped);
            }
        };
    }
}
