package io.orchestrion.runs.check;

import io.orchestrion.kernel.db.Database;

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
        return database.transaction(
                tx -> {
                    var looked = CheckSql.attempts(tx, from, most);
                    return new Page(looked.found(), looked.seen() < most ? null : looked.last());
                });
    }
}
