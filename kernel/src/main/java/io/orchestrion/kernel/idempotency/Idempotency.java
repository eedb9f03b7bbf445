package io.orchestrion.kernel.idempotency;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.idempotency.IdempotencySql.Slot;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Keys and their answers. The key's row, with the answer in it, is written in the transaction of
/// the effect: after a crash there is both or neither, and no key is ever stuck.
public final class Idempotency {

    /// A key with the answer that is to be stored if the key is free.
    public record Claim(IdempotencyKey key, UUID workId, StoredAnswer answer) {}

    /// Looks up the key of each claim, in order. Where the key is free, it is taken and the answer
    /// is stored. Claims of one call must name different keys.
    public List<Reservation> reserve(Tx tx, UUID account, List<Claim> claims) throws SQLException {
        List<IdempotencyKey> keys = claims.stream().map(Claim::key).toList();
        var reservations = new @Nullable Reservation[claims.size()];
        List<Slot> known = IdempotencySql.find(tx, account, keys);
        for (int i = 0; i < reservations.length; i++) {
            reservations[i] = judge(known, keys.get(i), tx.nowMillis());
        }
        var free = new ArrayList<Claim>();
        for (int i = 0; i < reservations.length; i++) {
            if (reservations[i] == null) {
                free.add(claims.get(i));
            }
        }
        Set<UUID> won = IdempotencySql.take(tx, account, free);
        // The claims that did not get their key: another transaction took it between the look and
        // the attempt, and its answer is there now.
        List<IdempotencyKey> lost =
                free.stream()
                        .filter(claim -> !won.contains(claim.workId()))
                        .map(Claim::key)
                        .toList();
        List<Slot> winners = lost.isEmpty() ? List.of() : IdempotencySql.find(tx, account, lost);
        var answers = new ArrayList<Reservation>();
        for (int i = 0; i < reservations.length; i++) {
            Reservation reservation = reservations[i];
            if (reservation == null && won.contains(claims.get(i).workId())) {
                reservation = new Reservation.Ours();
            } else if (reservation == null) {
                reservation = judge(winners, keys.get(i), tx.nowMillis());
            }
            answers.add(reservation == null ? new Reservation.InFlight() : reservation);
        }
        return answers;
    }

    /// Frees keys that were taken in this transaction, where nothing was made in the end.
    public void release(Tx tx, UUID account, List<UUID> workIds) throws SQLException {
        IdempotencySql.release(tx, account, workIds);
    }

    /// Replaces the answer of a key that was taken in this transaction, where the answer is known
    /// only later.
    ///
    /// @param draft the work id that it was taken with
    /// @param workId that of the item that the answer is about
    public record Restated(UUID draft, UUID workId, StoredAnswer answer) {}

    public void restate(Tx tx, UUID account, List<Restated> answers) throws SQLException {
        IdempotencySql.restate(tx, account, answers);
    }

    /// Looks up the key without taking it; null means that it is free.
    public @Nullable Reservation peek(Tx tx, UUID account, IdempotencyKey key) throws SQLException {
        return judge(IdempotencySql.find(tx, account, List.of(key)), key, tx.nowMillis());
    }

    /// Null means that the key is free to take.
    private static @Nullable Reservation judge(List<Slot> slots, IdempotencyKey key, long nowMs) {
        for (Slot slot : slots) {
            if (!slot.names(key) || slot.expiresMs() <= nowMs) {
                continue;
            }
            StoredAnswer answer = slot.answer();
            if (answer == null) {
                return slot.lockedUntilMs() <= nowMs ? null : new Reservation.InFlight();
            }
            return Arrays.equals(slot.requestHash(), key.requestHash())
                    ? new Reservation.Replay(answer)
                    : new Reservation.Conflict();
        }
        return null;
    }

    /// Removes expired answers, at most so many; returns how many went.
    public int purgeExpired(Tx tx, int most) throws SQLException {
        int gone = 0;
        for (UUID account : IdempotencySql.accountsWithExpired(tx, 100)) {
            gone += IdempotencySql.purgeExpired(tx, account, most);
        }
        return gone;
    }
}
