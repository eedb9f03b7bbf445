package io.orchestrion.runs.check;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.runs.artifact.ArtifactOptions;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Invariants 1 to 8 of the contract, looked up in the stored rows. A walk goes over all rows of
/// all accounts in pages of bounded size, each a transaction that only reads.
///
/// Invariant 5 is a key of the database: it is there or not. So are parts of the others, whose
/// constraints and triggers are looked for, too.
public final class RunsInvariants {
    static final UUID FIRST_ID = new UUID(0, 0);

    /// How many rows a page looks at.
    private static final int ROWS = 1_000;

    /// After this time without a heartbeat a run is failed, and a sweeper takes so long at most to
    /// do it.
    private static final Duration HEARTBEAT_MAX = Duration.ofSeconds(60);

    private static final Duration SWEEPERS_SLACK = Duration.ofSeconds(30);

    /// Expired objects are gone after this time, if the store can be reached.
    private static final Duration REMOVED_WITHIN = Duration.ofMinutes(10);

    private RunsInvariants() {}

    /// What a walk looks at, one after the other.
    public enum Phase {
        GUARDS,
        RUNS,
        AGENTS,
        TASKS,
        ARTIFACTS,
        ENTRIES,
        BALANCES
    }

    /// Where a walk is: after this row.
    ///
    /// @param seq of an entry, whose place it is; 0 for other rows
    public record Place(Phase phase, UUID account, UUID id, long seq) {
        public static final Place START = startOf(Phase.GUARDS);

        static Place startOf(Phase phase) {
            return new Place(phase, FIRST_ID, FIRST_ID, 0);
        }
    }

    /// @param next where to go on; null at the end of the walk
    public record Page(List<Violation> violations, @Nullable Place next) {}

    /// A whole walk.
    public static List<Violation> violations(Database database) {
        var all = new ArrayList<Violation>();
        Place place = Place.START;
        while (place != null) {
            Page page = page(database, place, ROWS);
            all.addAll(page.violations());
            place = page.next();
        }
        return all;
    }

    /// One page of a walk.
    public static Page page(Database database, Place from) {
        return page(database, from, ROWS);
    }

    static Page page(Database database, Place from, int most) {
        if (from.phase() == Phase.GUARDS) {
            return new Page(database.transaction(CheckSql::guards), Place.startOf(Phase.RUNS));
        }
        List<Place> rows = database.transaction(tx -> after(tx, from, most));
        List<Violation> broken =
                PerAccount.list(
                        database,
                        rows,
                        Place::account,
                        (tx, one, some) -> broken(tx, from.phase(), one, some));
        return new Page(broken, rows.size() < most ? after(from.phase()) : rows.getLast());
    }

    private static List<Place> after(Tx tx, Place from, int most) throws SQLException {
        return switch (from.phase()) {
            case GUARDS -> List.of();
            case RUNS -> CheckSql.runsAfter(tx, from, most);
            case AGENTS -> CheckSql.agentsAfter(tx, from, most);
            case TASKS -> CheckSql.tasksAfter(tx, from, most);
            case ARTIFACTS -> CheckSql.artifactsAfter(tx, from, most);
            case ENTRIES -> CheckSql.entriesAfter(tx, from, most);
            case BALANCES -> CheckSql.balancesAfter(tx, from, most);
        };
    }

    /// @param one the account of all of them; null when they may be of several
    private static List<Violation> broken(Tx tx, Phase phase, @Nullable UUID one, List<Place> some)
            throws SQLException {
        return switch (phase) {
            case GUARDS -> List.of();
            case RUNS ->
                    CheckSql.runs(
                            tx,
                            one,
                            some,
                            tx.nowMillis() - HEARTBEAT_MAX.plus(SWEEPERS_SLACK).toMillis());
            case AGENTS -> CheckSql.agents(tx, one, some);
            case TASKS -> CheckSql.tasks(tx, one, some);
            case ARTIFACTS ->
                    CheckSql.artifacts(
                            tx,
                            one,
                            some,
                            ArtifactOptions.KEPT.toMillis(),
                            tx.nowMillis() - REMOVED_WITHIN.toMillis());
            case ENTRIES -> CheckSql.entries(tx, one, some);
            case BALANCES -> CheckSql.balances(tx, one, some);
        };
    }

    private static @Nullable Place after(Phase phase) {
        Phase[] all = Phase.values();
        int next = phase.ordinal() + 1;
        return next == all.length ? null : Place.startOf(all[next]);
    }
}
