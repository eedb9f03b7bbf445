package io.orchestrion.runs.credit;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.runs.credit.Book.Wanted;
import io.orchestrion.runs.credit.CreditSql.Found;
import io.orchestrion.runs.credit.CreditSql.Standing;
import io.orchestrion.runs.credit.CreditSql.Stored;
import io.orchestrion.runs.credit.CreditSql.Whole;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The only writer of balances and entries. Each verb is a part of its caller's transaction, and
/// holds the lock of the account's balance from its first statement until the commit: the lock puts
/// the entries of an account in order. A caller that also locks a run does so before.
///
/// Every entry has a key, and a verb that comes again with its key changes nothing.
public final class Ledger {
    /// More than this no account has, and no entry moves.
    public static final BigDecimal AMOUNT_MAX = new BigDecimal(1_000_000_000_000L);

    private static final String INITIAL = "initial";

    private final Ids ids;
    private final InitialGrants initial;

    public Ledger(Ids ids, InitialGrants initial) {
        this.ids = ids;
        this.initial = initial;
    }

    /// Takes the amount from what is available. Asked again for the same attempt, it answers with
    /// the first entry.
    public Reservation reserve(Tx tx, UUID account, UUID run, int attempt, BigDecimal amount)
            throws SQLException {
        var of = new Entry.Of(run, attempt);
        var wanted = new Wanted(EntryKind.RESERVE, positive(amount), of.key("reserve"));
        var book = new Book(ids, account, locked(tx, account, of, List.of(wanted.key())), of);
        Entry before = book.before(wanted);
        if (before != null) {
            return new Reservation.Reserved(before);
        }
        BigDecimal available = book.balance().available();
        if (available.compareTo(wanted.amount()) < 0) {
            return new Reservation.Insufficient(wanted.amount(), available);
        }
        return new Reservation.Reserved(book.write(tx, List.of(wanted)).getFirst());
    }

    /// Spends a part of what the attempt has reserved. It is never taken from what is available.
    public Charge charge(Tx tx, UUID account, UUID run, int attempt, BigDecimal amount, String key)
            throws SQLException {
        var of = new Entry.Of(run, attempt);
        var wanted = new Wanted(EntryKind.CHARGE, positive(amount), key);
        var book = new Book(ids, account, locked(tx, account, of, List.of(key)), of);
        Entry before = book.before(wanted);
        if (before != null) {
            return new Charge.Charged(before);
        }
        if (book.held().compareTo(wanted.amount()) < 0) {
            return new Charge.Beyond(book.held());
        }
        return new Charge.Charged(book.write(tx, List.of(wanted)).getFirst());
    }

