package io.orchestrion.runs.credit;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.audit.Actor;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.Detail;
import io.orchestrion.kernel.audit.Subject;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/// Credits as a door sees them: what an account has, and what the server's operator does about it.
/// What the operator does is a part of the caller's transaction, everything else is one of its own.
public final class Credits {
    private final Kernel kernel;
    private final Database database;
    private final Ledger ledger;

    public Credits(Kernel kernel, Ledger ledger) {
        this.kernel = kernel;
        this.database = kernel.database();
        this.ledger = ledger;
    }

    public Balance balance(UUID account) {
        return database.retried(tx -> ledger.balance(tx, account));
    }

    /// Entries in order.
    ///
    /// @param run null for those of all runs, and grants
    /// @param after the [Entry#seq] to go on from, 0 for the beginning
    public List<Entry> entries(UUID account, @Nullable UUID run, long after, int most) {
        return database.retried(
                tx -> {
                    // The first look makes the first entry.
                    ledger.balance(tx, account);
                    return CreditSql.page(tx, account, run, after, most);
                });
    }

    /// What the account was told, oldest first.
    public List<Notice> notices(UUID account, @Nullable UUID after, int most) {
        UUID from = Objects.requireNonNullElse(after, new UUID(0, 0));
        return database.transaction(tx -> CreditSql.notices(tx, account, from, most));
    }

    /// Credits that the operator gives.
    ///
    /// @param key the same grant for the same key, however often it is asked for
    /// @param by the operator's key
    public record GrantRequest(
            UUID account, BigDecimal amount, String key, @Nullable String reason, UUID by) {}

    public Grant grant(Tx tx, GrantRequest asked) throws SQLException {
        UUID account = asked.account();
        Grant came = ledger.grant(tx, account, asked.amount(), asked.key(), asked.reason());
        if (came instanceof Grant.Granted(var entry, var again) && !again) {
            kernel.subjects().append(tx, account, List.of(CreditSubjects.granted(entry)));
            audit(tx, account, asked.by(), "credits.granted", entry);
        }
        return came;
    }

    /// Gives a charge back: the entry, the balance, what the account is told, and the audit.
    ///
    /// @param charge the id of its entry
    /// @param by the operator's key
    public Reversal reverse(Tx tx, UUID charge, @Nullable String reason, UUID by)
            throws SQLException {
        UUID account = CreditSql.owner(tx, charge);
        if (account == null) {
            return new Reversal.NoEntry();
        }
        Reversal came = ledger.reverse(tx, account, charge, reason);
        if (came instanceof Reversal.Reversed(var _, var entry, var again) && !again) {
            Notice notice = Notice.of(entry);
            CreditSql.notify(tx, account, notice);
            kernel.subjects().append(tx, account, List.of(CreditSubjects.reversed(entry, notice)));
            audit(tx, account, by, "credits.reversed", entry);
        }
        return came;
    }

    private static void audit(Tx tx, UUID account, UUID by, String action, Entry entry)
            throws SQLException {
        Subject subject = Subject.of("credit", entry.id());
        Entry.Of attempt = entry.attempt();
        Audit.write(
                tx,
                account,
                Actor.key(by),
                action,
                attempt == null ? subject : subject.within(attempt.run()),
                Detail.none()
                        .text("amount", entry.amount().toPlainString())
                        .text("key", entry.key())
                        .text("reason", entry.reason()));
    }
}
