package io.orchestrion.jobs;

import io.orchestrion.jobs.JobHandout.Ask;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.fault.Repeated;
import io.orchestrion.kernel.work.Profiles;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// Gives jobs to runners: the oldest of all accounts first. Heads are found without a lock and
/// claimed in their own accounts; what somebody changed meanwhile is passed over and looked for
/// again. Claims of all nodes take turns at the row that bounds what is active.
final class JobClaims implements AutoCloseable {
    /// How often it looks again where it lost the race.
    private static final int LOOKS = 3;

    private static final int DUE = 1_000;
    private static final int PROMOTED = 500;

    /// How many accounts are gone through for one fair claim; the next claim goes on after them.
    private static final int ACCOUNTS = 500;

    /// How many jobs of each of these accounts are looked at.
    private static final int EACH = 100;

    /// How often it goes on when none of them had any. The next claim goes on from there.
    private static final int WALKS = 20;

    private static final UUID FIRST = new UUID(0, 0);

    private final Kernel kernel;
    private final JobsOptions options;
    private final Capacity capacity;
    private final Combiner<Ask, List<Assigned>> lane;
    private final Repeated warnings = new Repeated();
    private UUID fairFrom = FIRST;

    JobClaims(Kernel kernel, JobsOptions options, Capacity capacity) {
        this.kernel = kernel;
        this.options = options;
        this.capacity = capacity;
        this.lane = new Combiner<>(Jobs.lane("job-claim"), kernel.database(), this::claim);
    }

    List<Assigned> claim(String runner, int most) {
        // A runner asks again by itself.
        return most < 1 || kernel.database().isFull()
                ? List.of()
                : lane.call(new Ask(runner, most));
    }

    private List<List<Assigned>> claim(Tx tx, List<Ask> asks) throws SQLException {
        var handout = new JobHandout(kernel, options, asks);
        if (nothingThere(tx)) {
            return handout.answers();
        }
        var parts = new AccountParts(kernel.database(), tx, warnings);
        if (parts.apart()) {
            inTime(() -> giveOut(tx, parts, handout));
        } else {
            giveOut(tx, parts, handout);
        }
        RuntimeException failure = parts.failure();
        if (failure != null && handout.isEmpty()) {
            throw failure;
        }
        return handout.answers();
    }

    private interface Step {
        void run() throws SQLException;
    }

    /// A part with a transaction of its own may commit only while the transaction of the claim is
    /// open, because that one holds the lock which keeps other claims from counting. The claim's
    /// transaction is ended when its time is over, so no part commits after half of that time. The
    /// next claim takes up the rest.
    private void inTime(Step step) throws SQLException {
        Duration half = kernel.database().options().transactionTimeout().dividedBy(2);
        try {
            Deadline.within(
                    half,
                    () -> {
                        step.run();
                        return half;
                    });
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void giveOut(Tx tx, AccountParts parts, JobHandout handout) throws SQLException {
        int room = capacity.roomForActive(tx);
        promoteDue(tx, new AccountParts(kernel.database(), tx, warnings));
        for (int look = 0; look < LOOKS && room > 0 && handout.wanted() > 0; look++) {
            List<CapacitySql.Head> heads = heads(tx, Math.min(room, handout.wanted()));
            if (heads.isEmpty()) {
                break;
            }
            int most = room;
            room -= handout.give(parts, heads, given -> room(tx, parts, most - given));
        }
    }

    /// How many more jobs may become active. With transactions apart this is counted again before
    /// each part. The count fails when the connection is gone that holds the lock, and then nothing
    /// more is given out.
    private int room(Tx tx, AccountParts parts, int left) throws SQLException {
        return parts.apart() ? Math.min(left, capacity.roomForActive(tx)) : left;
    }

    /// Runners that poll an idle queue lock nothing and write nothing.
    private static boolean nothingThere(Tx tx) throws SQLException {
        return CapacitySql.heads(tx, 1).isEmpty() && CapacitySql.due(tx, DUE).isEmpty();
    }

    /// Due jobs are queued first, so that a due job never waits for the promoter and no job goes
    /// from CREATED to ASSIGNED. The promoter queues those that are left here.
    private void promoteDue(Tx tx, AccountParts parts) throws SQLException {
        var kinds = new TreeMap<UUID, List<String>>();
        for (CapacitySql.Due due : CapacitySql.due(tx, DUE)) {
            kinds.computeIfAbsent(due.account(), _ -> new ArrayList<>()).add(due.kind());
        }
        for (var entry : kinds.entrySet()) {
            UUID account = entry.getKey();
            if (parts.mayBegin(account)) {
                parts.run(account, part -> promote(part, account, entry.getValue()));
            }
        }
    }

    private int promote(Tx tx, UUID account, List<String> kinds) throws SQLException {
        return kernel.verbs().promoteDue(tx, account, Profiles.JOBS.queue(), kinds, PROMOTED);
    }

    private List<CapacitySql.Head> heads(Tx tx, int most) throws SQLException {
        return options.fairShare() == 0 ? CapacitySql.heads(tx, most) : fairHeads(tx, most);
    }

    /// First the oldest of those accounts that have less than their share active; what is then
    /// still free goes to the oldest of all.
    private List<CapacitySql.Head> fairHeads(Tx tx, int most) throws SQLException {
        List<CapacitySql.Head> heads = someAccounts(tx, most);
        heads.sort(
                Comparator.comparingLong(CapacitySql.Head::orderMs)
                        .thenComparing(head -> head.id().toString()));
        Map<UUID, Integer> active = CapacitySql.activeByAccount(tx, options.maxActive());
        var chosen = new ArrayList<CapacitySql.Head>();
        var beyond = new ArrayList<CapacitySql.Head>();
        for (CapacitySql.Head head : heads) {
            int now = active.merge(head.account(), 1, Integer::sum);
            (now <= options.fairShare() ? chosen : beyond).add(head);
        }
        chosen.addAll(beyond);
        return chosen.subList(0, Math.min(most, chosen.size()));
    }

    /// The oldest jobs of the next accounts that have any; the next claim goes on after them. Where
    /// there are few accounts, these are all.
    private List<CapacitySql.Head> someAccounts(Tx tx, int most) throws SQLException {
        for (int walk = 0; walk < WALKS; walk++) {
            int each = Math.min(most, EACH);
            CapacitySql.Heads found =
                    kernel.database().isDistributed()
                            ? CapacitySql.headsOfEachAccount(tx, fairFrom, ACCOUNTS, each)
                            : CapacitySql.headsByAccount(tx, fairFrom, ACCOUNTS, each);
            boolean round = found.accounts().size() < ACCOUNTS;
            boolean fromFirst = fairFrom.equals(FIRST);
            fairFrom = round ? FIRST : found.accounts().getLast();
            if (!found.heads().isEmpty() || (round && fromFirst)) {
                return new ArrayList<>(found.heads());
            }
        }
        return new ArrayList<>();
    }

    @Override
    public void close() {
        lane.close();
    }
}