    /// The attempt is over: what it used is spent, and the rest of its reservation is available
    /// again. Nothing is written for zero. A second call for the same attempt changes nothing.
    ///
    /// @throws IllegalStateException when the attempt has not reserved so much. The caller's row
    ///     and the ledger differ, and nothing of the transaction may be committed
    public void settle(
            Tx tx, UUID account, UUID run, int attempt, BigDecimal charged, BigDecimal refunded)
            throws SQLException {
        var of = new Entry.Of(run, attempt);
        var wanted = new ArrayList<Wanted>();
        add(wanted, EntryKind.CHARGE, charged, of.key("charge"));
        add(wanted, EntryKind.RELEASE, refunded, of.key("refund"));
        if (wanted.isEmpty()) {
            return;
        }
        List<String> keys = wanted.stream().map(Wanted::key).toList();
        var book = new Book(ids, account, locked(tx, account, of, keys), of);
        wanted.removeIf(each -> book.before(each) != null);
        BigDecimal sum =
                wanted.stream().map(Wanted::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
        if (book.held().compareTo(sum) < 0) {
            throw new IllegalStateException(
                    "attempt "
                            + attempt
                            + " of run "
                            + run
                            + " has "
                            + book.held()
                            + " reserved and cannot settle "
                            + sum);
        }
        book.write(tx, wanted);
    }

    private static void add(List<Wanted> wanted, EntryKind kind, BigDecimal amount, String key) {
        BigDecimal stored = Prices.stored(amount);
        if (stored.signum() != 0) {
            wanted.add(new Wanted(kind, positive(stored), key));
        }
    }

    /// Notes what attempts of steps used. Each does so once in its life: a second row for one fails
    /// the transaction.
    public void use(Tx tx, UUID account, List<Usage> usage) {
        if (!usage.isEmpty()) {
            CreditSql.use(tx, account, usage);
        }
    }

    /// Removes what the steps of a run used, when the run itself is removed; the transaction has
    /// said `orchestrion.runs_purged`. Entries of the ledger stay.
    ///
    /// @return how many rows went; fewer than `most` when none is left
    public int forgetUsage(Tx tx, UUID account, UUID run, int most) throws SQLException {
        return CreditSql.forgetUsage(tx, account, run, most);
    }

    /// What the account has. The first look gives it its initial credits.
    public Balance balance(Tx tx, UUID account) throws SQLException {
        Standing standing = CreditSql.balance(tx, account);
        if (standing == null) {
            open(tx, account);
            standing = CreditSql.balance(tx, account);
        }
        return Book.there(standing, account).balance();
    }

    private Found locked(Tx tx, UUID account, Entry.Of of, List<String> keys) throws SQLException {
        Found found = CreditSql.lock(tx, account, of, keys);
        if (found.standing() != null) {
            return found;
        }
        open(tx, account);
        return CreditSql.lock(tx, account, of, keys);
    }

    /// Of several that look first at the same time, one inserts the row. The others wait for its
    /// commit there, and then find the grant made.
    private void open(Tx tx, UUID account) throws SQLException {
        boolean ours = CreditSql.open(tx, account) == 1;
        BigDecimal amount = initial.of(account);
        if (ours && amount.signum() > 0) {
            var wanted = new Wanted(EntryKind.GRANT, amount, INITIAL);
            new Book(ids, account, CreditSql.lockForGrant(tx, account, INITIAL), null)
                    .write(tx, List.of(wanted));
        }
    }

    /// Lets credits in.
    public Grant grant(Tx tx, UUID account, BigDecimal amount, String key, @Nullable String reason)
            throws SQLException {
        var wanted = new Wanted(EntryKind.GRANT, positive(amount), key);
        Found found = CreditSql.lockForGrant(tx, account, key);
        if (found.standing() == null) {
            open(tx, account);
            found = CreditSql.lockForGrant(tx, account, key);
        }
        if (found.standing() == null) {
            return new Grant.NoAccount();
        }
        var book = new Book(ids, account, found, null);
        Entry before = book.before(wanted);
        if (before != null) {
            return before.amount().compareTo(wanted.amount()) == 0
                    ? new Grant.Granted(before, true)
                    : new Grant.OtherAmount(before);
        }
        if (book.balance().balance().add(wanted.amount()).compareTo(AMOUNT_MAX) > 0) {
            return new Grant.TooMuch(book.balance());
        }
        return new Grant.Granted(
                book.write(tx, List.of(wanted), new Whole(null, null, reason)).getFirst(), false);
    }

    /// Gives a charge back, whole and once. The run's own figures stay as they are: they say what
    /// its reservation was spent on.
    public Reversal reverse(Tx tx, UUID account, UUID chargeId, @Nullable String reason)
            throws SQLException {
        Stored stored = CreditSql.entry(tx, account, chargeId);
        if (stored == null) {
            return new Reversal.NoEntry();
        }
        Entry charge = stored.entry();
        Entry.Of of = charge.attempt();
        if (charge.kind() != EntryKind.CHARGE || of == null) {
            return new Reversal.NoCharge(charge);
        }
        var wanted = new Wanted(EntryKind.REVERSAL, charge.amount(), "reversal:" + charge.id());
        var book = new Book(ids, account, locked(tx, account, of, List.of(wanted.key())), of);
        Entry before = book.before(wanted);
        if (before != null) {
            return new Reversal.Reversed(account, before, true);
        }
        var whole = new Whole(of, charge.id(), reason);
        Entry entry = book.write(tx, List.of(wanted), whole).getFirst();
        return new Reversal.Reversed(account, entry, false);
    }

    private static BigDecimal positive(BigDecimal amount) {
        BigDecimal stored = Prices.stored(amount);
        if (stored.signum() <= 0 || stored.compareTo(AMOUNT_MAX) > 0) {
            throw new IllegalArgumentException("the ledger has no entry of " + amount);
        }
        return stored;
    }
}
