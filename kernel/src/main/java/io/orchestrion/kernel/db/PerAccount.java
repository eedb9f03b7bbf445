package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/// What is done for many accounts at once. Where one machine has them all that is one transaction,
/// and so costs the same however many there are; where they are spread, each account has its own,
/// because its rows are elsewhere than those of the others (decision 160).
public final class PerAccount {

    /// Does it in the transaction.
    @FunctionalInterface
    public interface Body<T, R> {
        /// @param one whose all of them are; null when they may be of many
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

    /// In the order of the accounts, which is the same for everybody.
    private static <T> TreeMap<UUID, List<T>> groups(List<T> all, Function<T, UUID> account) {
        var groups = new TreeMap<UUID, List<T>>();
        for (T each : all) {
            groups.computeIfAbsent(account.apply(each), _ -> new ArrayList<>()).add(each);
        }
        return groups;
    }
}
