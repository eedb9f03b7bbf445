package io.orchestrion.kernel.lanes;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Combiner.Each;
import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.combine.Gate;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.Dependencies;
import io.orchestrion.kernel.history.HistoryEntry;
import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.Reservation;
import io.orchestrion.kernel.itemlog.Appended;
import io.orchestrion.kernel.itemlog.LogLine;
import io.orchestrion.kernel.memory.DocumentRoom;
import io.orchestrion.kernel.plan.Standings;
import io.orchestrion.kernel.policy.PolicyWaiters;
import io.orchestrion.kernel.verbs.KindSql;
import io.orchestrion.kernel.verbs.WorkBatches;
import io.orchestrion.kernel.verbs.WorkSql;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.wake.Waiters;
import io.orchestrion.kernel.wake.Waiters.Key;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.ClaimKey;
import io.orchestrion.kernel.work.ClaimRequest;
import io.orchestrion.kernel.work.Claimed;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.PolicyClaim;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkFilter;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/// Work as the doors see it: hand in, claim, command, read. Each call returns after its commit.
/// Calls of one kind share transactions in a lane. Heartbeats, completes and fails have two lanes
/// that no other request can fill, so that overload never costs a holder its lease.
public final class Work implements AutoCloseable {

    /// The sizes of the lanes.
    ///
    /// @param committers of each busy lane, and how many large batches of all run at a time
    /// @param bound how many requests may wait in a lane
    /// @param batch how many requests share a transaction at the most: with more than some dozens
    ///     they only wait for each other
    /// @param patience how long a caller waits for its answer
    public record Options(int committers, int bound, int batch, Duration patience) {
        public static final Options DEFAULT = new Options(2, 10_000, 150, Duration.ofSeconds(30));
    }

    private final Database database;
    private final WorkVerbs verbs;
    private final Waiters waiters;
    private final Standings standings;
    private final DocumentRoom room;
    private final SubmitLanes submits;
    private final Combiner<ClaimRequest, Claimed> claims;
    private final MeteredLanes<ClaimRequest, Claimed> meteredClaims;
    private final PolicyWorkerLanes workers;
    private final HolderLanes holders;
    private final Combiner<CommandRequest, Optional<Ack>> others;
    private volatile boolean claimsClosed;

    public Work(
            Database database,
            WorkVerbs verbs,
            Standings standings,
            Waiters waiters,
            PolicyWaiters policyWaiters,
            DocumentRoom room,
            Options options) {
        this.database = database;
        this.room = room;
        this.verbs = verbs;
        this.standings = standings;
        this.waiters = waiters;
        var batches = new WorkBatches(verbs);
        var gate = new Gate(options.committers());
        this.submits = new SubmitLanes(database, verbs, batches, standings, gate, options);
        this.meteredClaims =
                new MeteredLanes<>("claim-metered", database, batches::claim, gate, options);
        this.claims =
                new Combiner<>(
                        lane("claim", options.committers(), options),
                        database,
                        batches::claim,
                        gate);
        this.holders = new HolderLanes(database, batches, gate, options);
        this.workers = new PolicyWorkerLanes(database, batches, policyWaiters, room, gate, options);
        this.others = new Combiner<>(lane("command", 1, options), database, batches::command);
    }

    static Lane lane(String name, int committers, Options options) {
        return new Lane(name, committers, options.bound(), options.batch(), options.patience());
    }

    /// Hands in work. With a key, it is made only once, whatever the number of calls.
    public Submitted submit(Submission submission) {
        return submits.submit(submission);
    }

    /// Takes a key for a request of many items. Each item has a key of its own, so that it is made
    /// only once.
    public Reservation reserve(UUID account, IdempotencyKey key) {
        return submits.reserve(account, key);
    }

    /// Hands in several at once; the answers are in their order. Where two name the same key, the
    /// second is answered as the first.
    public List<Each<Submitted>> submitAll(List<Submission> submissions) {
        return submits.submitAll(submissions);
    }

