package io.orchestrion.jobs;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.DeadlinePassed;
import io.orchestrion.kernel.db.Session;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.Repeated;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/// Runs the part of each account in one claim of jobs. Where one machine has all accounts, a part
/// runs in the transaction of the claim. Where accounts are spread, each part has a transaction of
/// its own. The transaction of the claim stays open around them: it holds the lock by which claims
/// take turns, and writes nothing. So no transaction that writes events spans two accounts
/// (decision 164).
final class AccountParts {
    private static final Logger log = LoggerFactory.getLogger(AccountParts.class);

    /// All other claims wait while this one runs, so the number of its transactions is bounded. The
    /// next claim takes up the rest.
    private static final int MOST_APART = 50;

    private final Database database;
    private final Tx claim;
    private final Repeated warnings;
    private final Set<UUID> failed = new HashSet<>();
    private @Nullable RuntimeException failure;
    private int begun;
    private boolean stopped;

    /// @param warnings of all claims: runners ask again and again while an account fails
    AccountParts(Database database, Tx claim, Repeated warnings) {
        this.database = database;
        this.claim = claim;
        this.warnings = warnings;
    }

    /// Whether each part has a transaction of its own.
    boolean apart() {
        return database.isDistributed();
    }

    /// Runs one account's part; null when it failed. In the shared transaction a failure is thrown,
    /// because it ends the whole claim. With transactions apart, parts of other accounts may be
    /// committed already and their jobs have to be answered, so a failure is kept and logged.
    <T> @Nullable T run(UUID account, Session.Body<T> part) throws SQLException {
        if (!apart()) {
            return part.run(claim);
        }
        begun++;
        try {
            return database.retried(part);
        } catch (RuntimeException e) {
            long times = warnings.due();
            if (times > 0) {
                log.warn("jobs of account {} could not be given out ({} times)", account, times, e);
            }
            failure = e;
            failed.add(account);
            stopped |= StoreException.ofWholeStore(e) || e instanceof DeadlinePassed;
            return null;
        }
    }

    /// Whether a part of this account may begin. It may not after the account has failed in this
    /// claim, when the store or the time has failed for all, or when the bound is reached.
    boolean mayBegin(UUID account) {
        return !stopped && begun < MOST_APART && !failed.contains(account);
    }

    /// The newest failure, null without any.
    @Nullable RuntimeException failure() {
        return failure;
    }
}
