package io.orchestrion.kernel;

import io.orchestrion.kernel.action.Actions;
import io.orchestrion.kernel.audit.Audit;
import io.orchestrion.kernel.audit.AuditPurger;
import io.orchestrion.kernel.audit.AuditTrail;
import io.orchestrion.kernel.bulk.Bulk;
import io.orchestrion.kernel.bulk.BulkPurger;
import io.orchestrion.kernel.bulk.BulkRunner;
import io.orchestrion.kernel.bulk.DeadLetters;
import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.DatabaseProbe;
import io.orchestrion.kernel.db.Migrator;
import io.orchestrion.kernel.db.Schema;
import io.orchestrion.kernel.duties.ClaimPurger;
import io.orchestrion.kernel.duties.DependencyResolver;
import io.orchestrion.kernel.duties.DuePromoter;
import io.orchestrion.kernel.duties.GiveUps;
import io.orchestrion.kernel.duties.LeaseReaper;
import io.orchestrion.kernel.duties.Purger;
import io.orchestrion.kernel.duties.WaiterPoll;
import io.orchestrion.kernel.events.EventFeed;
import io.orchestrion.kernel.events.ItemLogFeed;
import io.orchestrion.kernel.events.SubjectLog;
import io.orchestrion.kernel.flow.Flows;
import io.orchestrion.kernel.flow.Reflow;
import io.orchestrion.kernel.flow.StartPurger;
import io.orchestrion.kernel.history.ChunkPurger;
import io.orchestrion.kernel.idempotency.Idempotency;
import io.orchestrion.kernel.idempotency.KeyedVerbs;
import io.orchestrion.kernel.identity.Clients;
import io.orchestrion.kernel.identity.Identity;
import io.orchestrion.kernel.identity.KeyPurger;
import io.orchestrion.kernel.identity.KeyUse;
import io.orchestrion.kernel.identity.Keys;
import io.orchestrion.kernel.identity.WorkerTokenPurger;
import io.orchestrion.kernel.identity.WorkerTokenUse;
import io.orchestrion.kernel.identity.WorkerTokens;
import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.limit.Allowances;
import io.orchestrion.kernel.memory.DocumentRoom;
import io.orchestrion.kernel.plan.Quotas;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.kernel.policy.PolicyWaiters;
import io.orchestrion.kernel.pool.Pool;
import io.orchestrion.kernel.progress.LaneStatus;
import io.orchestrion.kernel.schedule.FirePurger;
import io.orchestrion.kernel.schedule.ScheduleFirer;
import io.orchestrion.kernel.schedule.Schedules;
import io.orchestrion.kernel.sequence.Sequencer;
import io.orchestrion.kernel.signals.Signals;
import io.orchestrion.kernel.sweep.SweepLoop;
import io.orchestrion.kernel.sweep.SweepStatus;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.totals.Totals;
import io.orchestrion.kernel.type.TypeSettler;
import io.orchestrion.kernel.type.Types;
import io.orchestrion.kernel.verbs.ClaimMarks;
import io.orchestrion.kernel.verbs.Owners;
import io.orchestrion.kernel.verbs.WorkOwner;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.wake.ReadyBell;
import io.orchestrion.kernel.wake.Waiters;
import io.orchestrion.kernel.wake.WakeHints;
import io.orchestrion.kernel.work.Ids;
import io.orchestrion.kernel.work.Profiles;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// The kernel of one node, with all its parts. It keeps no state that matters: everything is in the
/// database, and any number of kernels may share one.
public final class Kernel implements AutoCloseable {
    private final Database database;
    private final Schema schema;
    private final Signals signals;
    private final DatabaseProbe probe;
    private final Ids ids;
    private final Identity identity;
    private final Keys keys;
    private final Clients clients;
    private final WorkerTokens workerTokens;
    private final Standings standings;
    private final Allowances allowances;
    private final Types types;
    private final Owners owners;
    private final WorkVerbs verbs;
    private final KeyedVerbs keyedVerbs;
    private final Work work;
    private final Schedules schedules;
    private final Bulk bulk;
    private final Audit audit;
    private final AuditTrail auditTrail;
    private final Totals totals;
    private final Waiters waiters;
    private final PolicyWaiters policyWaiters;
    private final ReadyBell bell = new ReadyBell();
    private final Sequencer sequencer;
    private final EventFeed events;
    private final ItemLogFeed itemLogs;
    private final SubjectLog subjectLog;
    private final @Nullable WakeHints hints;
    private final List<Sweeper> sweepers;
    private final DependencyResolver dependencies;
    private final SweepLoop loop;
    private final DocumentRoom documents;
    private final Pool pool;
    private final Actions actions = new Actions();