    /// Claims what is there, or waits for it up to the given time.
    public Claimed claim(ClaimRequest request, Duration wait) {
        if (wait.isZero()) {
            return claimNow(request);
        }
        long deadline = Waiters.deadlineAfter(wait.toMillis());
        try (var waiter =
                waiters.enlist(new Key(request.accountId(), request.queue(), request.kind()))) {
            if (request.key() != null || !waiter.behindOthers()) {
                Claimed claimed = claimNow(request);
                if (answers(claimed)) {
                    return claimed;
                }
            }
            // A claim that is not woken would find nothing, so there is no last look when the time
            // is over.
            while (waiter.await(Waiters.nanosUntil(deadline))) {
                Claimed claimed = claimNow(request);
                if (answers(claimed)) {
                    return claimed;
                }
            }
            return Claimed.of(List.of(), database.aboutNowMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }

    /// Claims what the worker's policy allows, if there is any now.
    public Claimed claimWithPolicy(UUID account, PolicyClaim claim) {
        return workers.claim(account, claim);
    }

    /// The same, or waits for it up to the given time.
    ///
    /// @param claim asked for before each look, because what a worker may do can change meanwhile
    public Claimed claimWithPolicy(UUID account, Supplier<PolicyClaim> claim, Duration wait) {
        return workers.claim(account, claim, wait);
    }

    /// Adds a line to the log of an item that its holder works on.
    public Appended append(LogLine line) {
        return workers.append(line);
    }

    private static boolean answers(Claimed claimed) {
        return !claimed.items().isEmpty() || claimed.refusal() != null;
    }

    private Claimed claimNow(ClaimRequest request) {
        refuseClaimWhenStopping();
        database.checkRoom();
        try {
            Combiner<ClaimRequest, Claimed> lane =
                    standings.likelyMetered(request.accountId())
                            ? meteredClaims.of(request.accountId())
                            : claims;
            return room.reading(
                    request.count(),
                    DocumentLengths.most(request.queue()),
                    () -> lane.call(request),
                    claimed -> DocumentLengths.of(claimed.items()));
        } catch (StoreException e) {
            throw ofSameClaim(request.key(), e);
        }
    }

    /// If another node still runs a claim with the same key, the caller is told to retry.
    private static StoreException ofSameClaim(@Nullable ClaimKey key, StoreException e) {
        return key != null && e.kind() == StoreException.Kind.LOCKED
                ? new StoreException(
                        StoreException.Kind.OVERLOADED,
                        "the same claim is still under way",
                        e,
                        e.sqlState())
                : e;
    }

    /// Refused as overload, so that the caller retries: another node, or this one later, will serve
    /// it.
    private void refuseClaimWhenStopping() {
        if (claimsClosed) {
            throw stopping();
        }
    }

    static StoreException stopping() {
        return new StoreException(
                StoreException.Kind.OVERLOADED, "the server is stopping and takes no claims");
    }

    /// Carries out one command on one item.
    public Ack command(CommandRequest request) {
        if (request.command() instanceof Command.Lease lease) {
            refuseClaimWhenStopping();
            database.checkRoom();
            try {
                return HolderLanes.untilDone(database, others, request);
            } catch (StoreException e) {
                throw ofSameClaim(lease.key(), e);
            }
        }
        return request.command().fromHolder()
                ? holders.command(request)
                : HolderLanes.untilDone(database, others, request);
    }

    /// Carries out what holders send for several items at once; the answers are in their order.
    public List<Each<Ack>> commandAll(List<CommandRequest> requests) {
        if (!requests.stream().allMatch(request -> request.command().fromHolder())) {
            throw new IllegalArgumentException("only what holders say comes in bulk");
        }
        return holders.commandAll(requests);
    }

    public @Nullable WorkView get(UUID account, Profile profile, UUID id) {
        List<WorkView> found =
                room.reading(
                        1,
                        DocumentLengths.most(profile.queue()),
                        () -> database.transaction(tx -> found(tx, account, profile, id)),
                        DocumentLengths::of);
        return found.isEmpty() ? null : found.getFirst();
    }

    private static List<WorkView> found(Tx tx, UUID account, Profile profile, UUID id)
            throws SQLException {
        WorkView view = WorkSql.get(tx, account, id);
        return view == null || !view.item().queue().equals(profile.queue())
                ? List.of()
                : Dependencies.withParents(tx, account, List.of(view));
    }

    /// The kinds of those of the items that somebody works on.
    public Map<UUID, String> kindsOfRunning(UUID account, Profile profile, List<UUID> ids) {
        return database.transaction(
                tx -> KindSql.kindsOfRunning(tx, account, profile.queue(), ids));
    }

    /// The answer that was given to the first request with this key; null when there is none yet.
    public @Nullable Submitted replay(UUID account, IdempotencyKey key) {
        return database.transaction(tx -> verbs.replay(tx, account, key));
    }

    public List<WorkView> list(WorkFilter filter) {
        return room.reading(
                filter.most(),
                DocumentLengths.most(filter.queue()),
                () ->
                        database.transaction(
                                tx ->
                                        Dependencies.withParents(
                                                tx, filter.accountId(), WorkSql.list(tx, filter))),
                DocumentLengths::of);
    }

    public List<HistoryEntry> history(UUID account, UUID id) {
        return database.transaction(tx -> WorkSql.history(tx, account, id));
    }

    /// From now on nobody is handed work; holders may still finish theirs.
    public void closeClaims() {
        claimsClosed = true;
        waiters.wakeAll();
        workers.closeClaims();
    }

    /// Finishes what waits in the lanes and stops.
    @Override
    public void close() {
        closeClaims();
        submits.close();
        claims.close();
        meteredClaims.close();
        workers.close();
        holders.close();
        others.close();
    }
}
