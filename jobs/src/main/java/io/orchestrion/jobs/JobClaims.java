package io.orchestrion.jobs;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Order;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.ReadyItems;
import io.orchestrion.kernel.work.WorkItem;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/// Gives jobs to runners: the oldest of all accounts first. Heads are found without a lock and
/// claimed in their own accounts; what somebody changed meanwhile is passed over and looked for
/// again.
final class JobClaims implements AutoCloseable {
    /// How often it looks again where it lost the race.
    private static final int LOOKS = 3;

    private static final int DUE = 1_000;
    private static final int PROMOTED = 500;

    /// So many accounts are gone through for one fair claim; the next goes on behind them.
    private static final int ACCOUNTS = 500;

    /// So many of each of them.
    private static final int EACH = 100;

    /// How often it goes on when none of them had any; the claim after it goes on from there.
    private static final int WALKS = 20;

    private static final UUID FIRST = new UUID(0, 0);

    record Ask(String runner, int most) {}

    private final Kernel kernel;
    private final JobsOptions options;
    private final Capacity capacity;
    private final Combiner<Ask, List<Assigned>> lane;
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
        var answers = new ArrayList<List<Assigned>>();
        var wanting = new ArrayDeque<Integer>();
        for (int i = 0; i < asks.size(); i++) {
            answers.add(new ArrayList<>());
            for (int n = 0; n < asks.get(i).most(); n++) {
                wanting.add(i);
            }
        }
        if (nothingThere(tx)) {
            return List.copyOf(answers);
        }
        int room = capacity.roomForActive(tx);
        promoteDue(tx);
        for (int look = 0; look < LOOKS && room > 0 && !wanting.isEmpty(); look++) {
            List<CapacitySql.Head> heads = heads(tx, Math.min(room, wanting.size()));
            if (heads.isEmpty()) {
                break;
            }
            Map<UUID, Integer> given = take(tx, heads, asks, wanting, answers);
            room -= given.size();
        }
        return List.copyOf(answers);
    }

    /// Runners that poll an idle queue lock nothing and write nothing.
    private static boolean nothingThere(Tx tx) throws SQLException {
        return CapacitySql.heads(tx, 1).isEmpty() && CapacitySql.due(tx, DUE).isEmpty();
    }

    /// What has become due is queued first, so that being due never waits for the promoter and no
    /// job goes from CREATED to ASSIGNED.
    private void promoteDue(Tx tx) throws SQLException {
        var kinds = new TreeMap<UUID, List<String>>();
        for (CapacitySql.Due due : CapacitySql.due(tx, DUE)) {
            kinds.computeIfAbsent(due.account(), _ -> new ArrayList<>()).add(due.kind());
        }
        for (var entry : kinds.entrySet()) {
            kernel.verbs()
                    .promoteDue(
                            tx, entry.getKey(), Profiles.JOBS.queue(), entry.getValue(), PROMOTED);
        }
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

    /// The heads of the next accounts that have any; the next claim goes on behind them. Where
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

    private Map<UUID, Integer> take(
            Tx tx,
            List<CapacitySql.Head> heads,
            List<Ask> asks,
            Deque<Integer> wanting,
            List<List<Assigned>> answers)
            throws SQLException {
        Map<UUID, Integer> askOf = new HashMap<>();
        var byAccount = new TreeMap<UUID, List<UUID>>();
        heads.forEach(
                head ->
                        byAccount
                                .computeIfAbsent(head.account(), _ -> new ArrayList<>())
                                .add(head.id()));
        var free = new HashMap<UUID, UUID>();
        for (var entry : byAccount.entrySet()) {
            ReadyItems.lock(tx, entry.getKey(), entry.getValue())
                    .forEach(id -> free.put(id, entry.getKey()));
        }
        for (CapacitySql.Head head : heads) {
            if (free.containsKey(head.id())) {
                askOf.put(head.id(), wanting.removeFirst());
            }
        }
        var assigned = new HashMap<UUID, Assigned>();
        for (var entry : byAccount.entrySet()) {
            List<UUID> mine = entry.getValue().stream().filter(askOf::containsKey).toList();
            if (!mine.isEmpty()) {
                assigned.putAll(lease(tx, entry.getKey(), mine, asks, askOf));
            }
        }
        for (CapacitySql.Head head : heads) {
            Assigned one = assigned.get(head.id());
            Integer ask = askOf.get(head.id());
            if (one != null && ask != null) {
                answers.get(ask).add(one);
            }
        }
        return askOf;
    }

    private Map<UUID, Assigned> lease(
            Tx tx, UUID account, List<UUID> ids, List<Ask> asks, Map<UUID, Integer> askOf)
            throws SQLException {
        var orders = new ArrayList<Order>();
        for (UUID id : ids) {
            int ask = askOf.getOrDefault(id, 0);
            orders.add(
                    new Order(
                            account,
                            Profiles.JOBS,
                            id,
                            new Command.Lease(kernel.ids().token(), asks.get(ask).runner(), null),
                            false));
        }
        List<Ack> acks = kernel.verbs().execute(tx, account, orders);
        Map<UUID, Job> jobs = JobSql.find(tx, account, ids);
        var assigned = new HashMap<UUID, Assigned>();
        for (int i = 0; i < ids.size(); i++) {
            UUID id = ids.get(i);
            if (!(acks.get(i) instanceof Ack.Applied(WorkItem item, var _, var _))) {
                throw new IllegalStateException(
                        "a locked ready job was not leased: " + acks.get(i));
            }
            Job job = jobs.get(id);
            if (job == null) {
                throw new IllegalStateException("item " + id + " has no job");
            }
            // What it may take is kept with it, whatever this node is set to.
            Long own = item.timeoutMs();
            assigned.put(
                    id,
                    new Assigned(
                            job,
                            new Fence(item.leaseToken(), item.leaseNumber()),
                            item.leaseSeconds() * 1_000L,
                            own == null ? options.maxRuntime().toMillis() : own,
                            item.trace()));
        }
        return assigned;
    }

    @Override
    public void close() {
        lane.close();
    }
}