    /// Bounds what is being read from the database at a time. Documents that were read are counted
    /// by the doors.
    private static final double DOCUMENTS_SHARE_OF_HEAP = 0.15;

    /// Connects, without touching the schema or starting anything that runs by itself.
    public Kernel(KernelOptions options) {
        signals = options.signals();
        schema = options.schema();
        database =
                new Database(
                        options.database(),
                        options.clock(),
                        options.failpoints(),
                        signals,
                        options.room());
        probe = new DatabaseProbe(database, options.ticker()::nanos);
        waiters = new Waiters();
        policyWaiters = new PolicyWaiters();
        sequencer = new Sequencer(database);
        events = new EventFeed(database, sequencer, options.subjects());
        itemLogs = new ItemLogFeed(database);
        hints = options.wakeHints() ? new WakeHints(database, this::heard, this::news) : null;
        ids = new Ids(options.random());
        var idempotency = new Idempotency();
        keyedVerbs = new KeyedVerbs(database, idempotency);
        allowances =
                new Allowances(
                        database,
                        new Combiner.Lane(
                                "limits",
                                1,
                                options.work().bound(),
                                options.work().batch(),
                                options.work().patience()),
                        options.ticker());
        standings =
                new Standings(database, options.plans(), options.keysBelieved(), options.ticker());
        var marks = new ClaimMarks(options.ticker());
        var wakes = new Wakes(marks, waiters, policyWaiters, bell, itemLogs, hints, this::told);
        types = new Types(database, wakes, options.keysBelieved(), options.ticker());
        owners = new Owners(options.owners());
        verbs =
                new WorkVerbs(
                        ids,
                        options.retention(),
                        standings,
                        new Quotas(standings, allowances),
                        owners,
                        idempotency,
                        marks,
                        wakes,
                        signals);
        documents =
                new DocumentRoom(
                        (long) (Runtime.getRuntime().maxMemory() * DOCUMENTS_SHARE_OF_HEAP),
                        options.database().poolWait());
        work =
                new Work(
                        database,
                        verbs,
                        standings,
                        waiters,
                        policyWaiters,
                        documents,
                        options.work());
        schedules = new Schedules(database, ids, verbs);
        var keyUse = new KeyUse(database);
        identity = new Identity(database, ids, keyUse, options.keysBelieved(), options.ticker());
        keys = new Keys(database, ids, identity);
        clients = new Clients(database, ids, identity, idempotency);
        var tokenUse = new WorkerTokenUse(database);
        workerTokens =
                new WorkerTokens(
                        database,
                        ids,
                        tokenUse,
                        new Combiner.Lane(
                                "worker-tokens",
                                1,
                                options.work().bound(),
                                options.work().batch(),
                                options.work().patience()));
        bulk = new Bulk(database, ids, idempotency);
        audit = new Audit(database);
        auditTrail = new AuditTrail(database);
        subjectLog = new SubjectLog(database, options.subjects(), wakes, signals);
        totals =
                new Totals(
                        database,
                        sequencer,
                        Stream.concat(Profiles.LOGS.stream(), options.subjects().logs().stream())
                                .toList());
        dependencies = new DependencyResolver(database, verbs);
        sweepers =
                new ArrayList<>(
                        List.of(
                                new LeaseReaper(database, verbs),
                                new DuePromoter(database, verbs, options.ticker()),
                                new GiveUps(database, verbs, options.ticker()),
                                new ScheduleFirer(database, verbs),
                                new FirePurger(database),
                                dependencies,
                                new Reflow(database, wakes::ready),
                                new StartPurger(database),
                                new Purger(database, verbs, idempotency, allowances),
                                new ClaimPurger(database),
                                new ChunkPurger(database),
                                keyUse,
                                new KeyPurger(database),
                                tokenUse,
                                new WorkerTokenPurger(database),
                                new BulkRunner(database, verbs),
                                new BulkPurger(database),
                                new AuditPurger(database),
                                new TypeSettler(database),
                                totals,
                                new WaiterPoll(database, waiters)));
        loop = new SweepLoop(options.sweepEvery(), sweepers, options.ticker());
        pool = new Pool(database, work, signals, options.ticker(), this::add, this::onReady);
    }

    /// Another node has made something ready.
    private void heard(Waiters.Key key, int count) {
        bell.ring(key.queue());
        waiters.wake(key, count);
        policyWaiters.wake(key.accountId(), key.queue(), key.kind());
    }

