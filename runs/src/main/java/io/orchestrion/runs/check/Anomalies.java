package io.orchestrion.runs.check;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// What is odd in the ledger, for the server's operator: such as an attempt of a run that was
/// charged twice.
public final class Anomalies {
    /// How many attempts a page looks at.
    private static final int ATTEMPTS = 1_000;

    private Anomalies() {}

    /// After this attempt.
    public record AttemptPlace(UUID account, UUID run, int attempt) {
        public static final AttemptPlace START =
                new AttemptPlace(RunsInvariants.FIRST_ID, RunsInvariants.FIRST_ID, 0);
    }

    /// @param next where to go on; null where all attempts were looked at
    public record Page(List<Anomaly> anomalies, @Nullable AttemptPlace next) {}

    public static Page page(Database database, AttemptPlace from) {
        return page(database, from, ATTEMPTS);
    }

    static Page page(Database database, AttemptPlace from, int most) {
        List<AttemptPlace> attempts =
                database.transaction(tx -> CheckSql.attemptsAfter(tx, from, most));
        List<Anomaly> odd =
                PerAccount.list(database, attempts, AttemptPlace::account, CheckSql::attempts);
        return new Page(odd, attempts.size() < most ? null : attempts.getLast());
    }
}
