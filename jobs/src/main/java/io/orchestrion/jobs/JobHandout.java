package io.orchestrion.jobs;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.ReadyItems;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// What the runners of one batch ask for, and what they have been given so far.
final class JobHandout {
    record Ask(String runner, int most) {}

    private final Kernel kernel;
    private final JobsOptions options;
    private final List<Ask> asks;
    private final List<List<Assigned>> answers = new ArrayList<>();

    /// A place for each job that is still wanted, with the number of its ask.
    private final Deque<Integer> wanting = new ArrayDeque<>();

    JobHandout(Kernel kernel, JobsOptions options, List<Ask> asks) {
        this.kernel = kernel;
        this.options = options;
        this.asks = asks;
        for (int i = 0; i < asks.size(); i++) {
            answers.add(new ArrayList<>());
            for (int n = 0; n < asks.get(i).most(); n++) {
                wanting.add(i);
            }
        }
    }

    int wanted() {
        return wanting.size();
    }

    List<List<Assigned>> answers() {
        return List.copyOf(answers);
    }

    boolean isEmpty() {
        return answers.stream().allMatch(List::isEmpty);
    }

    /// Says before each account how many more jobs may become active.
    @FunctionalInterface
    interface Room {
        /// @param given how many were given out by the same call
        int left(int given) throws SQLException;
    }

    /// Gives out those of the heads that are still free and returns how many. It goes from account
    /// to account, beginning with the one that has the oldest head. An ask whose head was lost is
    /// the first to be served by the next call.
    ///
    /// @param heads oldest first, no more than are wanted
    int give(AccountParts parts, List<CapacitySql.Head> heads, Room room) throws SQLException {
        var askOf = new HashMap<UUID, Integer>();
        var byAccount = new LinkedHashMap<UUID, List<UUID>>();
        for (CapacitySql.Head head : heads) {
            askOf.put(head.id(), wanting.removeFirst());
            byAccount.computeIfAbsent(head.account(), _ -> new ArrayList<>()).add(head.id());
        }
        var given = new HashMap<UUID, Assigned>();
        for (var entry : byAccount.entrySet()) {
            UUID account = entry.getKey();
            int left = parts.mayBegin(account) ? room.left(given.size()) : 0;
            List<UUID> ids =
                    entry.getValue().subList(0, Math.clamp(left, 0, entry.getValue().size()));
            Map<UUID, Assigned> part =
                    ids.isEmpty() ? null : parts.run(account, tx -> lease(tx, account, ids, askOf));
            if (part != null) {
                given.putAll(part);
            }
        }
        for (CapacitySql.Head head : heads.reversed()) {
            if (!given.containsKey(head.id())) {
                wanting.addFirst(askOf.getOrDefault(head.id(), 0));
            }
        }
        for (CapacitySql.Head head : heads) {
            Assigned one = given.get(head.id());
            if (one != null) {
                answers.get(askOf.getOrDefault(head.id(), 0)).add(one);
            }
        }
        return given.size();
    }

    /// Leases those of the heads that are still ready and that nobody else is writing.
    private Map<UUID, Assigned> lease(
            Tx tx, UUID account, List<UUID> heads, Map<UUID, Integer> askOf) throws SQLException {
        List<UUID> ids = ReadyItems.lock(tx, account, heads);
        if (ids.isEmpty()) {
            return Map.of();
        }
        var orders = new ArrayList<CommandRequest>();
        for (UUID id : ids) {
            String runner = asks.get(askOf.getOrDefault(id, 0)).runner();
            orders.add(
                    new CommandRequest(
                            account,
                            Profiles.JOBS,
                            id,
                            new Command.Lease(kernel.ids().token(), runner, null),
                            false));
        }
        List<Ack> acks = kernel.verbs().execute(tx, account, orders);
        Map<UUID, Job> jobs = JobSql.find(tx, account, ids);
        var assigned = new HashMap<UUID, Assigned>();
        for (int i = 0; i < ids.size(); i++) {
            assigned.put(ids.get(i), assigned(ids.get(i), acks.get(i), jobs));
        }
        return assigned;
    }

    private Assigned assigned(UUID id, Ack ack, Map<UUID, Job> jobs) {
        if (!(ack instanceof Ack.Applied(WorkItem item, var _, var _))) {
            throw new IllegalStateException("a locked ready job was not leased: " + ack);
        }
        Job job = jobs.get(id);
        if (job == null) {
            throw new IllegalStateException("item " + id + " has no job");
        }
        // The job's own limit was stored with it, and counts whatever this node is set to.
        Long own = item.attempts().timeoutMs();
        return new Assigned(
                job,
                new Fence(item.lease().token(), item.lease().number()),
                item.lease().seconds() * 1_000L,
                own == null ? options.maxRuntime().toMillis() : own,
                item.trail().trace());
    }
}