    /// Something happened on another node.
    private void news(UUID account, String queue) {
        told(account, queue);
        itemLogs.told(account);
    }

    /// Something happened on this or another node.
    private void told(UUID account, String queue) {
        events.told(account, queue);
        totals.told(account, queue);
    }

    /// Brings the schema to this version; safe on several nodes at once.
    public void migrate() throws SQLException, Migrator.ServerTooOld, Migrator.SchemaTooNew {
        new Migrator(database, schema).migrate();
    }

    /// Adds a duty that needs this kernel; before the start.
    public void add(Sweeper sweeper) {
        loop.add(sweeper);
        sweepers.add(sweeper);
    }

    /// Adds an engine that owns items and needs this kernel; before the start.
    public void add(WorkOwner owner) {
        owners.add(owner);
    }

    /// Calls the listener after a commit that made something of the queue ready, on this node or,
    /// as far as hints come through, on another. It means "look again" and must not block.
    public void onReady(String queue, Runnable listener) {
        bell.onRing(queue, listener);
    }

    /// Starts what runs by itself.
    public void start() {
        dependencies.start();
        loop.start();
        if (hints != null) {
            hints.start();
        }
    }

    public Database database() {
        return database;
    }

    /// The tables of the kernel and of all engines.
    public Schema schema() {
        return schema;
    }

    /// Room for documents that are read past [Work].
    public DocumentRoom documents() {
        return documents;
    }

    /// Whom the kernel tells what happens.
    public Signals signals() {
        return signals;
    }

    /// The sums of the event log.
    public Totals totals() {
        return totals;
    }

    /// Whether the database answers.
    public DatabaseProbe probe() {
        return probe;
    }

    public Ids ids() {
        return ids;
    }

    public Identity identity() {
        return identity;
    }

    public Keys keys() {
        return keys;
    }

    /// The accounts that clients make without a key.
    public Clients clients() {
        return clients;
    }

    public WorkerTokens workerTokens() {
        return workerTokens;
    }

    /// Which plan an account is on.
    public Standings standings() {
        return standings;
    }

    /// The windows that limits are counted in.
    public Allowances allowances() {
        return allowances;
    }

    /// What accounts set for their types of work.
    public Types types() {
        return types;
    }

    /// What waits in types with limits.
    public Flows flows() {
        return new Flows(database);
    }

    public Work work() {
        return work;
    }

    public Schedules schedules() {
        return schedules;
    }

    /// For engines, which call the verbs in their own transactions.
    public WorkVerbs verbs() {
        return verbs;
    }

    /// For engines whose callers send a key, so that a verb is done once.
    public KeyedVerbs keyedVerbs() {
        return keyedVerbs;
    }

    /// Operations on many items.
    public Bulk bulk() {
        return bulk;
    }

    /// The log of who did what.
    public Audit audit() {
        return audit;
    }

    public AuditTrail auditTrail() {
        return auditTrail;
    }

    public Waiters waiters() {
        return waiters;
    }

    /// Gives events their places in the logs.
    public Sequencer sequencer() {
        return sequencer;
    }

    /// The logs of what happened to work.
    public EventFeed events() {
        return events;
    }

    /// The events of engines' own subjects.
    public SubjectLog subjects() {
        return subjectLog;
    }

    /// The logs that items keep of themselves.
    public ItemLogFeed itemLogs() {
        return itemLogs;
    }

    /// Workers that wait for something that they may do.
    public PolicyWaiters policyWaiters() {
        return policyWaiters;
    }

    /// Dead items, and putting them back.
    public DeadLetters deadLetters() {
        return new DeadLetters(database, verbs);
    }

    public List<SweepStatus> sweeps() {
        return loop.statuses();
    }

    /// The functions that engines have for each other's steps.
    public Actions actions() {
        return actions;
    }

    /// The workers inside this server.
    public Pool pool() {
        return pool;
    }

    /// How the lanes of this node get on.
    public List<LaneStatus> lanes() {
        return database.lanes().statuses();
    }

    /// Makes one pass of the named duty, now and on this thread.
    public int sweepOnce(String name) {
        return sweepers.stream()
                .filter(sweeper -> sweeper.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no duty " + name))
                .runOnce();
    }

    /// Takes no more claims, finishes what is under way, and lets go of the database.
    @Override
    public void close() {
        pool.stopTaking();
        work.closeClaims();
        pool.close();
        loop.close();
        dependencies.close();
        if (hints != null) {
            hints.close();
        }
        work.close();
        events.close();
        itemLogs.close();
        allowances.close();
        workerTokens.close();
        probe.close();
        database.close();
    }
}
