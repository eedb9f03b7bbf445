package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.Dependencies;
import io.orchestrion.kernel.dependency.DependencySql;
import io.orchestrion.kernel.dependency.DependencySql.Child;
import io.orchestrion.kernel.dependency.DependencySql.End;
import io.orchestrion.kernel.dependency.DependencySql.Told;
import io.orchestrion.kernel.fault.CoreThread;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.WorkSql;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.Dependency;
import io.orchestrion.kernel.work.Transition;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/// Tells the items that wait for another that it has ended: they are released, cancelled or held.
/// The node on which it ended does so at once. What that node leaves undone, any node finds in its
/// next sweep. The ends to be told, and how far each has come, are in the database. So a resolver
/// may stop anywhere; while it has the row of an end locked, no other works on that end.
///
/// Parents and children are locked together in the order of their ids, like the items of every
/// other verb, so that no two transactions wait for each other.
public final class DependencyResolver implements Sweeper, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DependencyResolver.class);
    private static final int ACCOUNTS = 200;
    private static final int ENDS = 50;
    private static final int CHILDREN = 500;

    /// After so many batches of one account, the others have their turn.
    private static final int ROUNDS = 50;

    private static final int NUDGES = 1000;

    /// When an end that could not be told is tried again.
    private static final long BAD_END_WAIT_MS = 10_000;

    private final Database database;
    private final WorkVerbs verbs;
    private final BlockingQueue<UUID> nudges = new ArrayBlockingQueue<>(NUDGES);
    private final Set<UUID> nudged = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Thread prompt;
    private volatile boolean closed;

    public DependencyResolver(Database database, WorkVerbs verbs) {
        this.database = database;
        this.verbs = verbs;
    }

    /// From now on, ends on this node are told at once.
    public void start() {
        verbs.parentEnds().onEnd(this::nudge);
        prompt = CoreThread.start(name() + "-prompt", this::followNudges);
    }

    /// A nudge that finds no room is left to the sweep.
    private void nudge(UUID account) {
        if (nudged.add(account) && !nudges.offer(account)) {
            nudged.remove(account);
        }
    }

    private void followNudges() {
        while (!closed) {
            try {
                UUID account = nudges.take();
                nudged.remove(account);
                if (resolve(account) >= CHILDREN * ROUNDS) {
                    nudge(account);
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.debug("left to the next sweep", e);
            }
        }
    }

    @Override
    public String name() {
        return "dependency-resolver";
    }

    @Override
    public int fullPass() {
        return CHILDREN;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> DependencySql.accountsWithEnds(tx, ACCOUNTS));
        return Sweeps.each(name(), accounts, this::resolve);
    }

    private record Round(boolean more, int told) {}

    /// How many children were told.
    private int resolve(UUID account) {
        int told = 0;
        try {
            for (int i = 0; i < ROUNDS; i++) {
                Round round = round(account, ENDS);
                told += round.told();
                if (!round.more()) {
                    break;
                }
            }
            return told;
        } catch (RuntimeException e) {
            if (StoreException.ofWholeStore(e)) {
                throw e;
            }
            log.warn("dependencies of account {} could not be resolved together", account, e);
            return told + resolveOneByOne(account);
        }
    }

    private Round round(UUID account, int ends) {
        Round round =
                database.transaction(
                        tx -> {
                            List<End> taken = DependencySql.takeEnds(tx, account, ends);
                            return taken.isEmpty()
                                    ? new Round(false, 0)
                                    : new Round(true, tell(tx, account, taken));
                        });
        database.failpoints().hit("resolve.after-commit");
        return round;
    }

    /// An end that cannot be told must not keep the others: it is tried again later.
    private int resolveOneByOne(UUID account) {
        int told = 0;
        for (End end : database.transaction(tx -> DependencySql.takeEnds(tx, account, ENDS))) {
            try {
                told +=
                        database.transaction(
                                tx -> {
                                    // Another node may have been quicker.
                                    List<End> mine = DependencySql.takeEnds(tx, account, ENDS);
                                    return mine.contains(end) ? tell(tx, account, List.of(end)) : 0;
                                });
            } catch (RuntimeException e) {
                if (StoreException.ofWholeStore(e)) {
                    throw e;
                }
                log.error("those who wait for {} cannot be told", end.workId(), e);
                database.transaction(
                        tx ->
                                DependencySql.postpone(
                                        tx, account, end, tx.nowMillis() + BAD_END_WAIT_MS));
            }
        }
        return told;
    }

    private int tell(Tx tx, UUID account, List<End> ends) throws SQLException {
        List<Child> found = DependencySql.childrenOf(tx, account, ends, CHILDREN + 1);
        List<Child> batch = found.subList(0, Math.min(CHILDREN, found.size()));
        var ids = new TreeSet<UUID>();
        ends.forEach(end -> ids.add(end.workId()));
        batch.forEach(child -> ids.add(child.workId()));
        Map<UUID, WorkItem> locked = WorkSql.lock(tx, account, List.copyOf(ids), true);
        var told = new ArrayList<Told>();
        for (Child child : batch) {
            End end = ends.get(child.place());
            WorkState state = stateOf(end, locked.get(end.workId()));
            if (state.ended()) {
                told.add(new Told(child.workId(), end.workId(), state));
            }
        }
        if (!told.isEmpty()) {
            DependencySql.markEnded(tx, account, told);
            follow(tx, account, told, locked);
        }
        finish(tx, account, ends, batch, found.size() > CHILDREN ? found.getLast() : null);
        database.failpoints().hit("resolve.before-commit");
        return told.size();
    }

    /// A parent that was reopened meanwhile has not ended, so its children wait on. For a parent
    /// that was purged, the row of the end says how it ended.
    private static WorkState stateOf(End end, @Nullable WorkItem parent) {
        return parent == null ? end.ended() : parent.state();
    }

    private void follow(Tx tx, UUID account, List<Told> told, Map<UUID, WorkItem> locked)
            throws SQLException {
        var children = new LinkedHashSet<UUID>();
        told.forEach(each -> children.add(each.workId()));
        Map<UUID, List<Dependency>> parents = DependencySql.of(tx, account, List.copyOf(children));
        var transitions = new ArrayList<Transition>();
        for (UUID id : children) {
            WorkItem child = locked.get(id);
            Command command =
                    child == null
                            ? null
                            : Dependencies.command(child, parents.getOrDefault(id, List.of()));
            if (child != null
                    && command != null
                    && verbs.decideOn(tx, child, command) instanceof Decision.Change(var made, _)) {
                transitions.addAll(made);
            }
        }
        verbs.writeDecided(tx, account, transitions);
    }

    /// Ends before the first child that is left are finished. The end of that child goes on after
    /// the last child that was told.
    private static void finish(
            Tx tx, UUID account, List<End> ends, List<Child> batch, @Nullable Child left)
            throws SQLException {
        int done = left == null ? ends.size() : left.place();
        if (left != null && batch.getLast().place() == done) {
            DependencySql.moveOn(tx, account, ends.get(done), batch.getLast().workId());
        }
        if (done > 0) {
            DependencySql.deleteEnds(tx, account, ends.subList(0, done));
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread running = prompt;
        if (running != null) {
            running.interrupt();
            try {
                running.join(Duration.ofSeconds(10));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
