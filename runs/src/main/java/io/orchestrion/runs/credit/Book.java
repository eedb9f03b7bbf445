package io.orchestrion.runs.credit;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.runs.credit.CreditSql.Found;
import io.orchestrion.runs.credit.CreditSql.Standing;
import io.orchestrion.runs.credit.CreditSql.Stored;
import io.orchestrion.runs.credit.CreditSql.Whole;
import io.orchestrion.runs.credit.CreditSql.Written;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The ledger of one account under its lock: what is there of an attempt, and what is added.
final class Book {
    /// An entry that is wanted; it is written where its key is new.
    record Wanted(EntryKind kind, BigDecimal amount, String key) {}

    private final Ids ids;
    private final UUID account;
    private final Entry.@Nullable Of attempt;
    private final List<Stored> found;
    private final long lastMs;
    private long seq;
    private Balance balance;
    private BigDecimal held;

    /// @param attempt that its caller is about; null for a grant
    Book(Ids ids, UUID account, Found locked, Entry.@Nullable Of attempt) {
        Standing standing = there(locked.standing(), account);
        this.ids = ids;
        this.account = account;
        this.attempt = attempt;
        this.found = locked.entries();
        this.lastMs = standing.entryMs();
        this.seq = standing.seq();
        this.balance = standing.balance();
        this.held = held(found, attempt);
    }

    static Standing there(@Nullable Standing standing, UUID account) {
        if (standing == null) {
            throw new IllegalArgumentException("there is no account " + account);
        }
        return standing;
    }

    private static BigDecimal held(List<Stored> found, Entry.@Nullable Of attempt) {
        BigDecimal held = Prices.stored(BigDecimal.ZERO);
        for (Stored each : found) {
            Entry.Of of = each.entry().attempt();
            BigDecimal after = each.heldAfter();
            if (after != null && of != null && of.equals(attempt)) {
                held = after;
            }
        }
        return held;
    }

    Balance balance() {
        return balance;
    }

    /// What the attempt has reserved and neither spent nor given back.
    BigDecimal held() {
        return held;
    }

    /// The entry that was written for the same key.
    @Nullable Entry before(Wanted wanted) {
        return found.stream()
                .map(Stored::entry)
                .filter(each -> each.kind() == wanted.kind() && each.key().equals(wanted.key()))
                .findFirst()
                .orElse(null);
    }

    List<Entry> write(Tx tx, List<Wanted> wanted) throws SQLException {
        return write(tx, wanted, new Whole(attempt, null, null));
    }

    /// Times never go back along the numbers, whatever the clock does.
    List<Entry> write(Tx tx, List<Wanted> wanted, Whole whole) throws SQLException {
        if (wanted.isEmpty()) {
            return List.of();
        }
        long atMs = Math.max(lastMs, tx.nowMillis());
        var written = new ArrayList<Written>();
        for (Wanted each : wanted) {
            written.add(next(each, ids.next(tx.nowMillis())));
        }
        CreditSql.write(tx, account, atMs, balance, written, whole);
        return written.stream().map(each -> each.entry(whole, atMs)).toList();
    }

    private Written next(Wanted wanted, UUID id) {
        EntryKind kind = wanted.kind();
        BigDecimal amount = wanted.amount();
        seq++;
        balance =
                new Balance(
                        with(balance.balance(), kind.toBalance(), amount),
                        with(balance.reserved(), kind.toReserved(), amount));
        held = with(held, kind.toHeld(), amount);
        return new Written(
                seq, id, kind, amount, wanted.key(), balance, kind.changesHeld() ? held : null);
    }

    private static BigDecimal with(BigDecimal from, int sign, BigDecimal amount) {
        return from.add(amount.multiply(BigDecimal.valueOf(sign)));
    }
}
