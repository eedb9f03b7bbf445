package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/// Work for many accounts at once. On a single machine it is one transaction, which costs the same
/// however many accounts there are. Where accounts are spread over several machines, each has a
/// transaction of its own, because its rows are on another machine (decision 160).
public final class PerAccount {

    /// Does it in the transaction.
    @FunctionalInterface
    public interface Body<T, R> {
        /// @param one the account of all of them; null when they may be of several
        List<R> run(Tx tx, @Nullable UUID one, List<T> some) throws SQLException;
    }

    private PerAccount() {}

    public static <T, R> List<R> list(
            Database database, List<T> all, Function<T, UUID> account, Body<T, R> body) {
        if (!database.isDistributed()) {
            return database.transaction(tx -> body.run(tx, null, all));
        }
        var answers = new ArrayList<R>();
        groups(all, account)
                .forEach(
                        (one, some) ->
                                answers.addAll(
                                        database.transaction(tx -> body.run(tx, one, some))));
        return answers;
    }

    /// In the order of the accounts, which is the same for every caller.
    private static <T> TreeMap<UUID, List<T>> groups(List<T> all, Function<T, UUID> account) {
        var groups = new TreeMap<UUID, List<T>>();
        for (T each : all) {
            groups.computeIfAbsent(account.apply(each), _ -> new ArrayList<>()).add(each);
        }
        return groups;
    }
}
